"""What takes the time."""

import testtools

from nova_ext.bench import slowest


def dear(n):
    """Work that takes a while."""
    total = 0
    for i in range(n):
        total += i * i
    return total


def cheap():
    """No work, and some that is dear."""
    # So long that a moment's pause in here is not what is dear.
    return dear(200_000) + dear(200_000)


class PartsTest(testtools.TestCase):
    """Functions of what was asked, the dearest first."""

    def test_parts(self):
        """Name, place, calls a host and share."""

        def ask():
            for _ in range(5):
                cheap()

        first, second = slowest.parts(ask, 5, 2)
        self.assertRegex(first.what, r'^cheap \(test_slowest\.py:\d+\)$')
        self.assertIn('dear', second.what)
        self.assertEqual((1.0, 2.0), (first.calls, second.calls))
        self.assertAlmostEqual(1.0, first.share)
        self.assertGreater(second.own, first.own)
        self.assertAlmostEqual(1.0, first.own + second.own)
