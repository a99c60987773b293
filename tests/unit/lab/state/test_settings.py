"""The words behind --set and --unset."""

import testtools

from nova_ext.lab.state import settings
from nova_ext.lab.state.errors import LabError


class ParseTest(testtools.TestCase):
    """Values by option."""

    def test_values(self):
        """An option may be repeated; a value may be empty or hold '='."""
        self.assertEqual(
            {
                'nova_ext.scheduler_driver': ['A', 'B'],
                'nova_ext_ip_scheduler.rules': ['10.0.0.0/8=a'],
                'DEFAULT.log_dir': [''],
            },
            settings.parse([
                'nova_ext.scheduler_driver=A',
                'nova_ext_ip_scheduler.rules = 10.0.0.0/8=a',
                'nova_ext.scheduler-driver=B', 'DEFAULT.log-dir=',
            ]),
        )

    def test_refusals(self):
        """The line shows the word and the form."""
        for word, expected in (
            ('a.b', '--set a.b: write GROUP.OPTION=VALUE'),
            ('b=1', '--set b: name the option as GROUP.OPTION'),
            ('a.b.c=1', '--set a.b.c: name the option as GROUP.OPTION'),
            ('a.b=1\n[x]', 'write GROUP.OPTION=VALUE'),
        ):
            error = self.assertRaises(LabError, settings.parse, [word])
            self.assertIn(expected, str(error))


class MergeTest(testtools.TestCase):
    """What holds after an up."""

    def test_given_replaces_the_option(self):
        """All values of a given option, and no other option."""
        self.assertEqual(
            {'a.x': ['3'], 'b.y': ['2']},
            settings.merge(
                {'a.x': ['0', '1'], 'b.y': ['2']}, {'a.x': ['3']}, ()
            ),
        )

    def test_unset(self):
        """An unset option is forgotten, however it is spelled."""
        self.assertEqual(
            {}, settings.merge({'a.x_y': ['1']}, {}, ['a.x-y'])
        )

    def test_unset_of_a_wrong_form(self):
        """The line names the flag."""
        error = self.assertRaises(LabError, settings.merge, {}, {}, ['x'])
        self.assertIn('--unset x: name the option', str(error))
