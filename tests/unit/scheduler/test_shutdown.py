"""End a worker, whatever does not end."""

import threading
import time
from pathlib import Path
from types import SimpleNamespace

import fixtures

from nova_ext.record import file, open_files
from nova_ext.scheduler import shutdown
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.mirror.refresh_thread import RefreshThread
from tests.unit.record import samples
from tests.unit.scheduler import configured

#: Seconds that nothing takes which ends, however busy the machine is.
PATIENCE_S = 120


class Server:
    """Stand for an RPC server that has a request in hand."""

    def __init__(self):
        """Begin the request."""
        self.calls = []
        self.stopped, self.answered = threading.Event(), threading.Event()

    def stop(self):
        """Take no further message."""
        self.calls.append('stop')
        self.stopped.set()

    def wait(self):
        """Wait for the request."""
        self.answered.wait(PATIENCE_S)
        self.calls.append('wait')


class ShutdownTest(configured.ConfiguredTestCase):
    """Record decisions while others end, or do not."""

    def setUp(self):
        """Record into a file, by a recorder of its own."""
        super().setUp()
        # Threads of other tests in this process, which may go on.
        self.others = {*threading.enumerate()}
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.path = Path(
            self.useFixture(fixtures.TempDir()).join('decisions.jsonl')
        )
        self.flags('nova_ext_record', enabled=True, file=str(self.path))
        recorder.get.cache_clear()
        self.addCleanup(recorder.get.cache_clear)
        self.server = Server()
        self.addCleanup(self.server.answered.set)

    def limit(self, **limits):
        """Set limits, in seconds."""
        for name, seconds in limits.items():
            self.patch(shutdown, name, seconds)

    def record(self):
        """Record a decision."""
        recorder.get().record_whole(samples.failure())

    def count_recorded(self):
        """Return how many decisions are in the record."""
        with open_files.open_all(self.path) as files:
            return sum(1 for each in files for _ in each)

    def list_threads(self):
        """Return the names of the threads of this test that run."""
        return [
            thread.name for thread in threading.enumerate()
            if thread.name.startswith('nova-ext')
            and thread not in self.others
        ]

    def assert_nothing_lost(self):
        """Check that no warning says so; other tests' threads may log."""
        for text in 'cut off', 'lacks', 'after an error', 'did not':
            self.assertNotIn(text, self.log.output)

    def test_limits(self):
        """They fit into the time that Nova 34 keeps."""
        self.assertLess(
            shutdown.THREADS_S + shutdown.DIAGNOSIS_S + 2 * shutdown.WRITE_S,
            20,
        )

    def test_order(self):
        """What a last request of the RPC server records is written, too."""
        serving = shutdown.stop_serving(self.server)
        self.assertTrue(self.server.stopped.wait(PATIENCE_S))
        self.limit(THREADS_S=PATIENCE_S, WRITE_S=PATIENCE_S)
        ending = threading.Thread(
            target=shutdown.end, args=(serving, None), daemon=True
        )
        ending.start()
        self.record()
        self.server.answered.set()
        ending.join(PATIENCE_S)
        self.assertFalse(ending.is_alive())
        self.assertEqual(['stop', 'wait'], self.server.calls)
        self.assertEqual(1, self.count_recorded())
        self.wait_for_threads()
        self.assert_nothing_lost()

    def wait_for_threads(self):
        """Wait until no thread of this test runs."""
        deadline = time.monotonic() + PATIENCE_S
        while threads := self.list_threads():
            self.assertLess(time.monotonic(), deadline, threads)
            time.sleep(0.01)

    def test_server_that_does_not_end(self):
        """The record is written all the same, within the limit."""
        self.limit(THREADS_S=0.1, WRITE_S=PATIENCE_S)
        self.record()
        shutdown.end(shutdown.stop_serving(self.server), None)
        # It still waits for its request.
        self.assertNotIn('wait', self.server.calls)
        self.assertEqual(1, self.count_recorded())
        self.assertIn(
            'Not ended within 0.1 s, and cut off: nova-ext-rpc-end',
            self.log.output,
        )

    def test_record_that_can_not_be_written(self):
        """What it lacks is counted, within the limit."""
        begun, free = threading.Event(), threading.Event()
        self.addCleanup(free.set)
        append = file.RecordFile.append

        def wait(*args):
            begun.set()
            free.wait(PATIENCE_S)
            append(*args)

        self.patch(file.RecordFile, 'append', wait)
        self.limit(WRITE_S=0.1)
        self.record()
        self.assertTrue(begun.wait(PATIENCE_S))
        for _ in range(2):
            self.record()
        shutdown.end([], None)
        self.assertIn('The record lacks 3 decisions', self.log.output)

    def test_nothing_to_end(self):
        """A master, which has started nothing, ends at once."""
        shutdown.end(shutdown.stop_serving(None), None)
        self.assert_nothing_lost()

    def test_mirror(self):
        """Its threads end, whatever they rest for."""
        self.flags('nova_ext', mirror_refresh_s=3600)
        passed = threading.Event()
        refreshing = RefreshThread(passed.set, lambda: False)
        refreshing.start()
        self.assertTrue(passed.wait(PATIENCE_S))
        self.limit(THREADS_S=PATIENCE_S)
        shutdown.end([], SimpleNamespace(stop=lambda: [refreshing.stop()]))
        self.assertFalse(refreshing._thread.is_alive())

    def test_errors(self):
        """One step that raises keeps no other from its turn."""
        def stop():
            raise OSError('no mirror')

        self.limit(WRITE_S=PATIENCE_S)
        self.record()
        shutdown.end([], SimpleNamespace(stop=stop))
        self.assertIn('no mirror', self.log.output)
        self.assertEqual(1, self.count_recorded())
