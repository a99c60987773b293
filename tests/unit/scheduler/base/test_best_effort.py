"""Test that a failed recording fails no boot."""

import fixtures
import testtools

from nova_ext.scheduler.base.best_effort import best_effort


class HarmlessTest(testtools.TestCase):
    """Test the decorator."""

    def test_raising(self):
        """Return None, and name the function in the log."""
        log = self.useFixture(fixtures.FakeLogger('nova_ext'))

        @best_effort
        def note():
            raise ValueError('broken')

        self.assertIsNone(note())
        self.assertIn('Recording failed in note', log.output)

    def test_working(self):
        """Return the result."""
        self.assertEqual(3, best_effort(int)('3'))
