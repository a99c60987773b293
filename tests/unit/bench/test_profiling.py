"""Test which functions of a plugin are called slow."""

import testtools

from nova_ext.bench import profiling


def work(n):
    """Take a while."""
    total = 0
    for i in range(n):
        total += i * i
    return total


def call():
    """Let another function work."""
    # So long that a moment's pause in here does not count.
    return work(200_000) + work(200_000)


class PartsTest(testtools.TestCase):
    """Profile functions of this module."""

    def test_parts(self):
        """Return name, place, calls a host and share, the slowest first."""

        def call_five_times():
            for _ in range(5):
                call()

        first, second = profiling.find_slowest(call_five_times, 5, 2)
        self.assertRegex(first.function, r'^call \(test_profiling\.py:\d+\)$')
        self.assertIn('work', second.function)
        self.assertEqual((1.0, 2.0), (first.calls, second.calls))
        self.assertAlmostEqual(1.0, first.share)
        self.assertGreater(second.own, first.own)
        self.assertAlmostEqual(1.0, first.own + second.own)
