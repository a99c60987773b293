"""Share decisions out to processes, and what becomes of these."""

import errno
import multiprocessing
import signal
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.replay import processes
from nova_ext.replay.selection import Selection
from nova_ext.replay.share import Setup, Share
from tests.unit.replay import children, samples


class ProcessesTest(testtools.TestCase):
    """Start processes; one of them may fail."""

    def decide(self, child, count=2, path='/none/x.journal'):
        """Have a function decide in each process."""
        self.reports = []
        before = multiprocessing.active_children()
        try:
            return processes.decide(Share(
                [Path(path)], 'same', Selection(), Setup(), 0, 1, {}
            ), count, self.reports.append, child)
        finally:
            # None is left, not even one that would sleep for ever.
            self.assertEqual(before, multiprocessing.active_children())

    def test_shares(self):
        """Each process has its number; what all of them send is put together.

        It is reported how many decisions were made so far.
        """
        self.assertEqual({
            ('x.journal', number): samples.replayed(
                ('a', '3'), number=number
            ) for number in (0, 1, 10, 11, 20, 21)
        }, self.decide(children.answer, 3))
        self.assertEqual([1, 2, 3, 4, 5, 6], self.reports)

    def test_error(self):
        """The error of one ends all."""
        error = self.assertRaises(
            NovaExtError, self.decide, children.refuse
        )
        self.assertEqual('no filter RackFilter', str(error))

    def test_interrupt(self):
        """An interrupt of all reaches who started them, and ends it."""
        handler = signal.getsignal(signal.SIGINT)
        error = self.assertRaises(
            NovaExtError, self.decide, children.tell_interrupt
        )
        self.assertEqual('SIG_IGN', str(error))
        self.assertIs(handler, signal.getsignal(signal.SIGINT))

    def test_ended(self):
        """One that ends without a word is noticed, with its status."""
        error = self.assertRaises(NovaExtError, self.decide, children.end)
        self.assertIn(
            'a process that decides again ended with status 7', str(error)
        )

    def test_ended_well(self):
        """So is one whose status is 0."""
        error = self.assertRaises(NovaExtError, self.decide, children.end_well)
        self.assertIn(
            'a process that decides again ended with status 0', str(error)
        )

    def test_not_started(self):
        """One that does not start is no output that was closed."""
        def start(child):
            raise BrokenPipeError(errno.EPIPE, 'Broken pipe')

        self.useFixture(fixtures.MonkeyPatch(
            'multiprocessing.context.SpawnProcess.start', start
        ))
        error = self.assertRaises(NovaExtError, self.decide, children.answer)
        self.assertIn(
            'a process that decides again did not start: Broken pipe',
            str(error),
        )

    def test_no_journal(self):
        """What decides says itself that a journal went away."""
        error = self.assertRaises(NovaExtError, self.decide, processes.run)
        self.assertEqual(
            '/none/x.journal: No such file or directory', str(error)
        )

    def test_cores(self):
        """Processors that this process may not use do not count."""
        self.useFixture(fixtures.MonkeyPatch(
            'os.sched_getaffinity', lambda pid: {0, 5, 7}
        ))
        self.assertEqual(3, processes.count_cores())
