"""Test the check of computes."""

from nova_ext.doctor.checks import computes
from tests.unit.doctor import fake_cloud


class ComputesTest(fake_cloud.CheckTestCase):
    """Look at the state of each nova-compute."""

    module = computes

    def test_healthy(self):
        """Find nothing; a disabled compute may be down."""
        self.cloud.service('cmp-1').update(status='disabled', state='down')
        self.assert_found(self.look())

    def test_down(self):
        """Find enabled computes that are down, and no other services."""
        self.cloud.service('cmp-1')['state'] = 'down'
        self.cloud.service('ctl')['state'] = 'down'
        self.assert_found(
            self.look(),
            compute_down='1 of 3 computes down and not disabled: cmp-1',
        )

    def test_silent_cell(self):
        """Name the hosts of a silent cell."""
        self.cloud.services[1:3] = [
            {'binary': 'nova-compute', 'host': f'cmp-{number}',
             'status': 'UNKNOWN'} for number in range(2)
        ]
        self.assert_found(self.look(), cell_silent='cmp-0, cmp-1')
