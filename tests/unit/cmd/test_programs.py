"""Call each program wrongly, and read the line that it answers with."""

from importlib import metadata

import testtools

from tests.unit import forked
from tests.unit.cmd import base

#: Words that are wrong by program, and what the line says.
WRONG = {
    'agent': (['--foo'], 'unrecognized arguments: --foo'),
    'builder': (['x'], 'unrecognized arguments: x'),
    'exporter': (['--port', 'x'], 'argument --port: x: give a whole number'),
    'manage': (['db', 'purge'], 'are required: --days'),
    'scheduler': (['--pong', '3'], 'did you mean --ping?'),
    'shipper': (['--hots', '1'], 'did you mean --host?'),
    'status': (['upgrad'], "invalid choice: 'upgrad'"),
    'zone-poller': (['--record', 'x'], 'unrecognized arguments: --record x'),
}


class ProgramsTest(testtools.TestCase):
    """Refuse a wrong call in one line."""

    def test_wrong_call(self):
        """Say what is wrong, and where the usage is."""
        prefix = 'nova-ext-'
        programs = {
            point.name.removeprefix(prefix): point.value
            for point in metadata.entry_points(group='console_scripts')
            if point.name.startswith(prefix)
        }
        self.assertEqual(WRONG.keys(), programs.keys())
        for name, (words, said) in WRONG.items():
            ended = forked.run(
                forked.call(programs[name], prefix + name), *words
            )
            lines = [
                line for line in ended.stderr.splitlines()
                if 'usage' in line or line.startswith(prefix)
            ]
            self.assertEqual(2, ended.returncode, ended.stderr)
            (line,) = lines
            self.assertTrue(line.startswith(f'{prefix}{name}'), line)
            self.assertIn(said, line)
            self.assertTrue(line.endswith(' --help'), line)


class CommandsTest(base.CommandTestCase):
    """Refuse a wrong call of nova-ext and its commands in one line."""

    def test_wrong_call(self):
        """Say what is right."""
        for words, said in (
            (['explan'], 'no command explan; did you mean explain? available'),
            (['lab'], 'lab is followed by one of: delete, demo, down, '),
            (['lab', 'upp'], 'lab is followed by one of: delete, demo, down,'),
            (['explain', 'a', '--recrod', 'x'],
             'unrecognized arguments: --recrod x; did you mean --record?'),
            (['doctor', ''], 'unrecognized arguments'),
            (['doctor', '--sample', 'x'], 'give a whole number, 0 or more'),
            (['new', 'filtr', 'x'], "(choose from "),
            (['lab', 'restart'], 'are required: <service>'),
            (['lab', 'up', '--schedulers', 'x'], 'between 1 and 16'),
        ):
            status, out, err = self.run_command(*words)
            self.assertEqual((2, ''), (status, out), err)
            self.assertEqual(1, err.count('\n'), err)
            self.assertIn(said, err)
            self.assertTrue(err.endswith(' --help\n'), err)
