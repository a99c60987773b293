"""End schedulers amid boots, and read what they have written."""

import json
import subprocess
import time

import psutil

from nova_ext.journal.reader import JournalReader
from nova_ext.journal.writer import list_files
from nova_ext.lab.configuration import broker
from nova_ext.lab.lifecycle import processes
from nova_ext.lab.nova import program
from nova_ext.lab.services import layout, servers
from nova_ext.lab.state import lab_state, paths
from tests.lab import base

#: Requests that are held when SIGTERM comes; a worker has more threads.
BOOTS = 6
SERVICE = 'scheduler-1'
#: Seconds in which a scheduler has ended: Nova's limit, and some for a busy
#: machine to notice it.
GRACEFUL_S, SLACK_S = 180, 60
#: Holds requests until the test opens it, but no longer than a conductor
#: waits.
GATE = '''
import os
import threading
import time
from pathlib import Path

from nova_ext.plugin import PASS, Filter
from nova_ext.scheduler import shutdown
from nova_ext.scheduler.plugins.plugin_mode import open_requests

FOLDER = Path({folder!r})
# On a busy machine the limits pass before the disk is asked.
shutdown.THREADS_S = shutdown.WRITE_S = open_requests.EXIT_S = 30


class GateFilter(Filter):
    def check(self, host, request):
        held = FOLDER / f'{{os.getpid()}}-{{threading.get_ident()}}.held'
        held.touch()
        ends = time.monotonic() + 150
        while not (FOLDER / 'open').exists() and time.monotonic() < ends:
            time.sleep(0.05)
        held.unlink()
        return PASS
'''


class SchedulerEndsTest(base.RabbitTestCase):
    """Run a scheduler that holds all requests, in place of the lab's."""

    up = None

    @classmethod
    def setUpClass(cls):
        """Bring a lab up, and end its scheduler."""
        super().setUpClass()
        cls.folder = cls.home / 'gate'
        cls.folder.mkdir()
        gate = cls.home / 'gate.py'
        gate.write_text(GATE.format(folder=str(cls.folder)))
        cls.lab(
            'up', '--broker', 'rabbit', '--computes', 'one', 'two', 'three',
            '--set', f'nova_ext.plugin_files={gate}',
            '--set', 'filter_scheduler.enabled_filters=ComputeFilter,'
            'GateFilter',
            '--set', 'nova_ext.journal=True',
            '--set', f'DEFAULT.graceful_shutdown_timeout={GRACEFUL_S}',
        )
        running = lab_state.load(paths.find('default')).processes
        first = psutil.Process(running[SERVICE].pid)
        first.terminate()
        first.wait(GRACEFUL_S + SLACK_S)

    def setUp(self):
        """Have a folder for the record and the journal."""
        super().setUp()
        self.written = self.home / self.id()
        self.written.mkdir()
        self.log = self.written / 'log'
        (self.folder / 'open').unlink(missing_ok=True)

    def start(self, command, workers=1):
        """Start a scheduler, and wait until it serves."""
        lab = paths.find('default')
        state = self.state()
        with self.log.open('ab') as log:
            scheduler = subprocess.Popen(
                [base.BIN / command, '--config-file', str(self.nova_conf())],
                env={
                    **processes.build_environment(
                        lab, layout.find_one(state, SERVICE), state.settings
                    ),
                    'OS_DEFAULT__HOST': SERVICE,
                    'OS_DEFAULT__EXECUTOR_THREAD_POOL_SIZE': str(2 * BOOTS),
                    # Nova 31 does not know it, Nova 33 sleeps so long.
                    'OS_DEFAULT__MANAGER_SHUTDOWN_TIMEOUT': '90',
                    'OS_SCHEDULER__WORKERS': str(workers),
                    'OS_NOVA_EXT_RECORD__FILE': str(self.written / 'record'),
                    'OS_NOVA_EXT_JOURNAL__DIRECTORY': str(self.written),
                },
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )
        self.addCleanup(scheduler.wait)
        self.addCleanup(scheduler.kill)
        self.wait_until(
            lambda: self.count_consumers() == workers, self.deadline_s
        )
        return scheduler

    def count_consumers(self):
        """Return how many workers take messages."""
        return broker.count_consumers(
            self.state(), program.queue_name(SERVICE)
        )

    def ask(self):
        """Ask for a server, and return its id."""
        image = servers.find_image(self.cloud(), servers.IMAGE)
        return self.cloud().compute.post('/servers', json={'server': {
            'name': 'ends', 'flavorRef': '1', 'networks': 'none',
            'imageRef': image['id'],
        }}).json()['server']['id']

    def end_amid_boots(self, command, workers=1):
        """End a scheduler while it has requests in hand.

        :returns: the servers of these requests.
        """
        scheduler = self.start(command, workers)
        tree = psutil.Process(scheduler.pid).children(recursive=True)
        asked = [self.ask() for _ in range(BOOTS)]
        self.wait_until(
            lambda: len(list(self.folder.glob('*.held'))) == BOOTS,
            self.deadline_s,
        )
        scheduler.terminate()
        self.wait_for_end_to_begin()
        (self.folder / 'open').touch()
        self.assertEqual(0, scheduler.wait(GRACEFUL_S + SLACK_S))
        self.assert_gone(tree, {})
        log = self.log.read_text()
        for text in ('timeout exceeded', 'cut off', 'lacks'):
            self.assertNotIn(text, log)
        return asked

    def wait_for_end_to_begin(self):
        """Wait until a scheduler's log says that it ends; Nova 31's may not.

        Where it takes longer, the requests end before: no harm is done.
        """
        ends = time.monotonic() + 10
        while time.monotonic() < ends and 'SIGTERM' not in (
            self.log.read_text()
        ):
            time.sleep(0.1)

    def assert_recorded(self, asked):
        """Check that all were answered, and that each is on disk once."""
        self.assertEqual(['ACTIVE'] * len(asked), [
            servers.wait_until_built(self.cloud(), server)['status']
            for server in asked
        ])
        lines = (self.written / 'record').read_bytes().splitlines(True)
        self.assertEqual([], [
            line for line in lines if not line.endswith(b'\n')
        ])
        self.assertEqual(sorted(asked), sorted(
            server for line in lines for server in json.loads(line)['servers']
        ))
        journaled = []
        for path in list_files(self.written):
            reader = JournalReader(path)
            journaled += [
                server for decision in reader for server in decision.servers
            ]
            self.assertEqual(([], []), (list(reader.damage), reader.losses))
        self.assertEqual(sorted(asked), sorted(journaled))

    def test_ours(self):
        """All that nova-ext-scheduler answered is written."""
        self.assert_recorded(self.end_amid_boots(program.OURS, 2))

    def test_stock(self):
        """And all that a stock nova-scheduler answered."""
        self.assert_recorded(self.end_amid_boots(program.STOCK))
