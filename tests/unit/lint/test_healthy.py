"""Lint healthy configurations, with and without Nova, and ask Nova."""

import pathlib

import fixtures
import testtools

from nova_ext.lint import linting
from tests.unit.lint import healthy, test_broken


class TestHealthy(testtools.TestCase):
    """Test that what Nova accepts raises no alarm."""

    def setUp(self):
        """Write each case to a folder of its own."""
        super().setUp()
        root = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.folders = {
            case: root / str(number)
            for number, case in enumerate(healthy.CASES)
        }
        for case, folder in self.folders.items():
            test_broken.write(folder, case)

    def find(self, case, **options):
        """Return what lint finds in a case."""
        folder = self.folders[case]
        return [
            (case.name, one.id, one.line, one.what) for one in linting.lint(
                test_broken.read(folder, case), folders=[str(folder)],
                **options,
            ).findings
        ]

    def test_without_nova(self):
        """Find nothing."""
        found = []
        for case in healthy.CASES:
            found += self.find(case, ask_nova=False)
        self.assertEqual([], found)

    def test_with_nova(self):
        """Find nothing with Nova's options, all files at once."""
        test_broken.declare_for(self, [
            test_broken.read(self.folders[case], case)
            for case in healthy.CASES
        ])
        found = []
        for case in healthy.CASES:
            found += self.find(case, ask_nova=True)
        self.assertEqual([], found)

    def test_nova(self):
        """Have Nova start with each."""
        cases = [case for case in healthy.CASES if case.nova]
        self.assertEqual([], [
            (case.name, raised) for case, raised in zip(
                cases, test_broken.ask_nova([
                    (str(self.folders[case]),
                     [str(self.folders[case] / case.file)])
                    for case in cases
                ]), strict=True,
            ) if raised
        ])

    def test_many(self):
        """Have at least 20 cases."""
        names = {case.name for case in healthy.CASES}
        self.assertEqual(len(healthy.CASES), len(names))
        self.assertGreaterEqual(len(names), 20)
