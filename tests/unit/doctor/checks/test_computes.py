"""Computes that are down, and cells that don't answer."""

from nova_ext.doctor.checks import computes
from tests.unit.doctor import base


class ComputesTest(base.CheckTestCase):
    """The state of each nova-compute."""

    module = computes

    def test_healthy(self):
        """Nothing; a compute that is disabled may be down."""
        self.cloud.service('cmp-1').update(status='disabled', state='down')
        self.assert_found(self.look())

    def test_down(self):
        """Down while enabled; other services don't count."""
        self.cloud.service('cmp-1')['state'] = 'down'
        self.cloud.service('ctl')['state'] = 'down'
        self.assert_found(
            self.look(),
            compute_down='1 of 3 computes down and not disabled: cmp-1',
        )

    def test_silent_cell(self):
        """Nova knows but the names of its hosts."""
        self.cloud.services[1:3] = [
            {'binary': 'nova-compute', 'host': f'cmp-{number}',
             'status': 'UNKNOWN'} for number in range(2)
        ]
        self.assert_found(self.look(), cell_silent='cmp-0, cmp-1')
