"""Questions, one at a time."""

import threading
from concurrent import futures

import testtools

from nova_ext.core.base.scheduling_errors import BusyError, WrongArgumentsError
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest, Changes
from nova_ext.scheduler.simulate import questions

QUESTION = (BootRequest(BootFlavor(1, 1)), Changes(), 1)


class TurnTest(testtools.TestCase):
    """A question that takes long, and others after it."""

    def setUp(self):
        """Hold up what is asked first."""
        super().setUp()
        self.begun, self.end = threading.Event(), threading.Event()
        self.addCleanup(self.end.set)

        def make(*words):
            self.begun.set()
            self.end.wait(30)
            raise WrongArgumentsError('made')

        self.patch(questions, 'Simulation', lambda *words: None)
        self.patch(questions.request_spec, 'make', make)

    def assert_busy(self, asked):
        """Another question is refused, until the first one is answered."""
        with futures.ThreadPoolExecutor() as pool:
            first = pool.submit(asked.simulate, None, *QUESTION)
            self.assertTrue(self.begun.wait(30))
            self.assertRaises(BusyError, asked.simulate, None, *QUESTION)
            self.end.set()
            self.assertRaises(WrongArgumentsError, first.result, 30)
        self.assertRaises(
            WrongArgumentsError, asked.simulate, None, *QUESTION
        )

    def test_no_room(self):
        """No more of them wait than may."""
        self.patch(questions, 'WAITING', 0)
        self.assert_busy(questions.WhatIf(None))

    def test_no_turn(self):
        """None waits for longer than somebody waits for its answer."""
        self.patch(questions, 'WAIT_S', 0.05)
        self.assert_busy(questions.WhatIf(None))
