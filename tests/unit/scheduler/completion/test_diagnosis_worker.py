"""How often placement is asked again."""

import queue
import threading
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.decision import decision as d
from nova_ext.core.decision.placement_diagnosis import AskedAgain
from nova_ext.scheduler.completion import diagnosis_worker

PATIENCE_S = 30


def offering(query, candidates=0):
    """Placement's answer to a query."""
    return d.Placement(query, candidates, candidates)


class AskingTest(testtools.TestCase):
    """With a placement that answers when it is told to."""

    def setUp(self):
        """Keep what is asked and told."""
        super().setUp()
        self.asked, self.told = queue.Queue(), queue.Queue()
        self.answer = threading.Event()
        self.answer.set()

        def find_out(query):
            self.assertNotIn('limit', query)
            self.asked.put(query)
            if 'broken' in query:
                raise OSError('no placement')
            self.answer.wait(PATIENCE_S)
            return AskedAgain('now', query)

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.completion.placement_probe.demands', find_out
        ))
        self.log = self.useFixture(fixtures.FakeLogger())
        self.record = Path(
            self.useFixture(fixtures.TempDir()).join('decisions.jsonl')
        )

    def ask(self, *queries, every_s=60):
        """Ask about queries, and then about one more."""
        made = diagnosis_worker.Asking(self.tell, self.record, every_s)
        for query in queries:
            made.about(offering(query))
        return made

    def tell(self, found):
        """Take what was found, if it may be recorded."""
        self.told.put(found)
        return True

    def next(self):
        """The query that something is told of next."""
        return self.told.get(timeout=PATIENCE_S).query

    def test_once_a_shape(self):
        """Whatever the limit; another shape is asked about at once."""
        self.ask('limit=1&resources=A%3A1', 'limit=2&resources=A%3A1',
                 'resources=B%3A1')
        self.assertEqual('resources=A%3A1', self.next())
        self.assertEqual('resources=B%3A1', self.next())
        self.assertEqual(2, self.asked.qsize())

    def test_waiting(self):
        """Who waits is told what was found, though it was asked before."""
        made = self.ask('resources=A%3A1')
        for limit in (1, 2):
            found = made.at_once(
                offering(f'limit={limit}&resources=A%3A1'), PATIENCE_S
            )
            self.assertEqual('resources=A%3A1', found.query)
        self.assertEqual(1, self.asked.qsize())
        self.assertEqual('resources=A%3A1', self.next())

    def test_told_later(self):
        """What is found for who waits is told once a request needs it."""
        made = self.ask()
        found = made.at_once(
            offering('resources=A%3A1'), PATIENCE_S
        )
        self.assertTrue(self.told.empty())
        for _ in range(2):
            made.about(offering('resources=A%3A1'))
        self.assertEqual(found, self.told.get(timeout=PATIENCE_S))
        self.assertTrue(self.told.empty())
        self.assertEqual(1, self.asked.qsize())

    def test_patience(self):
        """Nobody waits longer than told to, nor where nothing is asked."""
        self.answer.clear()
        made = self.ask()
        self.assertIsNone(made.at_once(offering('resources=A%3A1'), 0.01))
        self.answer.set()
        never = self.ask(every_s=0)
        self.assertIsNone(
            never.at_once(offering('resources=A%3A1'), PATIENCE_S)
        )
        self.assertIsNone(never._thread)

    def test_again_when_time_is_up(self):
        """The same shape is asked about anew."""
        made = self.ask('resources=A%3A1', every_s=1e-9)
        made.about(offering('resources=A%3A1'))
        self.assertEqual(self.next(), self.next())

    def test_never(self):
        """0 switches it off."""
        made = self.ask('resources=A%3A1', every_s=0)
        self.assertIsNone(made._thread)

    def test_one_at_a_time(self):
        """Others wait, and too many are left out; nobody is delayed."""
        self.answer.clear()
        made = self.ask('resources=A%3A1')
        self.asked.get(timeout=PATIENCE_S)  # it is being answered
        shapes = [f'resources=B%3A{n}' for n in range(3 * diagnosis_worker.WAITING)]
        for shape in shapes:
            made.about(offering(shape))
        self.assertTrue(self.asked.empty())
        self.answer.set()
        self.assertEqual(
            ['resources=A%3A1', *shapes[:diagnosis_worker.WAITING]],
            [self.next() for _ in range(diagnosis_worker.WAITING + 1)],
        )

    def test_placement_fails(self):
        """It is said, and the next question is asked; nobody waits."""
        made = self.ask('resources=broken%3A1', 'resources=A%3A1')
        self.assertEqual('resources=A%3A1', self.next())
        self.assertIn('could not be asked again', self.log.output)
        self.assertIsNone(
            made.at_once(offering('resources=broken%3A1'), PATIENCE_S)
        )

    def test_limit(self):
        """What it cut off is another question about the same shape."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.completion.placement_probe.more',
            lambda query: AskedAgain('now', query, candidates=7),
        ))
        made = self.ask('limit=2&resources=A%3A1')
        self.assertEqual('resources=A%3A1', self.next())
        made.about(offering('limit=2&resources=A%3A1', candidates=2))
        self.assertEqual(7, self.told.get(timeout=PATIENCE_S).candidates)
        self.assertEqual(1, self.asked.qsize())

    def test_other_workers(self):
        """What one has asked and recorded, no other does."""
        first = self.ask('resources=A%3A1')
        first.at_once(offering('resources=A%3A1'), PATIENCE_S)
        self.next()
        other = self.ask('resources=A%3A1', 'resources=B%3A1')
        self.assertEqual('resources=B%3A1', self.next())
        self.assertEqual('resources=A%3A1', other.at_once(
            offering('resources=A%3A1'), PATIENCE_S
        ).query)
        self.assertEqual(2, self.asked.qsize())
        self.assertTrue(self.told.empty())
