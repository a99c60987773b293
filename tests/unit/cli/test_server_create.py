"""Compare the options with those of python-openstackclient."""

import argparse
import contextlib
import io
import json
from pathlib import Path

import fixtures
import testtools
from openstackclient.compute.v2 import server
from osc_lib.command import command

from nova_ext.cli import server_create

#: What server create took on later than our oldest release of it (8.0).
LATER = {'--delete-on-termination': 'flag'}


def by_option(parser):
    """Return a parser's options by each of their names."""
    return {
        name: action for action in parser._actions
        for name in action.option_strings
    }


def form(action):
    """Say whether an option takes a value."""
    return 'flag' if action.nargs == 0 else 'value'


class Shown(command.ShowOne):
    """Have no options but those of every such command."""

    def take_action(self, parsed_args):
        """Do nothing."""


def parser_of(kind):
    """Return the parser of a command of OpenStackClient."""
    return kind(argparse.Namespace(), None).get_parser('openstack')


class ServerCreateTest(testtools.TestCase):
    """Take what server create takes."""

    def setUp(self):
        """Build our parser."""
        super().setUp()
        self.ours = argparse.ArgumentParser()
        server_create.add_options(self.ours)
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)

    def looked_at(self, parser, words):
        """Return the parsed options that concern the scheduler."""
        given = vars(parser.parse_args(words))
        return {
            action.dest: given[action.dest] or None
            for action in self.ours._actions
            if argparse.SUPPRESS not in (action.help, action.default)
        }

    def test_options(self):
        """Have the same options, with the same need of a value."""
        output = by_option(parser_of(Shown))
        theirs = by_option(parser_of(server.CreateServer))
        self.assertEqual(
            LATER
            | {name: form(theirs[name]) for name in {*theirs} - {*output}},
            {name: form(action) for name, action
             in by_option(self.ours).items() if name not in output},
        )

    def test_looked_at(self):
        """Parse alike what concerns the scheduler."""
        file = self.folder / 'device'
        file.write_text(json.dumps({'uuid': 'v', 'boot_index': 0}))
        for words in (
            (),
            ('--image', 'i', '--boot-from-volume', '9', '--min', '2',
             '--max', '3', '--host', 'h', '--hypervisor-hostname', 'n',
             '--availability-zone', 'z', '--server-group', 'g'),
            ('--hint', 'a=1', '--hint', 'b=2', '--hint', 'a=3=4'),
            ('--image-property', 'a=b', '--image-property', 'c=d=e'),
            ('--volume', 'v'), ('--snapshot', 's'),
            ('--block-device', 'uuid=v,boot_index=0', '--block-device',
             'source_type=blank,volume_size=1'),
            ('--block-device', str(file)),
            ('--block-device', f'uuid={"v" * 300},boot_index=0'),
            ('--nic', 'none', '--wait', '--no-security-group', '--file',
             'a=b', '--swap', '1', '--ephemeral', 'size=1'),
        ):
            line = ('--flavor', 'f', *words, 'web')
            self.assertEqual(
                self.looked_at(parser_of(server.CreateServer), line),
                self.looked_at(self.ours, line),
            )

    def test_refused(self):
        """Refuse what server create refuses to parse."""
        for name, text in (('list', '[]'), ('text', '{')):
            (self.folder / name).write_text(text)
        for words, line in (
            (('--image', 'i', '--volume', 'v'), 'not allowed with'),
            (('--hint', 'a'), 'Expected \'key=value\''),
            (('--max', 'x'), 'invalid int'),
            (('--block-device', 'x'), 'Expected comma separated'),
            (('--block-device', str(self.folder / 'list')), 'no JSON object'),
            (('--block-device', str(self.folder / 'text')), 'Expecting'),
        ):
            err = io.StringIO()
            with contextlib.redirect_stderr(err):
                self.assertRaises(
                    SystemExit, self.ours.parse_args, ('--flavor', 'f', *words)
                )
            self.assertIn(line, err.getvalue())
