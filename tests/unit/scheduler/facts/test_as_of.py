"""Read facts as of a moment."""

import threading

import testtools

from nova_ext.scheduler.facts.as_of import AsOf

PATIENCE_S = 30


class AsOfTest(testtools.TestCase):
    """With a clock that stands, and a fact that differs at each read."""

    def setUp(self):
        """Begin at 100 s."""
        super().setUp()
        self.now, self.count = 100.0, 0
        self.fact = AsOf(self.read, 2.0, lambda: self.now)

    def read(self):
        """Return how often it was read."""
        self.count += 1
        return self.count

    def test_after(self):
        """Reuse what was read after the moment, not before it."""
        self.assertEqual(1, self.fact.get(99.0))
        self.assertEqual(1, self.fact.get(100.0))
        self.now = 101.0
        self.assertEqual(1, self.fact.get(99.5))
        self.assertEqual(2, self.fact.get(100.5))

    def test_too_late(self):
        """Read nothing that may have changed since."""
        self.assertIsNone(self.fact.get(97.9))
        self.assertEqual(1, self.fact.get(98.0))
        self.now = 1000.0
        self.assertIsNone(self.fact.get(200.0))
        self.assertEqual(1, self.fact.get(99.0))
        self.assertEqual(1, self.count)

    def test_storm(self):
        """What ended before a read began shares it."""
        threads = [
            threading.Thread(target=self.fact.get, args=[99.0 + n / 10])
            for n in range(10)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S)
        self.assertEqual(1, self.count)
