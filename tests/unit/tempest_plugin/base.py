"""A tempest.conf for tests of the plugin, without Tempest's global one."""

from pathlib import Path
from types import SimpleNamespace

import fixtures
import testtools
from oslo_config import cfg

from nova_ext.tempest_plugin import plugin

#: Modules that read tempest.conf.
_READERS = (
    'tempest.config',
    'nova_ext.tempest_plugin.base',
    'nova_ext.tempest_plugin.decision_record',
    'nova_ext.tempest_plugin.scheduler_log',
    'nova_ext.tempest_plugin.tests.test_ip_scheduler',
    'nova_ext.tempest_plugin.tests.test_specified_host',
)


class TempestConfTestCase(testtools.TestCase):
    """One tempest.conf a test."""

    def configure(self, lines='', **groups):
        """Give all modules that read it a tempest.conf.

        :param lines: its group [nova_ext], and any of ours after it.
        :param groups: Tempest's own groups, as objects.
        :returns: the group [nova_ext] as the plugin's options have it.
        """
        written = Path(
            self.useFixture(fixtures.TempDir()).path, 'tempest.conf'
        )
        written.write_text(f'[nova_ext]\n{lines}\n')
        conf = cfg.ConfigOpts()
        plugin.NovaExtPlugin().register_opts(conf)
        conf(['--config-file', str(written)])
        read = SimpleNamespace(
            nova_ext=conf.nova_ext, service_available=conf.service_available,
            **groups,
        )
        for module in _READERS:
            self.useFixture(fixtures.MonkeyPatch(f'{module}.CONF', read))
        return conf.nova_ext

    def expect_no_wait(self):
        """Look for lines and decisions once."""
        for name, value in (('DEADLINE_S', 0.001), ('PAUSE_S', 0)):
            self.useFixture(fixtures.MonkeyPatch(
                f'nova_ext.tempest_plugin.scheduler_log.{name}', value
            ))
