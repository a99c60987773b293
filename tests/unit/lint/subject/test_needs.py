"""Every option of nova-ext needs a mode."""

import testtools

from nova_ext import conf
from nova_ext.core.base.mode import Mode
from nova_ext.lint.subject import known_options


class TestMode(testtools.TestCase):
    """Modes of options."""

    def test_every_option(self):
        """Plugin or scheduler mode; a driver's are of scheduler mode."""
        modes = {
            f'{group}.{option}': conf.mode(group, option)
            for group, options in known_options.own().items() for option in options
        }
        self.assertEqual({Mode.PLUGIN, Mode.SCHEDULER}, set(modes.values()))
        self.assertEqual(Mode.SCHEDULER, modes['nova_ext.scheduler_driver'])
        self.assertEqual(Mode.SCHEDULER, modes['nova_ext_ip_scheduler.rules'])
        self.assertEqual(Mode.PLUGIN, modes['nova_ext_record.file'])
