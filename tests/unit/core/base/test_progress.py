"""Steps and their seconds."""

import io
import re
import time

import fixtures
import testtools

from nova_ext.core.base.progress import Progress


class ProgressTest(testtools.TestCase):
    """Test what a person sees on standard error."""

    def setUp(self):
        """Use a stream that is no terminal."""
        super().setUp()
        self.stream = io.StringIO()

    def lines(self):
        """Return what was written, each number of seconds as N."""
        return re.sub(r'[\d.]+ s', 'N s', self.stream.getvalue()).splitlines()

    def wait_for(self, words):
        """Wait until they have been written."""
        deadline = time.monotonic() + 60
        while words not in self.stream.getvalue():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def test_step(self):
        """One line, with what it took."""
        with Progress(self.stream).step('glance'):
            pass
        self.assertEqual([' ✓ glance (N s)'], self.lines())

    def test_failed_step(self):
        """Marked as such."""
        with (
            testtools.ExpectedException(RuntimeError),
            Progress(self.stream).step('glance'),
        ):
            raise RuntimeError
        self.assertEqual([' ✗ glance (N s)'], self.lines())

    def test_no_silence(self):
        """A long step says that it goes on, and what it does."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.core.base.progress._SILENCE_S', 0.05
        ))
        shown = Progress(self.stream)
        with shown.step('nova'):
            shown.detail('importing')
            self.wait_for('nova: importing')
            shown.detail('serving')
            self.wait_for('nova: serving')
        self.assertIn(' • nova: importing (N s)', self.lines())
        self.assertEqual(' ✓ nova (N s)', self.lines()[-1])

