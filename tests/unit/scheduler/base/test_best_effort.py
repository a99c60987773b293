"""Recording may fail; the boot goes on."""

import fixtures
import testtools

from nova_ext.scheduler.base.best_effort import harmless


class HarmlessTest(testtools.TestCase):
    """What is raised is logged."""

    def test_raising(self):
        """None comes back and the function is named."""
        log = self.useFixture(fixtures.FakeLogger())

        @harmless
        def note():
            raise ValueError('broken')

        self.assertIsNone(note())
        self.assertIn('Recording failed in note', log.output)

    def test_working(self):
        """The result comes back."""
        self.assertEqual(3, harmless(int)('3'))
