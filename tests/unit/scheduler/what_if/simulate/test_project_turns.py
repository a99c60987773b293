"""Share one turn among projects."""

import threading
import time

import testtools

from nova_ext.core.base.scheduling_errors import BusyError
from nova_ext.scheduler.what_if.simulate import project_turns

#: Longer than any test takes.
LONG_S = 60


class ProjectTurnsTest(testtools.TestCase):
    """Hold a turn while others wait."""

    def setUp(self):
        """Keep the order in which turns are taken."""
        super().setUp()
        self.boots = 0
        self.turns = project_turns.ProjectTurns(lambda: self.boots, 6, 3)
        self.taken = []

    def wait(self, project):
        """Wait for a turn in a thread, and return it once it waits."""
        def run():
            with self.turns.take(project, LONG_S):
                self.taken.append(project)

        before = self.count()
        thread = threading.Thread(target=run)
        thread.start()
        self.addCleanup(thread.join, LONG_S)
        deadline = time.monotonic() + LONG_S
        while self.count() == before:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)
        return thread

    def count(self):
        """Return how many wait."""
        return sum(map(len, self.turns._queues.values()))

    def refused(self, project, at_most_s=LONG_S):
        """Assert that a project is refused a turn."""
        self.assertRaises(
            BusyError, self.turns.take(project, at_most_s).__enter__
        )

    def test_rotation(self):
        """Let each other project have a turn before a second one."""
        with self.turns.take('greedy', LONG_S):
            threads = [self.wait(one) for one in (
                'greedy', 'greedy', 'greedy', 'other', None, 'other',
            )]
        for thread in threads:
            thread.join(LONG_S)
        self.assertEqual(
            ['other', None, 'greedy', 'other', 'greedy', 'greedy'], self.taken
        )

    def test_bounds(self):
        """Refuse one project early, and all when too many wait."""
        with self.turns.take('greedy', LONG_S):
            for _ in range(3):
                self.wait('greedy')
            self.refused('greedy')
            for _ in range(3):
                self.wait('other')
            self.refused('third')

    def test_too_long(self):
        """Refuse one that has waited too long, and go on."""
        with self.turns.take('one', LONG_S):
            self.refused('two', 0.01)
        with self.turns.take('two', LONG_S):
            pass

    def test_share(self):
        """Pause for as long as a turn took, if boots came in it."""
        began = time.monotonic()
        with self.turns.take('one', LONG_S):
            time.sleep(0.3)
            self.boots += 1
        with self.turns.take('two', LONG_S):
            took_s = time.monotonic() - began
        self.assertGreater(took_s, 0.3 / project_turns.SHARE - 0.01)

    def test_error(self):
        """Give a turn back that ends in an error."""
        with (
            testtools.ExpectedException(KeyError),
            self.turns.take('one', LONG_S),
        ):
            raise KeyError
        with self.turns.take('one', LONG_S):
            pass
