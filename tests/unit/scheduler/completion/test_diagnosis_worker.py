"""Ask placement no more often than allowed, and never too early."""

import datetime
import queue
import threading
import time
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.scheduler.completion import diagnosis_worker, placement_probe

#: Seconds that nothing takes, however busy the machine is.
PATIENCE_S = 120


def placement(query, offered='x'):
    """Return placement's answer to a query."""
    return d.Placement(query, 0, offered=offered)


def diagnose(worker, about, timeout_s):
    """Ask for a diagnosis when its turn comes."""
    return worker.diagnose(about, timeout_s, at_once=False)


class DiagnosisWorkerTest(testtools.TestCase):
    """Use a placement that answers when it may."""

    def setUp(self):
        """Keep queries and recorded diagnoses."""
        super().setUp()
        self.asked, self.recorded = queue.Queue(), queue.Queue()
        self.answer = threading.Event()
        self.answer.set()

        def diagnose(query, offered):
            self.asked.put((query, set(offered)))
            if 'broken' in query:
                raise OSError('no placement')
            self.answer.wait(PATIENCE_S)
            return PlacementDiagnosis('2026-11-21T12:00:00Z', query)

        self.useFixture(fixtures.MonkeyPatch(
            f'{placement_probe.__name__}.diagnose', diagnose
        ))
        self.addCleanup(self.answer.set)
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.record = Path(
            self.useFixture(fixtures.TempDir()).join('decisions.jsonl')
        )

    def start(self, *queries, every_s=60.0):
        """Start a worker, and submit queries."""
        worker = diagnosis_worker.DiagnosisWorker(
            self.write, self.record, every_s
        )
        # Or it asks amid another test.
        self.addCleanup(worker.stop)
        for query in queries:
            worker.submit(placement(query))
        return worker

    def write(self, diagnosis):
        """Record a diagnosis."""
        self.recorded.put(diagnosis)
        return True

    def next(self):
        """Return the query that is recorded next."""
        return self.recorded.get(timeout=PATIENCE_S).query

    def test_each_query(self):
        """Ask about another query at once."""
        self.start('a', 'b')
        self.assertEqual(['a', 'b'], [self.next(), self.next()])

    def test_next_turn(self):
        """Ask again for a decision that came later, when it may."""
        worker = self.start('a', every_s=0.5)
        self.assertEqual('a', self.next())
        for _ in range(3):
            worker.submit(placement('a'))
        self.assertEqual('a', self.next())
        self.start('b')
        self.assertEqual('b', self.next())
        self.assertEqual(3, self.asked.qsize())

    def test_not_its_turn(self):
        """Ask nothing meanwhile, and let others by."""
        worker = self.start('a')
        self.assertEqual('a', self.next())
        worker.submit(placement('a'))
        worker.submit(placement('b'))
        self.assertEqual('b', self.next())
        self.assertEqual(2, self.asked.qsize())

    def test_begun(self):
        """What is asked already says nothing about a later decision."""
        self.answer.clear()
        worker = self.start('a', every_s=0.5)
        self.asked.get(timeout=PATIENCE_S)
        worker.submit(placement('a', 'y'))
        self.answer.set()
        self.assertEqual(
            ('a', {'y'}), self.asked.get(timeout=PATIENCE_S)
        )

    def test_one_at_a_time(self):
        """Decisions that wait share one answer."""
        self.answer.clear()
        worker = self.start('a')
        self.asked.get(timeout=PATIENCE_S)
        for offered in 'xyy':
            worker.submit(placement('b', offered))
        self.assertTrue(self.asked.empty())
        self.answer.set()
        self.assertEqual(
            ('b', {'x', 'y'}), self.asked.get(timeout=PATIENCE_S)
        )
        self.assertEqual(['a', 'b'], [self.next(), self.next()])

    def test_waiting(self):
        """Return the diagnosis to a caller, and record none."""
        worker = self.start()
        diagnosis = diagnose(worker, placement('a'), PATIENCE_S)
        self.assertEqual('a', diagnosis.query)
        self.assertTrue(self.recorded.empty())
        self.assertIsNone(diagnose(worker, placement('a'), 0.1))
        self.assertEqual(1, self.asked.qsize())
        at_once = worker.diagnose(placement('a'), PATIENCE_S, at_once=True)
        self.assertIsNot(diagnosis, at_once)
        self.assertEqual('a', at_once.query)

    def test_past(self):
        """Ask at once about an old answer, and again of a newer decision."""
        worker = self.start('a')
        self.next()
        before, after = (
            datetime.datetime.fromisoformat(f'{day}T12:00:00Z')
            for day in ('2026-11-20', '2026-11-22')
        )
        for offered, ended in (
            ('x', before), ('y', before), ('y', before), ('y', after),
        ):
            self.assertEqual('a', worker.diagnose_past(
                'a', offered, ended, PATIENCE_S
            ).query)
        self.assertEqual(
            [('a', {'x'}), ('a', {'y'}), ('a', {'y'})],
            [self.asked.get_nowait() for _ in range(self.asked.qsize())],
        )
        self.assertTrue(self.recorded.empty())

    def test_failing(self):
        """Log it, and go on."""
        worker = self.start('broken')
        worker.submit(placement('a'))
        self.assertEqual('a', self.next())
        self.assertIn('OSError: no placement', self.log.output)
        self.assertIsNone(
            diagnose(worker, placement('broken too'), PATIENCE_S)
        )

    def test_many(self):
        """Leave out those that find too many waiting."""
        self.answer.clear()
        worker = self.start('first')
        self.asked.get(timeout=PATIENCE_S)
        for n in range(2 * diagnosis_worker.MAX_WAITING):
            worker.submit(placement(f'q{n}'))
        self.assertIsNone(diagnose(worker, placement('last'), PATIENCE_S))
        self.answer.set()
        for _ in range(1 + diagnosis_worker.MAX_WAITING):
            self.next()
        worker.submit(placement('again'))
        self.assertEqual('again', self.next())

    def test_stop(self):
        """Drop what waits, free who waits for it, and begin again."""
        self.answer.clear()
        worker = self.start('a')
        self.asked.get(timeout=PATIENCE_S)
        answers = queue.Queue()
        caller = threading.Thread(target=lambda: answers.put(
            diagnose(worker, placement('b'), 10 * PATIENCE_S)
        ))
        caller.start()
        deadline = time.monotonic() + PATIENCE_S
        while 'b' not in worker._waiting:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        (thread,) = worker.stop()
        self.assertIsNone(answers.get(timeout=PATIENCE_S))
        caller.join()
        self.assertTrue(thread.is_alive())
        self.answer.set()
        self.assertEqual('a', self.next())
        thread.join(PATIENCE_S)
        self.assertFalse(thread.is_alive())
        self.assertTrue(self.asked.empty())
        self.assertEqual([], worker.stop())
        worker.submit(placement('c'))
        self.assertEqual('c', self.next())

    def test_stop_amid_a_turn(self):
        """The thread ends at once, however long it was to wait."""
        worker = self.start('a', every_s=3600)
        self.assertEqual('a', self.next())
        worker.submit(placement('a'))
        (thread,) = worker.stop()
        thread.join(PATIENCE_S)
        self.assertFalse(thread.is_alive())

    def test_off(self):
        """Ask nothing."""
        worker = self.start('a', every_s=0)
        self.assertIsNone(diagnose(worker, placement('b'), PATIENCE_S))
        self.assertTrue(self.asked.empty())
