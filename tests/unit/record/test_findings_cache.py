"""What workers of a scheduler tell each other of placement's answers."""

import json
import multiprocessing
import os
import stat
import time
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.decision.placement_diagnosis import AskedAgain
from nova_ext.record import findings_cache

WORKERS = 4
PATIENCE_S = 60


class LatelyTest(testtools.TestCase):
    """In one process, with a clock."""

    def setUp(self):
        """Make a folder that goes away."""
        super().setUp()
        self.now = time.time()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.path = folder / 'decisions.jsonl.asked'
        self.asked = 0

    def once(self, about='a', record=None):
        """Ask as another worker would: the number of the question."""
        def ask():
            self.asked += 1
            return AskedAgain('now', about, candidates=self.asked)

        found = findings_cache.Lately(
            self.path.with_name('decisions.jsonl'), 60, lambda: self.now
        ).once(about, ask, record)
        self.assertEqual(about, found.query)
        return found.candidates

    def test_shared(self):
        """Until it is too old; each thing for itself."""
        self.assertEqual(1, self.once())
        self.assertEqual(1, self.once())
        self.assertEqual(2, self.once('b'))
        self.now += 59
        self.assertEqual(1, self.once())
        self.now += 2
        self.assertEqual(3, self.once())
        self.assertEqual({'a'}, set(json.loads(self.path.read_text())))

    def test_clock_set_back(self):
        """A finding of the future does not hold for ever."""
        self.once()
        self.now -= 3600
        self.assertEqual(2, self.once())

    def test_recorded(self):
        """Once, by the first who needs it and can."""
        told = []

        def record(found):
            told.append(found.candidates)
            return len(told) > 1

        for needs in (None, record, record, record, None):
            self.assertEqual(1, self.once(record=needs))
        self.assertEqual([1, 1], told)

    def test_bound(self):
        """However many shapes there are, the newest are kept."""
        for number in range(findings_cache.KEPT + 2):
            self.now += 0.1
            self.once(str(number))
        kept = json.loads(self.path.read_text())
        self.assertEqual(
            {str(number + 2) for number in range(findings_cache.KEPT)}, set(kept)
        )

    def test_mode(self):
        """Owner writes, group reads, others see nothing."""
        self.addCleanup(os.umask, os.umask(0))
        self.once()
        self.assertEqual(0o640, stat.S_IMODE(self.path.stat().st_mode))

    def test_garbage(self):
        """It is asked again, and the file is mended."""
        self.once()
        whole = self.path.read_text()
        for number, broken in enumerate((
            '', '{', '[]', '{"a": 1}', '{"a": {}}', '\0',
            whole.replace('"recorded": false', '"recorded": "no"'),
        ), start=2):
            self.path.write_text(broken)
            self.assertEqual(number, self.once(), broken)
            self.assertEqual(number, self.once(), broken)

    def test_no_folder(self):
        """Each asks for itself, and none is made."""
        self.path = self.path.parent / 'none' / self.path.name
        self.assertEqual([1, 2], [self.once(), self.once()])
        self.assertFalse(self.path.parent.exists())

    def test_folder_of_another_user(self):
        """Nothing is left there that its owner could not open."""
        self.useFixture(fixtures.MonkeyPatch('os.geteuid', lambda: -1))
        self.assertEqual([1, 2], [self.once(), self.once()])
        self.assertEqual([], list(self.path.parent.iterdir()))

    def test_cannot_write(self):
        """What was found is told all the same."""
        self.path.mkdir()
        self.assertEqual([1, 2], [self.once(), self.once()])

    def test_question_fails(self):
        """The next one asks."""
        def ask():
            raise OSError('no placement')

        shared = findings_cache.Lately(self.path.with_name('decisions.jsonl'), 60)
        self.assertRaises(OSError, shared.once, 'a', ask, self.fail)
        self.assertEqual(1, self.once())


class WorkersTest(testtools.TestCase):
    """Real processes, as the lock is theirs."""

    def setUp(self):
        """Make a folder that goes away."""
        super().setUp()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.record = folder / 'decisions.jsonl'
        self.context = multiprocessing.get_context('fork')

    def test_one_at_a_time(self):
        """Of several at once one asks and one records; all are told."""
        answers = self.context.Queue()
        ready = self.context.Barrier(WORKERS)
        workers = [
            self.context.Process(
                target=_work, args=(self.record, ready, answers)
            ) for _ in range(WORKERS)
        ]
        for worker in workers:
            worker.start()
        told = [answers.get(timeout=PATIENCE_S) for _ in workers]
        for worker in workers:
            worker.join()
        askers, recorded = zip(*told, strict=True)
        self.assertEqual(1, len(set(askers)))
        self.assertEqual(1, sum(recorded))

    def test_asks_for_too_long(self):
        """Who waits gives up, and does not ask beside it."""
        asking, done = self.context.Event(), self.context.Event()
        worker = self.context.Process(
            target=_hold, args=(self.record, asking, done)
        )
        worker.start()
        self.addCleanup(worker.join)
        self.addCleanup(done.set)
        self.assertTrue(asking.wait(PATIENCE_S))
        self.useFixture(
            fixtures.MonkeyPatch('nova_ext.record.findings_cache.WAIT_S', 0.1)
        )
        self.assertRaises(
            TimeoutError, findings_cache.Lately(self.record, 60).once, 'a', self.fail,
            None,
        )


def _work(record, ready, answers):
    def ask():
        return AskedAgain('now', str(os.getpid()))

    told = []
    ready.wait(PATIENCE_S)
    found = findings_cache.Lately(record, 60).once(
        'a', ask, lambda found: not told.append(found)
    )
    answers.put((found.query, len(told)))


def _hold(record, asking, done):
    def ask():
        asking.set()
        done.wait(PATIENCE_S)
        return AskedAgain('now', 'a')

    findings_cache.Lately(record, 60).once('a', ask, None)
