"""What is said of declared options, in this process."""

import io
import json

import fixtures
import testtools
from oslo_config import cfg

from nova_ext.nova_releases import declared_options


class DeclaredOptionsTest(testtools.TestCase):
    """Options of one group with a capital, of every type."""

    def setUp(self):
        """Declare them in place of Nova."""
        super().setUp()
        options = [
            cfg.ListOpt('enabled', deprecated_name='old-enabled'),
            cfg.IntOpt('count', min=1), cfg.BoolOpt('is-on'),
            cfg.MultiStrOpt('driver', deprecated_group='old'),
            cfg.PortOpt('secret_port', secret=True),
        ]
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.nova_releases.declared_options.list_options',
            lambda: {'Extra': {each.dest: each for each in options}},
        ))

    def read(self, *settings):
        """Return what the program writes of settings."""
        out = io.StringIO()
        with fixtures.MonkeyPatch(
            'sys.stdin', io.StringIO(json.dumps(settings))
        ), fixtures.MonkeyPatch('sys.stdout', out):
            declared_options.main()
        return json.loads(out.getvalue())

    def test_names(self):
        """Aliases, dashes and old groups are names; readable are dests."""
        declared = self.read()
        self.assertEqual({
            'extra': [
                'count', 'driver', 'enabled', 'is-on', 'is_on',
                'old-enabled', 'old_enabled', 'secret_port',
            ], 'old': ['driver'],
        }, declared['options'])
        self.assertEqual(
            {'extra': ['count', 'driver', 'enabled', 'is_on', 'secret_port']},
            declared['readable'],
        )
        self.assertEqual([['extra', 'driver']], declared['multi'])
        self.assertEqual([['extra', 'secret_port']], declared['secret'])
        self.assertEqual({
            'enabled': 'list', 'count': 'number', 'is_on': 'flag',
            'driver': 'text', 'secret_port': 'number',
        }, {name: kind for _, name, kind in declared['types']})

    def test_refused(self):
        """An option says why it does not take a value, and no secret."""
        declared = self.read(
            ['extra', 'count', '0'], ['extra', 'count', '7'],
            ['extra', 'is-on', 'perhaps'], ['extra', 'count', '$none'],
            ['extra', 'secret_port', 'hidden'], ['extra', 'absent', 'x'],
            ['elsewhere', 'count', 'x'],
        )
        why = {
            (group, name, text): why
            for group, name, text, why in declared['refused']
        }
        self.assertEqual({
            ('extra', 'count', '0'), ('extra', 'is-on', 'perhaps'),
            ('extra', 'secret_port', 'hidden'),
        }, why.keys())
        self.assertIn(
            'greater than or equal to 1', why['extra', 'count', '0']
        )
        self.assertNotIn('hidden', why['extra', 'secret_port', 'hidden'])
        self.assertEqual(
            [['extra', 'count', '$none', ['none']]], declared['undefined']
        )
