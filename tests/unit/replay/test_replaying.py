"""Replay journals: what is decided with which configuration, and verified."""

import io
from dataclasses import replace
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.decision.decision import FAILED
from nova_ext.core.decision.transition import UNVERIFIED, Transition
from nova_ext.journal.replayed import Exactness
from nova_ext.replay import processes, replaying, report
from nova_ext.replay.selection import Selection
from nova_ext.replay.share import Setup
from tests.unit.replay import journals
from tests.unit.replay.samples import (
    ISOLATED,
    A,
    B,
    C,
    evidence,
    replayed,
)

OWN = Setup(plugins=('/p',))


class ReplayingTest(testtools.TestCase):
    """Three decisions, and processes that would decide them again.

    Every setup decides as the journal says, but for ``answers`` by setup and
    decision.
    """

    def setUp(self):
        """Decide in this process, and keep the shares."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.answers, self.shares, self.counts = {}, [], []
        self.progress = Progress(io.StringIO())
        self.details = []
        self.progress.detail = self.details.append

        def decide(share, processes, report):
            self.shares.append(share)
            self.counts.append(processes)
            answers = self.answers.get(share.setup, {})
            if isinstance(answers, NovaExtError):
                raise answers
            names = {path.name for path in share.paths}
            report(1)
            return {
                (source, number): replace(
                    answers.get(number) or replayed(
                        number=number, chosen=[[A, B]], outcome='placed'
                    ), source=source, id=number,
                ) for source, number in self.keys if source in names
            }

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.replay.processes.decide', decide
        ))
        self.keys = []

    def write(self, *numbers, **fields):
        """Write a journal."""
        path = journals.write(self.folder, *numbers, **fields)
        self.keys += [(path.name, number) for number in numbers]

    def replay(self, count=None, **setups):
        """Replay the folder."""
        return replaying.replay(
            [self.folder], Selection(since=0), setups, OWN, self.progress,
            count,
        )

    def test_verified(self):
        """All that comes out as it was is exact, and nothing else is said."""
        self.write(1, 2, 3)
        result = self.replay()
        self.assertEqual([], result.outcomes)
        verification = result.verification
        self.assertEqual(
            dict.fromkeys(self.keys, Exactness.EXACT), verification.exactness
        )
        self.assertEqual(3, verification.count(Exactness.EXACT))
        self.assertEqual(
            ([], [], ''), (verification.differences, verification.others,
                           verification.error),
        )
        (share,) = self.shares
        self.assertEqual(
            (OWN, Selection(since=0), {}),
            (share.setup, share.selection, share.watched),
        )

    def test_differences(self):
        """Exact decisions must not differ; others may, and some must not."""
        self.write(1, 2, 3, 4)
        self.answers[OWN] = {
            1: replayed(B),
            2: replayed(B, equal={0: [A, B]}),
            3: replayed(outcome=FAILED, gaps=['stat x of hosts']),
        }
        verification = self.replay().verification
        self.assertEqual(
            ['exact', 'partial', 'not replayable', 'exact'],
            list(verification.exactness.values()),
        )
        for changes, number in (
            (verification.differences, 1), (verification.others, 2),
        ):
            (change,) = changes
            self.assertEqual(
                (number, Transition.OTHER_HOST, 'a', 'b'),
                (change.original.id, change.transition, change.before,
                 change.after),
            )
        self.assertEqual(
            [[], ['the seed of the draw for server 1, among a, b'],
             ['stat x of hosts'], []],
            list(verification.gaps.values()),
        )

    def test_refused_unseen(self):
        """A claim that was refused may explain what a stock one did."""
        self.write(1, 2, mode='plugin')
        self.answers[OWN] = {
            1: replayed(C, evidence=[evidence()]),
            2: replayed(C, evidence=[evidence(rejected={A: ISOLATED})]),
        }
        verification = self.replay().verification
        first, second = self.keys
        self.assertEqual(
            {first: Exactness.PARTIAL, second: Exactness.EXACT},
            verification.exactness,
        )
        self.assertEqual(
            ['whether placement refused a claim'], verification.gaps[first]
        )
        self.assertEqual([1], [
            each.original.id for each in verification.others
        ])
        self.assertEqual([2], [
            each.original.id for each in verification.differences
        ])

    def test_watched(self):
        """Verdicts are wanted on the hosts of decisions that change."""
        self.write(1, 2, 3)
        new, other = Setup(('/new',)), Setup(('/other',))
        none = replayed(evidence=[evidence(
            rejected={A: ISOLATED}, ended=ISOLATED,
        )])
        self.answers = {
            new: {2: replayed(B), 3: none}, other: {2: replayed(C)},
            OWN: {2: replayed(A, evidence=[
                evidence(rejected={B: ISOLATED}),
            ])},
        }
        result = self.replay(new=new, other=other)
        *changed, verified = self.shares
        self.assertEqual(
            [new, other, OWN], [share.setup for share in self.shares]
        )
        self.assertEqual([{}, {}], [share.watched for share in changed])
        _, second, third = self.keys
        self.assertEqual(
            {second: (B, A, C), third: (A,)}, verified.watched
        )
        # What the own configuration says of these hosts is the cause.
        self.assertEqual({
            'new': ['same', 'host → other host', 'placed → none'],
            'other': ['same', 'host → other host', 'same'],
        }, {
            outcome.name: [change.transition for change in outcome.changes]
            for outcome in result.outcomes
        })
        change = result.outcomes[0].changes[1]
        self.assertEqual(
            'no longer isolated (IsolatedHostsFilter)', change.cause.text
        )

    def test_some_not_verified(self):
        """A configuration that fails leaves the decisions of others."""
        self.write(1, 2)
        path = journals.write(self.folder, 3, host='x', options={'host': 'x'})
        self.keys.append((path.name, 3))
        failing = {str(path)}

        def decide(share, *_, decide=processes.decide):
            if failing & {str(each) for each in share.paths}:
                raise NovaExtError('no filter RackFilter')
            return decide(share, *_)

        self.useFixture(
            fixtures.MonkeyPatch('nova_ext.replay.processes.decide', decide)
        )
        result = self.replay()
        self.assertEqual(self.keys[:2], list(result.verification.exactness))
        self.assertEqual(
            [f'{path} can\'t be decided again: no filter RackFilter'],
            result.failures,
        )
        self.assertEqual(UNVERIFIED, report.get_exit_status(result))

    def test_not_verified(self):
        """An own configuration that fails leaves the others' answers."""
        self.write(1, 2)
        new = Setup(('/new',))
        self.answers = {
            new: {2: replayed(B)}, OWN: NovaExtError('no filter RackFilter'),
        }
        result = self.replay(new=new)
        self.assertEqual('no filter RackFilter', result.verification.error)
        self.assertEqual({}, result.verification.exactness)
        (outcome,) = result.outcomes
        self.assertEqual(['same', 'host → other host'], [
            change.transition for change in outcome.changes
        ])
        # Alone it is an error.
        self.assertRaises(NovaExtError, self.replay)

    def test_wrong_configuration(self):
        """A configuration that fails ends the replay, unverified."""
        self.write(1)
        new = Setup(('/new',))
        self.answers[new] = NovaExtError('/new: no filter RackFilter')
        error = self.assertRaises(NovaExtError, self.replay, new=new)
        self.assertEqual('/new: no filter RackFilter', str(error))
        self.assertEqual(1, len(self.shares))

    def test_groups(self):
        """Each recorded configuration decides its own files, in shares."""
        self.write(1, 2)
        self.write(3, host='ctl-2')
        self.write(4, 5, host='ctl-3', options={'host': 'x'})
        result = self.replay()
        self.assertEqual(5, result.verification.count(Exactness.EXACT))
        first, second = self.shares
        self.assertNotEqual(first.identity, second.identity)
        self.assertEqual([2, 1], [
            len(share.paths) for share in self.shares
        ])
        # What came before counts, too.
        self.assertEqual(['1 of 5', '4 of 5'], self.details)

    def test_processes(self):
        """There are no more than decisions, nor than are asked for."""
        self.write(1, 2, 3)
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.replay.processes.count_cores', lambda: 2
        ))
        for count, started in ((None, 2), (1, 1), (9, 3)):
            self.counts.clear()
            self.replay(count)
            self.assertEqual([started], self.counts)
