"""Options that nova.conf does not have."""

import testtools

from nova_ext.lab.lifecycle import option_check
from nova_ext.lab.state.errors import LabError


class OptionCheckTest(testtools.TestCase):
    """Asked of Nova's own declarations."""

    def problem(self, settings):
        """The line that refuses them."""
        return option_check.problem(settings, option_check.declared())

    def test_known(self):
        """Nova's, its libraries' and ours; every value of the right kind."""
        self.assertIsNone(self.problem({
            'DEFAULT.debug': ['false'], 'quota.instances': ['-1'],
            'oslo_messaging_notifications.driver': ['noop', 'log'],
            'keystone_authtoken.username': ['nova'],
            'nova_ext.scheduler_driver': ['A', 'B'],
            'nova_ext_ip_scheduler.rules': ['10.0.0.0/8=a,::/0=b'],
        }))

    def test_unknown(self):
        """One line that says what there is."""
        for settings, expected in (
            ({'nova_ex.x': ['1']},
             '--set nova_ex.x: nova.conf has no group nova_ex; did you mean '
             'nova_ext?'),
            ({'nova_ext.scheduler_drivers': ['1']},
             'has no option scheduler_drivers; did you mean '
             'scheduler_driver?'),
            ({'quota.instances': ['many']}, '--set quota.instances=many: '),
        ):
            line = self.problem(settings)
            self.assertIn(expected, line)
            self.assertNotIn('\n', line)

    def test_asked_of_another_process(self):
        """The command itself imports no Nova; the line is the same."""
        wrong = {'nova_ext.scheduler_drivers': ['1']}
        error = self.assertRaises(LabError, option_check.check, wrong)
        self.assertEqual(self.problem(wrong), str(error))
