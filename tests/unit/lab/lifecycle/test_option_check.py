"""Check options against Nova's declarations."""

import testtools

from nova_ext.lab.lifecycle import option_check
from nova_ext.lab.state.errors import LabError


class OptionCheckTest(testtools.TestCase):
    """Accept known options, and refuse others."""

    def find_problem(self, settings):
        """Return the line that refuses settings."""
        return option_check.find_problem(settings, option_check.list_options())

    def test_known(self):
        """Accept options of Nova, of its libraries and of nova-ext."""
        self.assertIsNone(self.find_problem({
            'DEFAULT.debug': ['false'], 'quota.instances': ['-1'],
            'oslo_messaging_notifications.driver': ['noop', 'log'],
            'keystone_authtoken.username': ['nova'],
            'nova_ext.scheduler_driver': ['A', 'B'],
            'nova_ext_ip_scheduler.rules': ['10.0.0.0/8=a,::/0=b'],
        }))

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
            line = self.find_problem(settings)
            self.assertIn(expected, line)
            self.assertNotIn('\n', line)

    def test_other_process(self):
        """Return the same line from a process of its own."""
        wrong = {'nova_ext.scheduler_drivers': ['1']}
        error = self.assertRaises(LabError, option_check.check, wrong)
        self.assertEqual(self.find_problem(wrong), str(error))
