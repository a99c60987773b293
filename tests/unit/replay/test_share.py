"""Decide a share of a journal; Nova's part is replaced by an echo."""

import io
import itertools
import queue
import signal
import sys
import warnings
from pathlib import Path
from unittest import mock

import fixtures
import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import PLACED
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.replayed import Replayed
from nova_ext.replay import share as shares
from nova_ext.replay.selection import Selection, iterate
from nova_ext.replay.share import Setup, Share
from tests.unit.replay import journals


class Echo:
    """Decide as the journal says.

    :ivar watched: by ID, what it was called with.
    """

    def __init__(self):
        self.watched = {}
        self.error = None

    def decide(self, decision, watched):
        """Print, as plugins do, and return the decision."""
        print('deciding')
        self.watched[decision.id] = watched
        if self.error:
            raise self.error
        return Replayed(
            '', decision.id, PLACED, decision.destinations, gaps=['its gap']
        )


class ShareTest(testtools.TestCase):
    """Decide what two files hold."""

    def setUp(self):
        """Keep what a process of its own changes out of other tests."""
        super().setUp()
        self.addCleanup(
            signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT)
        )
        self.enterContext(warnings.catch_warnings())
        self.out = io.StringIO()
        self.useFixture(fixtures.MonkeyPatch('sys.stdout', self.out))
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.paths = [
            journals.write(self.folder, *numbers, host=host)
            for host, numbers in (
                ('one', range(20)), ('two', range(100, 125)),
            )
        ]
        self.echo, self.opened = Echo(), []

        def open_replayer(setup, process):
            self.opened.append((setup, process.host))
            return self.echo, ['gap of the setup']

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.replay.share.make_replayer', open_replayer
        ))

    def run_share(self, number=0, count=1, watched=(), paths=None):
        """Run a share; return what it sends."""
        (identity, _), *_ = iterate(
            JournalReader(self.paths[0]), Selection()
        )
        results = queue.SimpleQueue()
        shares.run(Share(
            paths or self.paths, identity, Selection(), Setup(plugins=['/p']),
            number, count, dict(watched),
        ), results)
        sys.stdout.close()
        sys.stdout = self.out
        return [results.get() for _ in range(results.qsize())]

    def test_batches(self):
        """Some are sent at once; at the end comes nothing more."""
        *batches, end = self.run_share()
        self.assertIsNone(end)
        self.assertEqual([20, 20, 5], [len(batch) for batch in batches])
        first, last = batches[0][0], batches[-1][-1]
        self.assertEqual(
            [(self.paths[0].name, 0), (self.paths[1].name, 124)],
            [(each.source, each.id) for each in (first, last)],
        )
        self.assertEqual([[('a', 'a'), ('b', 'b')]], first.chosen)
        self.assertEqual(('gap of the setup', 'its gap'), first.gaps)
        # One replayer decides all, with what was asked for.
        self.assertEqual([(Setup(plugins=['/p']), 'one')], self.opened)

    def test_numbers(self):
        """Each decision is in one of the shares, and these are even."""
        sent = [
            [each.id for batch in self.run_share(number, 4)[:-1]
             for each in batch] for number in range(4)
        ]
        self.assertEqual(
            [*range(20), *range(100, 125)], sorted(itertools.chain(*sent))
        )
        self.assertEqual({11, 12}, set(map(len, sent)))

    def test_identity(self):
        """Decisions of another configuration are another share's."""
        other = journals.write(
            self.folder, 7, host='three', options={'host': 'x'}
        )
        self.assertEqual([[], None], self.run_share(paths=[other]))
        self.assertEqual([], self.opened)

    def test_watched(self):
        """The hosts are wanted of one decision, of one file."""
        key = self.paths[1].name, 101
        self.run_share(watched={key: [('b', 'b')], ('y', 3): [('c', 'c')]})
        self.assertEqual(
            {101: [('b', 'b')]},
            {number: hosts for number, hosts in self.echo.watched.items()
             if hosts is not None},
        )

    def test_errors(self):
        """Any error is sent as one line, and ends the share."""
        for error, text in (
            (NovaExtError('no filter X'), 'no filter X'),
            (KeyError('a\nb'), 'deciding again failed: KeyError: \'a\\nb\''),
            (ValueError('a\n b'), 'deciding again failed: ValueError: a b'),
        ):
            self.echo.error = error
            self.assertEqual([text], self.run_share())

    def test_process(self):
        """Plugins print nothing, and Ctrl-C is the parent's."""
        self.run_share()
        self.assertEqual(45, len(self.echo.watched))
        self.assertEqual('', self.out.getvalue())
        self.assertIs(signal.SIG_IGN, signal.getsignal(signal.SIGINT))


class NoNovaTest(testtools.TestCase):
    """Have no Nova."""

    def test_no_nova(self):
        """Say what brings it."""
        package = 'nova_ext.scheduler.what_if.replay'
        with mock.patch.dict(sys.modules, {package: None}):
            error = self.assertRaises(
                NovaExtError, shares.make_replayer, Setup(), None
            )
        self.assertIn(
            'pip install \'nova-ext[scheduler]\' brings Nova', str(error)
        )
