"""Test how often a mirror that is woken all the time reads."""

import itertools
import time

import testtools

from nova_ext.scheduler.mirror import refresh_thread


class WakeTest(testtools.TestCase):
    """Refused claims wake it many times a second."""

    def test_rest(self):
        """There is a rest between two passes all the same."""
        passes = []

        def refresh():
            passes.append(time.monotonic())
            woken.wake()
            if len(passes) == 3:
                woken.stop()

        woken = refresh_thread.RefreshThread(refresh, lambda: False)
        woken._run()
        self.assertEqual(3, len(passes))
        for one, next_one in itertools.pairwise(passes):
            self.assertGreaterEqual(next_one - one, refresh_thread._REST_S)
