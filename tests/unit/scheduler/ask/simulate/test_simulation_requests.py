"""Simulate one request at a time."""

import threading
from concurrent import futures

import testtools

from nova_ext.core.base.scheduling_errors import BusyError, WrongArgumentsError
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest, Changes
from nova_ext.scheduler.ask.simulate import simulation_requests

REQUEST = (BootRequest(BootFlavor(1, 1)), Changes(), 1)


class TurnTest(testtools.TestCase):
    """Send a request that takes long, and others after it."""

    def setUp(self):
        """Hold up the first request."""
        super().setUp()
        self.begun, self.end = threading.Event(), threading.Event()
        self.addCleanup(self.end.set)

        def make(*words):
            self.begun.set()
            self.end.wait(30)
            raise WrongArgumentsError('made')

        self.patch(simulation_requests, 'Simulation', lambda *words: None)
        self.patch(simulation_requests.request_spec, 'make', make)

    def assert_busy(self, requests):
        """Assert that another one is refused until the first one ends."""
        with futures.ThreadPoolExecutor() as pool:
            first = pool.submit(requests.simulate, None, *REQUEST)
            self.assertTrue(self.begun.wait(30))
            self.assertRaises(BusyError, requests.simulate, None, *REQUEST)
            self.end.set()
            self.assertRaises(WrongArgumentsError, first.result, 30)
        self.patch(simulation_requests, 'WAIT_S', 30)
        self.assertRaises(
            WrongArgumentsError, requests.simulate, None, *REQUEST
        )

    def test_too_many(self):
        """Refuse one more than may wait."""
        self.patch(simulation_requests, 'MAX_WAITING_OF_ONE', 0)
        self.assert_busy(simulation_requests.SimulationRequests(None))

    def test_too_long(self):
        """Refuse one that has waited too long."""
        self.patch(simulation_requests, 'WAIT_S', 0.05)
        self.assert_busy(simulation_requests.SimulationRequests(None))
