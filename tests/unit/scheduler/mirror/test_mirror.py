"""Test how often a mirror that is woken all the time reads."""

import threading
import time

import testtools

from nova_ext.scheduler.claims.ledger import Ledger
from nova_ext.scheduler.mirror import mirror


class _Woken(mirror.Mirror):
    """Has nothing to read, and is told of news at each reading."""

    def __init__(self):
        self.snapshot, self.claims = None, Ledger()
        self._stopped, self._wanted = False, threading.Event()
        self.passes = []

    def refresh(self, placement_s):
        self.passes.append(time.monotonic())
        self.wake()
        if len(self.passes) == 3:
            self._stopped = True


class WakeTest(testtools.TestCase):
    """Refused claims wake it many times a second."""

    def test_rest(self):
        """There is a rest between two passes all the same."""
        woken = _Woken()
        woken._run()
        self.assertEqual(3, len(woken.passes))
        for one, next_one in zip(
            woken.passes, woken.passes[1:], strict=False
        ):
            self.assertGreaterEqual(next_one - one, mirror._REST_S)
