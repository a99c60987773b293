"""What the user guide promises of doctor."""

import pathlib
import re

import testtools

from nova_ext.doctor import checks

GUIDE = (
    pathlib.Path(__file__).parents[3] / 'doc/source/user/doctor.rst'
).read_text()


class DocumentationTest(testtools.TestCase):
    """The guide against the checks."""

    def test_findings(self):
        """Each is in the guide's table, and nothing else is."""
        source = ''.join(
            path.read_text() for path in
            pathlib.Path(checks.__path__[0]).glob('*.py')
        )
        kinds = re.findall(r"Finding\(\s*'([\w-]+)'", source)
        self.assertEqual(
            sorted(kinds), sorted(re.findall(r'\* - ``([\w-]+)``', GUIDE))
        )

    def test_checks(self):
        """Each is named."""
        for each in checks.CHECKS:
            self.assertIn(f'**{each.name}**', GUIDE)
