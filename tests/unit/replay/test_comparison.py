"""Say what became of a decision, and why."""

import testtools

from nova_ext.core.decision.decision import FAILED
from nova_ext.core.decision.transition import Transition
from nova_ext.journal.replayed import Exactness
from nova_ext.replay import comparison
from tests.unit.replay.samples import (
    ISOLATED,
    A,
    B,
    C,
    evidence,
    original,
    replayed,
)


class CompareTest(testtools.TestCase):
    """Transitions and their causes."""

    def assert_change(self, change, transition, cause, before, after):
        """Assert what became of a decision."""
        self.assertEqual(
            (transition, cause, before, after),
            (change.transition, change.cause.text, change.before,
             change.after),
        )

    def test_filter_rejects(self):
        """The host of then is rejected: no host is left, or another one."""
        said = [evidence(rejected={A: ISOLATED}, ended=ISOLATED)]
        text = 'isolated (IsolatedHostsFilter)'
        self.assert_change(
            comparison.compare(
                original(A), None, replayed(evidence=said)
            ), Transition.PLACED_NONE, text, 'a', '',
        )
        self.assert_change(
            comparison.compare(
                original(A), None, replayed(B, evidence=said)
            ), Transition.OTHER_HOST, text, 'a', 'b',
        )

    def test_filter_passes(self):
        """A host that was rejected then passes now."""
        again = replayed(evidence=[evidence(rejected={B: ISOLATED})])
        self.assert_change(
            comparison.compare(
                original(), again, replayed(B, evidence=[evidence()])
            ), Transition.NONE_PLACED,
            'no longer isolated (IsolatedHostsFilter)', '', 'b',
        )

    def test_later_server(self):
        """What took a host out for an earlier server holds for later ones."""
        said = [evidence(0, rejected={B: ISOLATED}), evidence(1)]
        change = comparison.compare(
            original(A, B), None, replayed(A, C, evidence=said)
        )
        self.assertEqual(1, change.server)
        self.assert_change(
            change, Transition.OTHER_HOST, 'isolated (IsolatedHostsFilter)',
            'b', 'c',
        )

    def test_weigher(self):
        """The weigher is named whose share moved most to the new host."""
        again = replayed(A, evidence=[evidence(weights={
            A: {'RAM': 1.0, 'CPU': .5}, B: {'RAM': 0.0, 'CPU': 1.0},
        })])
        changed = replayed(B, evidence=[evidence(weights={
            A: {'RAM': -1.0, 'CPU': .5}, B: {'RAM': 0.0, 'CPU': 1.0},
        })])
        change = comparison.compare(original(A), again, changed)
        self.assert_change(
            change, Transition.OTHER_HOST, 'RAM weighs otherwise', 'a', 'b',
        )
        self.assertEqual(
            'b over a: RAM +1 instead of -1', change.cause.detail
        )

    def test_draw(self):
        """Hosts of one weight: another one is drawn."""
        weights = {A: {'RAM': 1.0}, B: {'RAM': 1.0}}
        change = comparison.compare(
            original(A), None,
            replayed(B, evidence=[evidence(weights=weights)]),
        )
        self.assertEqual('draw', change.cause.kind)

    def test_raising_plugin(self):
        """A plugin that raises now is the cause."""
        change = comparison.compare(original(A), None, replayed(
            outcome=FAILED, error='filter X raised KeyError',
        ))
        self.assert_change(
            change, Transition.PLACED_NONE, 'filter X raised KeyError',
            'a', '',
        )
        self.assertEqual(Exactness.EXACT, change.exactness)


class ExactnessTest(testtools.TestCase):
    """What is known decides how sure an answer is."""

    def judge(self, original, replayed_):
        """Return exactness and gaps."""
        return comparison.judge_exactness(original, replayed_)

    def test_exact(self):
        """Nothing is missing."""
        self.assertEqual(
            (Exactness.EXACT, []), self.judge(original(A), replayed(A))
        )

    def test_partial(self):
        """The journal lacks a fact, or a draw has no seed."""
        self.assertEqual(
            (Exactness.PARTIAL, ['x']),
            self.judge(original(A, missing=['x']), replayed(A, gaps=['x'])),
        )
        exactness, (gap,) = self.judge(
            original(A), replayed(A, equal={0: [A, B]})
        )
        self.assertEqual(Exactness.PARTIAL, exactness)
        self.assertEqual('the seed of the draw for server 1, among a, b', gap)

    def test_not_replayable(self):
        """A fact that is missing ended the decision."""
        exactness, gaps = self.judge(
            original(A), replayed(outcome=FAILED, gaps=['stat x of hosts'])
        )
        self.assertEqual(Exactness.NOT_REPLAYABLE, exactness)
        self.assertEqual(['stat x of hosts'], gaps)
        self.assertEqual(
            Exactness.NOT_REPLAYABLE,
            self.judge(original(A, outcome='passed'), replayed(A))[0],
        )

    def test_alternates(self):
        """An exact decision has the alternates of then, too."""
        old = original(A, chosen=[[A, B]])
        for alternates, exact, differs in (
            ([A, B], Exactness.EXACT, False),
            ([A, C], Exactness.EXACT, True),
            ([A, C], Exactness.PARTIAL, False),
            ([B, A], Exactness.PARTIAL, True),
        ):
            self.assertEqual(differs, comparison.differs(
                old, replayed(A, chosen=[alternates]), exact
            ))

    def test_unseen_refusal(self):
        """A stock scheduler shows no refused claim, which would explain it."""
        said = [evidence(rejected={A: ISOLATED})]
        for shows, hosts, refused in (
            (True, (B,), False), (False, (B,), True), (False, (A,), False),
        ):
            self.assertEqual(refused, comparison.may_be_refused(
                original(*hosts, shows_refusals=shows),
                replayed(C, evidence=said),
            ))
