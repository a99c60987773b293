"""A cloud of which a mirror decides, refreshed by the tests alone."""

import unittest
from importlib import metadata

import fixtures

from nova_ext.record import reader
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.mirror import cloud_reader, refresh_thread
from nova_ext.scheduler.mirror.providers import machine_reader
from tests.functional import base


class RefreshedByTests(fixtures.Fixture):
    """Mirrors that read when a test says so, without rests between answers."""

    def setUp(self):
        """Keep their threads from reading."""
        super().setUp()
        for where, name, value in (
            (cloud_reader, 'PLACEMENT_SHARE', 1),
            (refresh_thread.RefreshThread, '_run', lambda _: None),
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
        self.flags(cpu_allocation_ratio=1.0, service_down_time=3600)
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
        )

    @property
    def mirror(self):
        """The scheduler's mirror."""
        return self.scheduler._mirror

    def place(self, count=1, refresh=True, **kwargs):
        """Boot servers; return them and the decision on them."""
        if refresh:
            self.mirror.refresh()
        servers = self.boot_many(count, **kwargs)
        return servers, self.read(servers[0])

    def read(self, server):
        """Return the newest decision on a server."""
        self.assertTrue(recorder.get().flush(60))
        return reader.find(self.record, server['id']).decisions[0]

    def assert_decided(self, decision):
        """The mirror decided."""
        self.assertEqual('', decision.mirror.fallback)
        self.assertTrue(decision.mirror.decides)

    def change_placement(self, method, url, body):
        """Change something in placement."""
        answer = getattr(self.placement, method)(url, body, version='1.36')
        self.assertLess(answer.status, 300, answer.body)
