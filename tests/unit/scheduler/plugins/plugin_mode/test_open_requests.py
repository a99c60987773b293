"""Record what ends last, however the process ends."""

import importlib.util
import subprocess
import sys
import time
from pathlib import Path

import fixtures
import testtools

from nova_ext.record import open_files
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.plugins.plugin_mode import open_requests
from tests.unit.record import samples
from tests.unit.scheduler import configured

#: Seconds that nothing takes, however busy the machine is.
PATIENCE_S = 300
#: Ends a process with a request that has just ended, before any thread has
#: closed it.
_END = f'''
import sys
from {__name__} import Request, open_requests, recorder, schedule
from nova_ext.scheduler.base import options
options.register_all()
options.CONF([], default_config_files=[])
options.CONF.set_override('file', sys.argv[1], 'nova_ext_record')
open_requests._start_watching = lambda: None
open_requests.EXIT_S = {PATIENCE_S}
recorder.get()
schedule(Request())
'''


class Request:
    """Record a decision when it is closed."""

    closed = False

    def __init__(self):
        """Have a request spec."""
        self.spec = object()

    def give_up(self, seconds):
        """Run no plugin."""

    def close(self):
        """Record a decision, once."""
        if not self.closed:
            self.closed = True
            recorder.get().record_whole(samples.failure())


def schedule(request):
    """Run a request as Nova does."""
    def select_destinations(spec_obj):
        open_requests.add(request)

    select_destinations(request.spec)


def count_recorded(path):
    """Return how many decisions are in the record."""
    with open_files.open_all(path) as files:
        return sum(1 for each in files for _ in each)


class OpenRequestsTest(configured.ConfiguredTestCase):
    """End a request, and the process after it."""

    def setUp(self):
        """Record into a file, by a recorder of its own."""
        super().setUp()
        # What watches another test's request would watch this one's, too.
        self.wait_for_all()
        # On a busy machine the two seconds pass before the disk is asked.
        self.patch(open_requests, 'EXIT_S', PATIENCE_S)
        self.path = Path(
            self.useFixture(fixtures.TempDir()).join('decisions.jsonl')
        )
        self.flags('nova_ext_record', enabled=True, file=str(self.path))
        recorder.get.cache_clear()
        self.addCleanup(recorder.get.cache_clear)
        self.addCleanup(lambda: recorder.get().close(PATIENCE_S))
        self.addCleanup(self.wait_for_all)

    def wait_for_all(self):
        """Wait until none is watched any more."""
        deadline = time.monotonic() + PATIENCE_S
        while open_requests._watching:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    @testtools.skipUnless(
        importlib.util.find_spec('nova.thread_pool_factory'), 'Nova 34 has it'
    )
    def test_end_of_nova(self):
        """Nova waits until it is recorded; what comes later is, too."""
        from nova import thread_pool_factory as pools

        factory = pools.ThreadPoolFactory()
        self.patch(pools, 'FACTORY', factory)
        for count in (1, 2):
            schedule(Request())
            factory.shutdown_all()
            if count == 2:
                self.wait_for_all()
            self.assertEqual(count, count_recorded(self.path))

    def test_end_of_python(self):
        """Python's own end records it."""
        subprocess.run(
            [sys.executable, '-W', 'ignore', '-c', _END, self.path],
            check=True, timeout=PATIENCE_S,
        )
        self.assertEqual(1, count_recorded(self.path))
