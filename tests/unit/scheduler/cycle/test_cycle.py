"""Find the cycle of the request that runs."""

import threading
from types import SimpleNamespace

import testtools

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision.decision import MirrorCheck
from nova_ext.scheduler.cycle import cycle


def make(**fields):
    """Return a cycle of nova-ext-scheduler's."""
    return cycle.Cycle(Mode.SCHEDULER, None, **fields)


class CurrentTest(testtools.TestCase):
    """Run cycles in one thread."""

    def test_nested(self):
        """A cycle within another one leaves that as it was."""
        outer, inner = make(), make()
        with cycle.running(outer):
            with (
                testtools.ExpectedException(ZeroDivisionError),
                cycle.running(inner),
            ):
                self.assertIs(inner, cycle.get_current())
                raise ZeroDivisionError
            self.assertIs(outer, cycle.get_current())
        self.assertIsNone(cycle.get_current())

    def test_other_thread(self):
        """Another thread has no part in it."""
        seen = []
        with cycle.running(make()):
            thread = threading.Thread(
                target=lambda: seen.append(cycle.get_current())
            )
            thread.start()
            thread.join()
        self.assertEqual([None], seen)

    def test_not_kept(self):
        """A thread that waits does not keep the last one."""
        last = make(trace=SimpleNamespace(attempt='attempt'))
        self.addCleanup(cycle.leave)
        cycle.enter(last)
        self.assertEqual('attempt', cycle.get_attempt())
        del last
        self.assertIsNone(cycle.get_current())
        self.assertIsNone(cycle.get_attempt())

    def test_check(self):
        """The check is that of the verification, or of what decided."""
        verified, decided = MirrorCheck(), MirrorCheck(decides=True)
        self.assertIsNone(make().mirror_check)
        self.assertIs(verified, make(
            verification=SimpleNamespace(mirror_check=verified)
        ).mirror_check)
        self.assertIs(decided, make(
            mirrored=SimpleNamespace(end=lambda: decided)
        ).mirror_check)
