"""Whether placement withholds the disabled computes, and only these."""

from nova_ext.doctor.checks import offered
from tests.unit.doctor import base

TRAIT = 'COMPUTE_STATUS_DISABLED'


class OfferedTest(base.CheckTestCase):
    """The status against the trait."""

    module = offered

    def test_agreeing(self):
        """Nothing, disabled or not."""
        self.cloud.service('cmp-1')['status'] = 'disabled'
        self.cloud.provider('cmp-1')['traits'].append(TRAIT)
        self.assert_found(self.look())

    def test_offered(self):
        """Disabled without the trait."""
        self.cloud.service('cmp-1')['status'] = 'disabled'
        self.assert_found(
            self.look(),
            disabled_but_offered='1 disabled compute offered by placement: '
                                 'cmp-1',
        )

    def test_withheld(self):
        """Enabled with the trait."""
        self.cloud.provider('cmp-2')['traits'].append(TRAIT)
        self.assert_found(
            self.look(),
            enabled_but_withheld='1 enabled compute withheld by placement: '
                                 'cmp-2',
        )

    def test_without_provider(self):
        """A node that has none is another check's business."""
        self.cloud.service('cmp-1')['status'] = 'disabled'
        self.cloud.providers.clear()
        self.assert_found(self.look())
