"""Provide a test case over Nova's configuration."""

import testtools
from oslo_config import fixture

from nova_ext.scheduler.base import options
from nova_ext.scheduler.plugins import traced


class ConfiguredTestCase(testtools.TestCase):
    """Restore Nova's CONF, and Nova's plugins, after each test."""

    def setUp(self):
        """Start from the defaults, without files; record nothing."""
        super().setUp()
        options.register_all()
        self.conf = self.useFixture(fixture.Config(options.CONF))
        self.conf.conf(args=[], default_config_files=[])
        self.flags('nova_ext_record', enabled=False)
        # Loading a line of nova-ext has all of Nova's plugins traced.
        traced.stop_tracing_instances()
        self.addCleanup(traced.stop_tracing_instances)

    def flags(self, group, **values):
        """Set options of a group."""
        self.conf.config(group=group, **values)
