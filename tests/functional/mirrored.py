"""A cloud of which a mirror decides, refreshed by the tests alone."""

import unittest
from importlib import metadata

import fixtures

from nova_ext.scheduler.mirror import mirror
from nova_ext.scheduler.mirror.providers import machine_reader
from tests.functional import base


class RefreshedByTests(fixtures.Fixture):
    """Mirrors that read when a test says so, without rests between answers."""

    def setUp(self):
        """Keep their threads from reading."""
        super().setUp()
        for where, name, value in (
            (mirror, 'PLACEMENT_SHARE', 1),
            (mirror.Mirror, '_run', lambda _: None),
            (machine_reader.MachineReader, '_run', lambda _: None),
        ):
            self.useFixture(fixtures.MockPatchObject(where, name, value))


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
        """Have tests refresh the mirror."""
        self.useFixture(RefreshedByTests())
        self.flags(cpu_allocation_ratio=1.0)
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
        )
