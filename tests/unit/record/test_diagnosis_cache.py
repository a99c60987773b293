"""Test how workers of a scheduler share diagnoses."""

import json
import multiprocessing
import os
import stat
import time

import fixtures

from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.record.diagnosis_cache import MAX_DIAGNOSES, DiagnosisCache
from tests.unit.record import samples

WORKERS = 4
PATIENCE_S = 60


class CacheTest(samples.RecordTestCase):
    """Use the cache in one process, with a clock."""

    def setUp(self):
        """Begin now."""
        super().setUp()
        self.now = time.time()
        self.record = self.path
        self.path = self.folder / 'decisions.jsonl.asked'
        self.count = 0

    def ask(self, about='a', record=None):
        """Ask as another worker would; return the number of the question."""
        def ask():
            self.count += 1
            return PlacementDiagnosis('now', about, candidates=self.count)

        cache = DiagnosisCache(self.record, 60, lambda: self.now)
        diagnosis = cache.get_or_ask(about, ask, record)
        self.assertEqual(about, diagnosis.query)
        return diagnosis.candidates

    def test_shared(self):
        """Share a diagnosis by its key, until it is too old."""
        self.assertEqual(1, self.ask())
        self.assertEqual(1, self.ask())
        self.assertEqual(2, self.ask('b'))
        self.now += 59
        self.assertEqual(1, self.ask())
        self.now += 2
        self.assertEqual(3, self.ask())
        self.assertEqual({'a'}, set(json.loads(self.path.read_text())))

    def test_clock_set_back(self):
        """Drop a diagnosis of the future."""
        self.ask()
        self.now -= 3600
        self.assertEqual(2, self.ask())

    def test_recorded(self):
        """Record a diagnosis once, by the first who needs it and can."""
        recorded = []

        def record(found):
            recorded.append(found.candidates)
            return len(recorded) > 1

        for needs in (None, record, record, record, None):
            self.assertEqual(1, self.ask(record=needs))
        self.assertEqual([1, 1], recorded)

    def test_bound(self):
        """Keep the newest, however many keys there are."""
        for number in range(MAX_DIAGNOSES + 2):
            self.now += 0.1
            self.ask(str(number))
        self.assertEqual(
            {str(number + 2) for number in range(MAX_DIAGNOSES)},
            set(json.loads(self.path.read_text())),
        )

    def test_mode(self):
        """Let the owner write and the group read, and nobody else."""
        self.addCleanup(os.umask, os.umask(0))
        self.ask()
        self.assertEqual(0o640, stat.S_IMODE(self.path.stat().st_mode))

    def test_garbage(self):
        """Ask again where the file is damaged, and mend it."""
        self.ask()
        whole = self.path.read_text()
        for number, broken in enumerate((
            '', '{', '[]', '{"a": 1}', '{"a": {}}', '\0',
            whole.replace('"recorded": false', '"recorded": "no"'),
        ), start=2):
            self.path.write_text(broken)
            self.assertEqual(number, self.ask(), broken)
            self.assertEqual(number, self.ask(), broken)

    def test_no_folder(self):
        """Ask each time where the folder is missing; create none."""
        self.record = self.folder / 'none' / 'decisions.jsonl'
        self.assertEqual([1, 2], [self.ask(), self.ask()])
        self.assertFalse(self.record.parent.exists())

    def test_folder_of_another_user(self):
        """Leave no file there that its owner could not open."""
        self.useFixture(fixtures.MonkeyPatch('os.geteuid', lambda: -1))
        self.assertEqual([1, 2], [self.ask(), self.ask()])
        self.assertEqual([], list(self.path.parent.iterdir()))

    def test_cannot_write(self):
        """Answer all the same."""
        self.path.mkdir()
        self.assertEqual([1, 2], [self.ask(), self.ask()])

    def test_question_fails(self):
        """Ask again after a question that failed."""
        def ask():
            raise OSError('no placement')

        shared = DiagnosisCache(self.record, 60)
        self.assertRaises(OSError, shared.get_or_ask, 'a', ask, self.fail)
        self.assertEqual(1, self.ask())


class WorkersTest(samples.RecordTestCase):
    """Use real processes, as the lock is theirs."""

    def setUp(self):
        """Fork."""
        super().setUp()
        self.context = multiprocessing.get_context('fork')

    def test_one_at_a_time(self):
        """Have one of several workers ask and record; answer all."""
        answers = self.context.Queue()
        ready = self.context.Barrier(WORKERS)
        workers = [
            self.context.Process(
                target=_work, args=(self.path, ready, answers)
            ) for _ in range(WORKERS)
        ]
        for worker in workers:
            worker.start()
        results = [answers.get(timeout=PATIENCE_S) for _ in workers]
        for worker in workers:
            worker.join()
        askers, recorded = zip(*results, strict=True)
        self.assertEqual(1, len(set(askers)))
        self.assertEqual(1, sum(recorded))

    def test_asks_for_too_long(self):
        """Give up after a while, without a second question."""
        asking, done = self.context.Event(), self.context.Event()
        worker = self.context.Process(
            target=_hold, args=(self.path, asking, done)
        )
        worker.start()
        self.addCleanup(worker.join)
        self.addCleanup(done.set)
        self.assertTrue(asking.wait(PATIENCE_S))
        self.useFixture(
            fixtures.MonkeyPatch('nova_ext.record.diagnosis_cache.WAIT_S', 0.1)
        )
        self.assertRaises(
            TimeoutError, DiagnosisCache(self.path, 60).get_or_ask, 'a',
            self.fail, None,
        )


def _work(record, ready, answers):
    def ask():
        return PlacementDiagnosis('now', str(os.getpid()))

    recorded = []
    ready.wait(PATIENCE_S)
    found = DiagnosisCache(record, 60).get_or_ask(
        'a', ask, lambda found: not recorded.append(found)
    )
    answers.put((found.query, len(recorded)))


def _hold(record, asking, done):
    def ask():
        asking.set()
        done.wait(PATIENCE_S)
        return PlacementDiagnosis('now', 'a')

    DiagnosisCache(record, 60).get_or_ask('a', ask, None)
