"""A cloud of which a mirror decides, refreshed by the tests alone."""

import unittest
from importlib import metadata

import fixtures

from nova_ext.scheduler.mirror import mirror
from tests.functional import base


@unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)
class MirroredTestCase(base.CloudTestCase):
    """Each host has room for two servers."""

    compute_driver = 'fake.SmallFakeDriver'
    weight_classes = (base.STOCK_WEIGHERS,)
    enabled_filters = ('ComputeFilter',)

    def configure(self):
        """Have tests refresh the mirror, without a rest between answers."""
        self.useFixture(fixtures.MockPatchObject(
            mirror, 'PLACEMENT_SHARE', 1
        ))
        self.flags(cpu_allocation_ratio=1.0)
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
        )
