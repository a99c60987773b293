"""Write the command that simulates a server's request."""

import shlex

import testtools

from nova_ext.cli import simulate_command
from nova_ext.cmd.simulate import Simulate
from nova_ext.core.explanation.server_history import History


class CommandTest(testtools.TestCase):
    """The command takes what is written."""

    def parse(self, **shown):
        """Return the options that the command has."""
        words = shlex.split(simulate_command.build(History({
            'flavor': {'original_name': 'm1 big'}, **shown,
        }, [], {'action': 'create'})))
        self.assertEqual(['nova-ext', 'simulate'], words[:2])
        return Simulate(None, None).get_parser('x').parse_args(words[2:])

    def test_whole(self):
        """Flavor, image, zone, hints and group."""
        options = self.parse(**{
            'image': {'id': 'i'}, 'pinned_availability_zone': 'west',
            'OS-EXT-AZ:availability_zone': 'east', 'server_groups': ['g'],
            'scheduler_hints': {
                'same_host': ['a', 'b'], 'x': 'it\'s', 'group': 'g',
            },
        })
        self.assertEqual(
            ('m1 big', 'i', 'west', 'g'),
            (options.flavor, options.image, options.availability_zone,
             options.server_group),
        )
        self.assertEqual(
            {'same_host': ['a', 'b'], 'x': ['it\'s']}, options.hints
        )

    def test_volume(self):
        """A volume in place of an image; no zone of a host."""
        options = self.parse(**{
            'image': '', 'OS-EXT-SRV-ATTR:host': 'h',
            'OS-EXT-AZ:availability_zone': 'nova',
            'os-extended-volumes:volumes_attached': [{'id': 'v'}],
        })
        self.assertEqual(
            ('v', None), (options.volume, options.availability_zone)
        )
