"""Test plain files with plugins."""

import sys
import types
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.errors import PluginFileError
from nova_ext.core.plugin import plugin_file

FILTER = '''
from nova_ext.plugin import Filter
class MyFilter(Filter):
    def check(self, host, request):
        return int(host)
'''


class PluginsTest(testtools.TestCase):
    """Classes by kind, or one line."""

    def setUp(self):
        """Make a folder for files."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)

    def plugins(self, text, name='my.py'):
        """Names of what a file of this text defines."""
        path = self.folder / name
        path.write_text(text)
        classes = plugin_file.load_plugins(path)
        return {
            kind: [cls.__name__ for cls in classes]
            for kind, classes in classes.items()
        }

    def refusal(self, text, name='my.py'):
        """Return the line that refuses it."""
        error = self.assertRaises(
            PluginFileError, self.plugins, text, name
        )
        self.assertNotIn('\n', str(error))
        return str(error).replace(str(self.folder) + '/', '')

    def test_kinds(self):
        """Ours and Nova's, however they are imported."""
        self.assertEqual(
            {'filter': ['A', 'B'], 'weigher': ['C'], 'driver': ['D']},
            self.plugins(
                'from nova_ext import plugin as e\n'
                'from nova_ext.plugin import Filter\n'
                'from nova.scheduler.filters import BaseHostFilter\n'
                'class A(Filter): pass\n'
                'class B(BaseHostFilter): pass\n'
                'class C(e.Weigher): pass\n'
                'class D(e.ComputeDriver): pass\n'
                'class Other: pass\n'
            ),
        )

    def test_the_file_as_it_is_now(self):
        """Two versions saved in the same second differ."""
        for name in 'AB':
            classes = self.plugins(
                'from nova_ext.plugin import Filter\n'
                f'class {name}(Filter): pass\n'
            )
            self.assertEqual({'filter': [name]}, classes)

    def test_loaded(self):
        """The module is there meanwhile, and another one after as before."""
        path = self.folder / 'my.py'
        path.write_text(FILTER)
        name = 'nova_ext_files.my'
        self.addCleanup(sys.modules.pop, name, None)
        sys.modules.pop(name, None)
        for before in (None, types.ModuleType(name)):
            if before is not None:
                sys.modules[name] = before
            path.write_text(FILTER)
            with plugin_file.load_temporarily(path) as classes:
                self.assertIs(classes['filter'][0], sys.modules[name].MyFilter)
            self.assertIs(before, sys.modules.get(name))
            path.write_text('oops')
            self.assertRaises(
                PluginFileError,
                plugin_file.load_temporarily(path).__enter__,
            )
            self.assertIs(before, sys.modules.get(name))

    def test_line_number(self):
        """Of what a class of the file raises, wherever it is raised."""
        path = self.folder / 'my.py'
        path.write_text(FILTER)
        (cls,) = plugin_file.load_plugins(path)['filter']
        error = self.assertRaises(ValueError, cls.check, None, 'x', None)
        self.assertEqual(5, plugin_file.find_line(path, error))
        self.assertIn(
            'my.py:5: ValueError: ', plugin_file.describe_error(path, error)
        )
        error = self.assertRaises(ValueError, int, 'x')
        self.assertIsNone(plugin_file.find_line(path, error))

    def test_refusals(self):
        """Where in the file, and how."""
        self.assertEqual(
            'my.py:2: SyntaxError: invalid syntax',
            self.refusal('x = 1\ndef ('),
        )
        self.assertIn(
            'my.py:3: NameError: name', self.refusal('\n\nundefined\n')
        )
        self.assertEqual(
            'my.py:1: SystemExit: over',
            self.refusal('raise SystemExit("over")'),
        )
        self.assertIn('no filter, weigher or driver', self.refusal('x = 1'))
        self.assertIn('no Python file', self.refusal('', 'my.txt'))
        error = self.assertRaises(
            PluginFileError, plugin_file.load_plugins,
            self.folder / 'absent.py',
        )
        self.assertIn('absent.py: no Python file', str(error))
