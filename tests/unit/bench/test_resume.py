"""A bench that goes on where another one ended."""

import copy
from pathlib import Path

import fixtures
import testtools

from tests.bench.select import report


class ResumeTest(testtools.TestCase):
    """Add what was saved."""

    def setUp(self):
        """A run that measured nothing yet."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.data = {
            'machine': {'cores': 2, 'load': (0.1, 0.2, 0.3)}, 'rounds': 7,
            'points': [], 'left_out': [], 'loads': [], 'errors': [],
            'decisions': {}, 'seconds': 0.0,
        }

    def save(self, **values):
        """Save what another run measured."""
        report.save(self.folder, copy.deepcopy(self.data) | values)

    def test_added(self):
        """Errors are among it; the lists stay those that the run fills."""
        errors = self.data['errors']
        self.save(
            errors=['other hosts'], seconds=12.5, left_out=['hosts 100'],
            decisions={10_000: {'times': 3}},
            machine={'cores': 2, 'load': (1.1, 0.2, 0.3)},
        )
        report.resume(self.folder, self.data)
        self.assertEqual(['other hosts'], errors)
        self.assertEqual(12.5, self.data['seconds'])
        self.assertEqual({10_000: {'times': 3}}, self.data['decisions'])
        # Those are told by what is measured.
        self.assertEqual([], self.data['left_out'])

    def test_other_conditions(self):
        """What can't be compared is not put together."""
        self.save(machine={'cores': 4, 'load': (0, 0, 0)})
        error = self.assertRaises(
            report.ResumeError, report.resume, self.folder, self.data
        )
        self.assertIn('measured with cores 4, not 2: run', str(error))
        self.save(rounds=3)
        error = self.assertRaises(
            report.ResumeError, report.resume, self.folder, self.data
        )
        self.assertIn('measured with rounds 3, not 7: run', str(error))

    def test_nothing_saved(self):
        """The file is named."""
        for text in (None, '', '[]', '{"machine": {}}'):
            path = self.folder / 'results.json'
            if text is not None:
                path.write_text(text)
            error = self.assertRaises(
                report.ResumeError, report.resume, self.folder, self.data
            )
            self.assertIn(f'{path}: not what a bench saved', str(error))
