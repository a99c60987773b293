"""Simulate one request at a time."""

import threading
from concurrent import futures

import testtools

from nova_ext.core.base.scheduling_errors import BusyError, WrongArgumentsError
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest, Changes
from nova_ext.scheduler.what_if.simulate import simulation_requests

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
        self.assert_busy(simulation_requests.SimulationRequests(None, 8))

    def test_too_long(self):
        """Refuse one that has waited too long."""
        self.patch(simulation_requests, 'WAIT_S', 0.05)
        self.assert_busy(simulation_requests.SimulationRequests(None, 8))

    def test_threads(self):
        """Refuse what would take more than half of the threads, at once."""
        self.assert_busy(simulation_requests.SimulationRequests(None, 2))

    def test_few_threads(self):
        """Let one have the only thread there is."""
        requests = simulation_requests.SimulationRequests(None, 1)
        self.end.set()
        for _ in range(2):
            self.assertRaises(
                WrongArgumentsError, requests.simulate, None, *REQUEST
            )

    def test_diagnosis(self):
        """Count the threads that wait for a diagnosis."""
        requests = simulation_requests.SimulationRequests(None, 4)
        with requests.limit_threads(), requests.limit_threads():
            self.assertRaises(
                BusyError, requests.limit_threads().__enter__
            )
            self.assertRaises(
                BusyError, requests.take_turn(None).__enter__
            )
