"""Check options against Nova's declarations."""

from unittest import mock

import testtools

from nova_ext.lab.lifecycle import option_check
from nova_ext.lab.state.errors import LabError


class OptionCheckTest(testtools.TestCase):
    """Accept known options, and refuse others."""

    def test_known(self):
        """Accept options of Nova, of its libraries and of nova-ext."""
        option_check.check({
            'DEFAULT.debug': ['false'], 'quota.instances': ['-1'],
            'oslo_messaging_notifications.driver': ['noop', 'log'],
            'keystone_authtoken.username': ['nova'],
            'nova_ext.scheduler_driver': ['A', 'B'],
            'nova_ext_ip_scheduler.rules': ['10.0.0.0/8=a,::/0=b'],
        })

    def test_own(self):
        """Import nothing of Nova for options of nova-ext."""
        with mock.patch.object(
            option_check, 'list_options', wraps=option_check.list_options
        ) as listed:
            option_check.check({'nova_ext.scheduler_driver': ['A']})
        listed.assert_called_once_with(['nova_ext'])
        self.assertRaises(LabError, option_check.check, {
            'nova_ext.scheduler_driver': ['A'],
            'nova_ext.mirror_max_age_s': ['x'],
        })

    def test_unknown(self):
        """Say in one line what there is."""
        for settings, expected in (
            ({'nova_ex.x': ['1']},
             '--set nova_ex.x: nova.conf has no group nova_ex; did you mean '
             'nova_ext?'),
            ({'nova_ext.scheduler_drivers': ['1']},
             'has no option scheduler_drivers; did you mean '
             'scheduler_driver?'),
            ({'quota.instances': ['many']}, '--set quota.instances=many: '),
        ):
            line = str(self.assertRaises(
                LabError, option_check.check, settings
            ))
            self.assertIn(expected, line)
            self.assertNotIn('\n', line)
