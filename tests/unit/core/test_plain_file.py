"""What a plain file defines."""

from pathlib import Path

import fixtures
import testtools

from nova_ext.core import plain_file
from nova_ext.core.errors import ExtensionFileError


class ExtensionsTest(testtools.TestCase):
    """Classes by kind, or one line."""

    def setUp(self):
        """A folder for files."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)

    def extensions(self, text, name='my.py'):
        """Names of what a file of this text defines."""
        path = self.folder / name
        path.write_text(text)
        found = plain_file.extensions(path)
        return {
            kind: [cls.__name__ for cls in classes]
            for kind, classes in found.items()
        }

    def refusal(self, text, name='my.py'):
        """The line that refuses it."""
        error = self.assertRaises(
            ExtensionFileError, self.extensions, text, name
        )
        self.assertNotIn('\n', str(error))
        return str(error).replace(str(self.folder) + '/', '')

    def test_kinds(self):
        """Ours and Nova's, however they are imported."""
        self.assertEqual(
            {'filter': ['A', 'B'], 'weigher': ['C'], 'driver': ['D']},
            self.extensions(
                'from nova_ext.core import extension as e\n'
                'from nova_ext.core.extension import Filter\n'
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
            found = self.extensions(
                'from nova_ext.core.extension import Filter\n'
                f'class {name}(Filter): pass\n'
            )
            self.assertEqual({'filter': [name]}, found)

    def test_refusals(self):
        """Where in the file, and how."""
        self.assertEqual(
            'my.py:2: SyntaxError: invalid syntax',
            self.refusal('x = 1\ndef ('),
        )
        self.assertIn(
            'my.py:3: NameError: name', self.refusal('\n\nundefined\n')
        )
        self.assertIn('no filter, weigher or driver', self.refusal('x = 1'))
        self.assertIn('no Python file', self.refusal('', 'my.txt'))
        error = self.assertRaises(
            ExtensionFileError, plain_file.extensions,
            self.folder / 'absent.py',
        )
        self.assertIn('absent.py: no Python file', str(error))
