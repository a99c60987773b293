"""Test the check of the trait of disabled computes."""

from nova_ext.doctor.checks import offered
from tests.unit.doctor import fake_cloud

TRAIT = 'COMPUTE_STATUS_DISABLED'


class OfferedTest(fake_cloud.CheckTestCase):
    """Compare the status with the trait."""

    module = offered

    def test_agreeing(self):
        """Find nothing, disabled or not."""
        self.cloud.service('cmp-1')['status'] = 'disabled'
        self.cloud.provider('cmp-1')['traits'].append(TRAIT)
        self.assert_found(self.look())

    def test_offered(self):
        """Find a disabled compute without the trait."""
        self.cloud.service('cmp-1')['status'] = 'disabled'
        self.assert_found(
            self.look(),
            disabled_but_offered='1 disabled compute offered by placement: '
                                 'cmp-1',
        )

    def test_withheld(self):
        """Find an enabled compute with the trait."""
        self.cloud.provider('cmp-2')['traits'].append(TRAIT)
        self.assert_found(
            self.look(),
            enabled_but_withheld='1 enabled compute withheld by placement: '
                                 'cmp-2',
        )

    def test_without_provider(self):
        """Ignore a node without a provider, which another check finds."""
        self.cloud.service('cmp-1')['status'] = 'disabled'
        self.cloud.providers.clear()
        self.assert_found(self.look())
