"""Every option of nova-ext has a rung."""

import testtools

from nova_ext import conf
from nova_ext.lint import known


class TestRung(testtools.TestCase):
    """Rungs of options."""

    def test_every_option(self):
        """Rung 1 or 2 for each; what a driver reads is rung 2."""
        rungs = {
            f'{group}.{option}': conf.rung(group, option)
            for group, options in known.own().items() for option in options
        }
        self.assertEqual({1, 2}, set(rungs.values()))
        self.assertEqual(2, rungs['nova_ext.scheduler_driver'])
        self.assertEqual(2, rungs['nova_ext_ip_scheduler.rules'])
        self.assertEqual(1, rungs['nova_ext_record.file'])
