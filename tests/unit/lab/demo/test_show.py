"""Show commands and their results."""

import io

from nova_ext.lab.demo import show
from tests.unit.lab import base


class ShowTest(base.LabTestCase):
    """Run commands of this machine in a lab's environment."""

    def setUp(self):
        """Show them in a text."""
        super().setUp()
        self.lab, _ = self.new_lab()
        self.out = io.StringIO()
        self.patch(show, 'LabUser', lambda state: None)
        self.show = show.Show(self.lab, self.out)

    def test_run(self):
        """Show a command and all of its output; fold a long command."""
        self.assertEqual('lab: one', self.show.run(
            'sh', '-c', 'echo "lab: $NOVA_EXT_LAB"'
        ))
        self.show.run('true', *['word'] * 20, 'x' * 90, cloud='demo')
        self.assertEqual([
            '', '$ sh -c \'echo "lab: $NOVA_EXT_LAB"\'', 'lab: one', '',
            '$ OS_CLOUD=demo true ' + ' '.join(['word'] * 14) + ' \\',
            '    ' + ' '.join(['word'] * 6) + ' \\', '    ' + 'x' * 90, '',
        ], self.out.getvalue().splitlines())

    def test_lines(self):
        """Show the first lines, and return all."""
        self.assertEqual('1\n2\n3', self.show.run(
            'printf', '1\\n2\\n3', lines=2
        ))
        self.assertTrue(self.out.getvalue().endswith('\n1\n2\n…\n'))

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
