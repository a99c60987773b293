"""Show commands and their results."""

import io
import logging
import os
import sys
from importlib import metadata

from nova_ext.lab.demo import programs, show
from tests.unit.lab import base


def say_where(words):
    """Print the lab and the cloud, and log a warning as a script does."""
    print(f'lab: {os.environ["NOVA_EXT_LAB"]}, cloud: '
          f'{os.environ["OS_CLOUD"]}')
    logging.basicConfig(stream=sys.stderr, format='%(message)s')
    logging.getLogger(__name__).warning('warned')
    return 0


def count(words):
    """Print three lines, and end with a status."""
    print('1\n2\n3')
    sys.exit(1)


def end_interrupted(words):
    """End as the framework of scripts does."""
    return 130


class ShowTest(base.LabTestCase):
    """Run programs in a lab's environment."""

    def setUp(self):
        """Show them in a text."""
        super().setUp()
        self.lab, _ = self.new_lab()
        self.out = io.StringIO()
        self.patch(show, 'Cloud', lambda state: None)
        self.show = show.Show(self.lab, self.out)

    def script(self, main):
        """Have a function stand for the openstack client."""
        self.patch(programs, 'MAINS', {'openstack': f'{__name__}:{main}'})

    def test_run(self):
        """Show a command and all of its output; fold a long command."""
        self.script('say_where')
        before = dict(os.environ)
        self.assertEqual('lab: one, cloud: admin\nwarned', self.show.run(
            'openstack'
        ))
        self.assertEqual(before, dict(os.environ))
        self.show.run('openstack', *['word'] * 20, 'x' * 90, cloud='demo')
        self.assertEqual([
            '', '$ openstack', 'lab: one, cloud: admin', 'warned', '',
            '$ OS_CLOUD=demo openstack ' + ' '.join(['word'] * 13) + ' \\',
            '    ' + ' '.join(['word'] * 7) + ' \\', '    ' + 'x' * 90,
            'lab: one, cloud: demo', 'warned',
        ], self.out.getvalue().splitlines())

    def test_lines(self):
        """Show the first lines, and return all."""
        self.script('count')
        self.assertEqual('1\n2\n3', self.show.run('openstack', lines=2))
        self.assertTrue(self.out.getvalue().endswith('\n1\n2\n…\n'))

    def test_interrupted(self):
        """End with a program that was interrupted."""
        self.script('end_interrupted')
        self.assertRaises(KeyboardInterrupt, self.show.run, 'openstack')

    def test_programs(self):
        """Call what the installed scripts call."""
        scripts = metadata.entry_points(group='console_scripts')
        for name, main in programs.MAINS.items():
            (script,) = scripts.select(name=name)
            self.assertEqual(script.value, main)

    def test_right(self):
        """A result may go on where the expected one ends."""
        self.show.expect('boot', 'ACTIVE on dev-', 'ACTIVE on dev-1')
        self.assertTrue(self.show.end())
        self.assertIn('| boot | ACTIVE on dev-1 | yes |', self.out.getvalue())

    def test_wrong(self):
        """One wrong result fails the demonstration and says which."""
        self.show.expect('boot', 'ACTIVE', 'ACTIVE')
        self.show.expect('other', 'ACTIVE', 'ERROR')
        self.assertFalse(self.show.end())
        self.assertIn('ERROR; expected: ACTIVE | NO', self.out.getvalue())
