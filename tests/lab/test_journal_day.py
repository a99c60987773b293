"""Journal a day of boots, moves and deletions, and decide it again.

Two schedulers of two workers each decide. ``NOVA_EXT_DAY_OPERATIONS`` says how
many operations there are, ``NOVA_EXT_MOVES_SEED`` draws them.
"""

import subprocess
import sys
import time
from pathlib import Path
from typing import ClassVar

import psutil
from testtools import testcase

from nova_ext.lab.configuration import nova_config
from nova_ext.lab.lifecycle import processes
from nova_ext.lab.nova import program
from nova_ext.lab.services import layout
from nova_ext.lab.state import lab_state
from tests.lab import base
from tests.lab.journal_day import SCHEDULERS, WORKERS, JournalDayTestCase

_STARTED = 'Starting to schedule for instances'
_NO_CANDIDATES = 'Got no allocation candidates'


class MirroredDayTest(JournalDayTestCase):
    """Our schedulers decide, from the mirror."""

    settings: ClassVar = {
        **JournalDayTestCase.settings, 'nova_ext.mirror': 'on',
        'nova_ext.mirror_refresh_s': 1,
        'filter_scheduler.shuffle_best_same_weighed_hosts': True,
    }

    @testcase.attr('slow')
    def test_day(self):
        """All requests are in the journal, and almost all are exact."""
        self.wait_for_mirrors()
        self.run_day()
        started = self.count_lines(_STARTED)
        self.wait_until(
            lambda: sum(self.count_decisions().values()) >= started,
            f'{started} decisions in {self.folder}',
        )
        counts = self.count_decisions()
        print(counts, file=sys.stderr)
        self.assertEqual(started, sum(counts.values()))
        self.assertEqual(len(SCHEDULERS) * WORKERS, len(counts))
        said, _ = self.verify()
        self.assertGreaterEqual(said['exact'], 0.95 * started)


class PluginDayTest(JournalDayTestCase):
    """Nova's own schedulers decide."""

    words = (*JournalDayTestCase.words, '--stock')
    settings: ClassVar = {
        **JournalDayTestCase.settings,
        'filter_scheduler.weight_classes': nova_config.WEIGHT_CLASSES,
    }

    def setUp(self):
        """Have two workers in each scheduler: a lab's stock ones have one."""
        super().setUp()
        state = lab_state.load(self.lab_folder)
        self.running = []
        for name in SCHEDULERS:
            old = psutil.Process(state.processes[name].pid)
            old.terminate()
            old.wait(120)
            self.running.append(self.start(name, state))
            self.addCleanup(self.end, self.running[-1])
        for name in SCHEDULERS:
            queue = program.queue_name(name)
            self.wait_until(
                lambda queue=queue: program.broker.count_consumers(
                    state, queue
                ) == WORKERS, f'{WORKERS} workers at {queue}',
            )
        # Nova's workers share their master's connections, and read each
        # other's answers, until the services close what is idle.
        time.sleep(90)

    def start(self, name, state):
        """Start a stock scheduler, as the lab does."""
        log = self.lab_folder.log(name).open('ab')
        self.addCleanup(log.close)
        return subprocess.Popen(
            [base.BIN / program.STOCK, '--config-file', str(Path(
                self.lab_folder.configuration('nova'), 'nova.conf'
            ))], env={
                **processes.build_environment(
                    self.lab_folder, layout.find_one(state, name),
                    state.settings,
                ), 'OS_DEFAULT__HOST': name,
                'OS_DEFAULT__EXECUTOR_THREAD_POOL_SIZE': '2',
            }, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True,
        )

    @staticmethod
    def end(process):
        """End a scheduler."""
        process.terminate()
        process.wait(120)

    @testcase.attr('slow')
    def test_day(self):
        """Most requests are in the journal; it says how many are not."""
        self.run_day()
        for process in self.running:
            self.end(process)  # they write what waits
        started = self.count_lines(_STARTED)
        counts = self.count_decisions()
        unseen = started - sum(counts.values())
        print(counts, f'{unseen} of {started} unseen', file=sys.stderr)
        self.assertEqual(len(SCHEDULERS) * WORKERS, len(counts))
        said, counted = self.verify(*(
            f'--log={self.lab_folder.log(name)}' for name in SCHEDULERS
        ))
        self.assertEqual({
            'no_candidates': self.count_lines(_NO_CANDIDATES),
            'others': unseen - self.count_lines(_NO_CANDIDATES),
        }, counted)
        answered = said['exact'] + said['partial']
        self.assertGreaterEqual(answered, 0.8 * started)
