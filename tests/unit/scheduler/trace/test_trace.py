"""Test what is kept of a request for several servers."""

from types import SimpleNamespace

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import decision as d
from nova_ext.scheduler.trace import trace
from nova_ext.scheduler.trace.stages import Stages
from tests.unit.scheduler.trace.untraced import UntracedTestCase


class _Attempt:
    def __init__(self, finished):
        self._finished = finished

    def finish(self, *, every_host):
        """Note whether every host's weights are wanted."""
        self._finished.append(every_host)


class CandidatesTest(UntracedTestCase):
    """Placement's candidates."""

    def test_sharing(self):
        """A provider that shares its storage is no host."""
        closed = trace.Trace.__new__(trace.Trace)
        closed.decision = d.Decision('', '')
        closed.verification, closed._refusal = None, ''
        closed._stages, closed._roots = Stages(), frozenset()
        closed._sharing = set()
        closed.add_candidates(_Resources(), [1, 2], {
            'a': {'root_provider_uuid': 'a', 'traits': ['COMPUTE_NODE']},
            'b': {'root_provider_uuid': 'b', 'traits': []},
            'nfs': {'root_provider_uuid': 'nfs',
                    'traits': ['MISC_SHARES_VIA_AGGREGATE']},
        })
        self.assertEqual(2, closed.decision.placement.candidates)


class SendingTest(UntracedTestCase):
    """Claims that are kept until all servers of a request are decided."""

    def close(self, *ended):
        """Return the claims of a decision on two servers.

        :param ended: whether they were claimed; nothing: they never were
            sent.
        """
        closed = trace.Trace.__new__(trace.Trace)
        closed.decision = d.Decision('', '')
        closed._stages, closed._unsent, closed._claim_refusal = (
            Stages(), set(), ''
        )
        closed.unseen, closed.mode = (), Mode.PLUGIN
        closed.suspect = ''
        closed.attempt = SimpleNamespace(claim_host=str)
        for server in ('a', 'b'):
            closed.add_claim(
                server, {'allocations': server}, claimed=True, answered=True,
                sent=False,
            )
        for claimed in ended:
            closed.end_sending({'a', 'b'}, claimed=claimed)
        closed.close(d.FAILED)
        return [(c.claimed, c.answered) for c in closed.decision.claims]

    def test_ends(self):
        """Nobody is told of a claim that was not made for sure."""
        self.assertEqual([(True, True)] * 2, self.close(True))
        self.assertEqual([(False, False)] * 2, self.close(False))
        self.assertEqual([], self.close())


class _Resources:
    def to_querystring(self):
        """Return a query."""
        return 'resources=VCPU:1'


class FinishTest(UntracedTestCase):
    """Three servers are decided."""

    def test_weights(self):
        """Those of all hosts are kept for the server that failed alone."""
        for (outcome, in_full), expected in {
            (d.PLACED, False): [False, False, False],
            (d.NO_VALID_HOST, False): [False, False, True],
            (d.PLACED, True): [True, True, True],
            (d.NO_VALID_HOST, True): [True, True, True],
        }.items():
            closed, finished = trace.Trace.__new__(trace.Trace), []
            closed.decision = d.Decision('', '', outcome=outcome)
            closed._attempts = [_Attempt(finished) for _ in range(3)]
            closed.finish(in_full=in_full)
            self.assertEqual(expected, finished)
            self.assertEqual([], closed._attempts)
