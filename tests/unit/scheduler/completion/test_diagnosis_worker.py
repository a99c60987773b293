"""Ask placement again no more often than allowed."""

import queue
import threading
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.decision.decision import PlacementDiagnosis
from nova_ext.scheduler.completion import diagnosis_worker, placement_probe

PATIENCE_S = 30


def offering(query, candidates=0):
    """Return placement's answer to a query."""
    return d.Placement(query, candidates, candidates)


class DiagnosisWorkerTest(testtools.TestCase):
    """Use a placement that answers when it may."""

    def setUp(self):
        """Keep queries and recorded diagnoses."""
        super().setUp()
        self.queries, self.recorded = queue.Queue(), queue.Queue()
        self.answer = threading.Event()
        self.answer.set()

        def diagnose(query):
            self.assertNotIn('limit', query)
            self.queries.put(query)
            if 'broken' in query:
                raise OSError('no placement')
            self.answer.wait(PATIENCE_S)
            return PlacementDiagnosis('now', query)

        self.useFixture(fixtures.MonkeyPatch(
            f'{placement_probe.__name__}.find_unmet_demands', diagnose
        ))
        self.log = self.useFixture(fixtures.FakeLogger())
        self.record = Path(
            self.useFixture(fixtures.TempDir()).join('decisions.jsonl')
        )

    def start(self, *queries, every_s=60):
        """Start a worker, and submit queries."""
        worker = diagnosis_worker.DiagnosisWorker(
            self.write, self.record, every_s
        )
        for query in queries:
            worker.submit(offering(query))
        return worker

    def write(self, diagnosis):
        """Record a diagnosis."""
        self.recorded.put(diagnosis)
        return True

    def next(self):
        """Return the query that is recorded next."""
        return self.recorded.get(timeout=PATIENCE_S).query

    def test_once_a_shape(self):
        """Diagnose a shape once, whatever the limit; another one at once."""
        self.start('limit=1&resources=A%3A1', 'limit=2&resources=A%3A1',
                 'resources=B%3A1')
        self.assertEqual('resources=A%3A1', self.next())
        self.assertEqual('resources=B%3A1', self.next())
        self.assertEqual(2, self.queries.qsize())

    def test_waiting(self):
        """Return to a waiting caller what was diagnosed before."""
        worker = self.start('resources=A%3A1')
        for limit in (1, 2):
            diagnosis = worker.diagnose(
                offering(f'limit={limit}&resources=A%3A1'), PATIENCE_S
            )
            self.assertEqual('resources=A%3A1', diagnosis.query)
        self.assertEqual(1, self.queries.qsize())
        self.assertEqual('resources=A%3A1', self.next())

    def test_recorded_later(self):
        """Record a simulation's diagnosis once a request needs it."""
        worker = self.start()
        diagnosis = worker.diagnose(
            offering('resources=A%3A1'), PATIENCE_S
        )
        self.assertTrue(self.recorded.empty())
        for _ in range(2):
            worker.submit(offering('resources=A%3A1'))
        self.assertEqual(diagnosis, self.recorded.get(timeout=PATIENCE_S))
        self.assertTrue(self.recorded.empty())
        self.assertEqual(1, self.queries.qsize())

    def test_timeout(self):
        """Wait no longer than allowed, nor where nothing is asked."""
        self.answer.clear()
        worker = self.start()
        self.assertIsNone(worker.diagnose(offering('resources=A%3A1'), 0.01))
        self.answer.set()
        never = self.start(every_s=0)
        self.assertIsNone(
            never.diagnose(offering('resources=A%3A1'), PATIENCE_S)
        )
        self.assertIsNone(never._thread)

    def test_again_when_time_is_up(self):
        """Diagnose the same shape anew."""
        worker = self.start('resources=A%3A1', every_s=1e-9)
        worker.submit(offering('resources=A%3A1'))
        self.assertEqual(self.next(), self.next())

    def test_never(self):
        """Ask nothing with 0."""
        worker = self.start('resources=A%3A1', every_s=0)
        self.assertIsNone(worker._thread)

    def test_one_at_a_time(self):
        """Have others wait; leave out too many; delay nobody."""
        self.answer.clear()
        worker = self.start('resources=A%3A1')
        self.queries.get(timeout=PATIENCE_S)  # it is being answered
        most = diagnosis_worker.MAX_WAITING
        shapes = [f'resources=B%3A{n}' for n in range(3 * most)]
        for shape in shapes:
            worker.submit(offering(shape))
        self.assertTrue(self.queries.empty())
        self.answer.set()
        self.assertEqual(
            ['resources=A%3A1', *shapes[:most]],
            [self.next() for _ in range(most + 1)],
        )

    def test_placement_fails(self):
        """Log the failure and go on; let nobody wait."""
        worker = self.start('resources=broken%3A1', 'resources=A%3A1')
        self.assertEqual('resources=A%3A1', self.next())
        self.assertIn('could not be asked again', self.log.output)
        self.assertIsNone(
            worker.diagnose(offering('resources=broken%3A1'), PATIENCE_S)
        )

    def test_limit(self):
        """Diagnose what the limit cut off as a query of its own."""
        self.useFixture(fixtures.MonkeyPatch(
            f'{placement_probe.__name__}.find_candidate_hosts',
            lambda query: PlacementDiagnosis('now', query, candidates=7),
        ))
        worker = self.start('limit=2&resources=A%3A1')
        self.assertEqual('resources=A%3A1', self.next())
        worker.submit(offering('limit=2&resources=A%3A1', candidates=2))
        self.assertEqual(7, self.recorded.get(timeout=PATIENCE_S).candidates)
        self.assertEqual(1, self.queries.qsize())

    def test_other_workers(self):
        """Use what another worker has diagnosed and recorded."""
        first = self.start('resources=A%3A1')
        first.diagnose(offering('resources=A%3A1'), PATIENCE_S)
        self.next()
        other = self.start('resources=A%3A1', 'resources=B%3A1')
        self.assertEqual('resources=B%3A1', self.next())
        self.assertEqual('resources=A%3A1', other.diagnose(
            offering('resources=A%3A1'), PATIENCE_S
        ).query)
        self.assertEqual(2, self.queries.qsize())
        self.assertTrue(self.recorded.empty())
