"""Test what is kept of placement's answers."""

from types import SimpleNamespace

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as d
from nova_ext.scheduler.plugins.traced_placement import PlacementTrace
from nova_ext.scheduler.trace import trace
from tests.unit.scheduler.trace.untraced import UntracedTestCase


class _Resources:
    def to_querystring(self):
        """Return a query."""
        return 'resources=VCPU:1'


class CandidatesTest(UntracedTestCase):
    """Placement's candidates."""

    def test_sharing(self):
        """A provider that shares its storage is no host."""
        decision = d.Decision('', '')
        PlacementTrace(None, decision, lambda stage: None).add_candidates(
            _Resources(), [1, 2], {
                'a': {'root_provider_uuid': 'a', 'traits': ['COMPUTE_NODE']},
                'b': {'root_provider_uuid': 'b', 'traits': []},
                'nfs': {'root_provider_uuid': 'nfs',
                        'traits': ['MISC_SHARES_VIA_AGGREGATE']},
            },
        )
        self.assertEqual(2, decision.placement.candidates)


class SendingTest(UntracedTestCase):
    """Claims that are kept until all servers of a request are decided."""

    def close(self, *ended):
        """Return the claims of a decision on two servers.

        :param ended: whether they were claimed; nothing: they never were
            sent.
        """
        closed = trace.Trace.__new__(trace.Trace)
        closed.decision, closed._stages = d.Decision('', ''), trace.Stages()
        closed.unseen, closed.mode = (), Mode.PLUGIN
        closed.suspect = ''
        closed.placement = PlacementTrace(
            None, closed.decision, closed._stages.lap
        )
        for server in ('a', 'b'):
            closed.placement.add_claim(
                SimpleNamespace(claim_host=str), server,
                {'allocations': server}, claimed=True, answered=True,
                sent=False,
            )
        for claimed in ended:
            closed.placement.end_sending({'a', 'b'}, claimed=claimed)
        closed.close(d.FAILED)
        return [(c.claimed, c.answered) for c in closed.decision.claims]

    def test_ends(self):
        """Nobody is told of a claim that was not made for sure."""
        self.assertEqual([(True, True)] * 2, self.close(True))
        self.assertEqual([(False, False)] * 2, self.close(False))
        self.assertEqual([], self.close())
