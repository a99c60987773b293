"""Send claims of new servers, and delete what got no answer."""

from unittest import mock

import testtools
from nova import exception

from nova_ext.scheduler.claims import claim_sender, first_claims
from nova_ext.scheduler.claims.claim import State
from nova_ext.scheduler.claims.first_claims import Answer
from nova_ext.scheduler.claims.ledger import Ledger

CLAIM = {'allocations': {'p1': {'resources': {'VCPU': 1}}}}


class _Placement:
    """Answers as it is told; notes what is sent and deleted."""

    def __init__(self, *answers, deletes=True):
        self.answers = list(answers)
        self.deletes = deletes
        self.calls = []
        self.kept = {}

    def post(self, *args):
        """Stand in for claims, of one consumer or of several."""
        self.calls.append('claim')
        return self.answers.pop(0)

    def delete_allocation_for_instance(self, context, uuid, force):
        self.calls.append(f'delete {uuid}')
        return self.deletes or None

    def get_allocs_for_consumer(self, context, consumer):
        return self.kept[consumer]


class ClaimSenderTest(testtools.TestCase):
    """Claim for s1, and together with s2."""

    def setUp(self):
        """Begin the claims."""
        super().setUp()
        self.ledger = Ledger()
        for consumer in ('s1', 's2'):
            self.ledger.begin(consumer, CLAIM['allocations'], 1.0)
        self.unanswered = set()

    def send(self, placement, *, together=False):
        """Send one claim, or both."""
        sender = claim_sender.ClaimSender(placement, self.ledger, placement)
        with (
            mock.patch.object(first_claims, 'post', placement.post),
            mock.patch.object(claim_sender, '_PAUSES_S', (0, 0)),
        ):
            if together:
                return sender.send_together(
                    None, {'s1': CLAIM, 's2': CLAIM}, self.unanswered
                )
            return sender.send(None, 's1', CLAIM, self.unanswered)

    def states(self):
        """Return the states of the claims, which are held all the while."""
        return [each.state for each in self.ledger.list_claims('p1')]

    def test_answered(self):
        """What was answered is left to the caller."""
        for answer in (Answer.CLAIMED, Answer.REFUSED, Answer.EXISTS):
            placement = _Placement(answer)
            self.assertIs(answer, self.send(placement))
            self.assertEqual(['claim'], placement.calls)
        self.assertEqual([State.BEGUN] * 2, self.states())
        self.assertEqual(set(), self.unanswered)

    def test_unanswered(self):
        """A claim without an answer is deleted, and held meanwhile."""
        placement = _Placement(Answer.UNKNOWN)
        self.assertIs(Answer.UNKNOWN, self.send(placement))
        self.assertEqual(['claim', 'delete s1'], placement.calls)
        self.assertEqual({'s1'}, self.unanswered)
        self.assertEqual([State.UNKNOWN, State.BEGUN], self.states())

    def test_late(self):
        """One that arrives after it was deleted is deleted again."""
        self.unanswered = {'s1'}
        placement = _Placement(Answer.EXISTS, Answer.EXISTS, Answer.CLAIMED)
        self.assertIs(Answer.CLAIMED, self.send(placement))
        self.assertEqual(
            ['claim', 'delete s1', 'claim', 'delete s1', 'claim'],
            placement.calls,
        )
        placement = _Placement(*[Answer.EXISTS] * 3)
        self.assertRaises(
            exception.AllocationDeleteFailed, self.send, placement
        )
        self.assertEqual([], placement.answers)

    def test_silence(self):
        """Where that is not answered either, the request fails."""
        placement = _Placement(Answer.UNKNOWN, deletes=False)
        error = self.assertRaises(
            exception.AllocationDeleteFailed, self.send, placement,
            together=True,
        )
        self.assertIn('No valid host was found', str(error))
        # The others are deleted all the same.
        self.assertEqual(['claim', 'delete s1', 'delete s2'], placement.calls)
        self.assertEqual([State.UNKNOWN] * 2, self.states())

    def test_sent_twice(self):
        """Claims that are there just as they were sent are accepted."""
        for kept, answer in (
            ({'p1': {'resources': {'VCPU': 1}}}, Answer.CLAIMED),
            ({'p1': {'resources': {'VCPU': 2}}}, Answer.EXISTS),
        ):
            placement = _Placement(Answer.EXISTS)
            placement.kept = {'s1': {'allocations': kept}, 's2': CLAIM}
            self.assertIs(answer, self.send(placement, together=True))
