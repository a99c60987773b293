"""Test that the reference lists every kind of finding."""

import pathlib
import re

import testtools

from nova_ext.lint import checks

GUIDE = (
    pathlib.Path(__file__).parents[3]
    / 'doc' / 'source' / 'user' / 'lint-reference.rst'
)


class TestGuide(testtools.TestCase):
    """Test the table of findings."""

    def test_table(self):
        """Show id, severity and title of each kind, in the order of ids."""
        table = GUIDE.read_text().partition('.. findings begin')[2]
        rows = re.findall(
            r'\* - (NX\d{3})\n     - (\w+)\n     - (.+)\n', table
        )
        kinds = sorted(checks.KINDS.values(), key=lambda kind: kind.id)
        self.assertEqual(
            [(kind.id, str(kind.severity),
              kind.title[0].upper() + kind.title[1:]) for kind in kinds],
            rows,
        )


class TestKinds(testtools.TestCase):
    """Test the kinds themselves."""

    def test_one_check_each(self):
        """Give no id to two checks."""
        ids = [kind.id for check in checks.CHECKS for kind in check.KINDS]
        self.assertEqual(len(ids), len(set(ids)))

    def test_complete(self):
        """Say why and what to do, and show an example."""
        for kind in checks.KINDS.values():
            self.assertTrue(kind.why.endswith('.'), kind.id)
            self.assertFalse(kind.fix.endswith('.'), kind.id)
            self.assertTrue(kind.example, kind.id)
