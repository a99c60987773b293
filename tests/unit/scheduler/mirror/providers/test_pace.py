"""Leave placement to others between its answers."""

import contextlib
import time

import fixtures
import testtools

from nova_ext.scheduler.mirror.providers import pace


class PaceTest(testtools.TestCase):
    """Run readers against a placement whose answers take a while."""

    def test_shared(self):
        """One, three and six readers take a tenth together."""
        for readers in 1, 3, 6:
            clock = Clock()
            self.useFixture(fixtures.MockPatchObject(pace, 'time', clock))
            paces = [
                pace.Pace(0.1, lambda readers=readers: readers)
                for _ in range(readers)
            ]
            for each in paces:
                each.count()
            busy_s = 0.0
            while clock.monotonic() < 1000:
                each = min(paces, key=lambda each: each.free_at)
                clock.now = max(clock.now, each.free_at)
                with each.take_turn():
                    # As placement answers one after the other.
                    clock.now += 0.007
                    busy_s += 0.007
            self.assertAlmostEqual(0.1, busy_s / clock.now, delta=0.003)

    def test_rest(self):
        """A reader rests nine times as long as placement took."""
        each = pace.Pace(0.1, lambda: 1)
        began = time.monotonic()
        with each.take_turn():
            time.sleep(0.01)
        each.rest()
        self.assertGreaterEqual(time.monotonic() - began, 0.1)
        each.free_at = time.monotonic() + 1000
        each.end()
        each.rest()
        self.assertTrue(each.ended)

    def test_hiccup(self):
        """An answer that waited for something is paid for in part alone."""
        clock = Clock()
        self.useFixture(fixtures.MockPatchObject(pace, 'time', clock))
        each = pace.Pace(0.1, lambda: 1)
        with contextlib.suppress(OSError), each.take_turn():
            clock.now += 60
            raise OSError
        self.assertAlmostEqual(60 + 18, each.free_at)


class Clock:
    """Tell a time that is set."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        """Return the time."""
        return self.now
