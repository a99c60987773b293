"""Claim for requests that the mirror decides."""

import contextlib
import time
import types
from unittest import mock

import testtools
from nova import exception

from nova_ext.scheduler.claims import (
    first_claims,
    ledger,
    mirrored_client,
)

CLAIM = {'allocations': {'p1': {'resources': {'VCPU': 1}}}}


def make_request(pending):
    """Return a request with claims that are not sent yet."""
    return types.SimpleNamespace(
        pending=pending, take_pending=lambda: pending, unanswered=set(),
        claimed=[], note_refusal=lambda allocations: None,
        is_first_boot=False,
    )


@contextlib.contextmanager
def use(request, answer):
    """Have a request decide, and placement answer to all claims alike."""
    with (
        mock.patch.object(
            mirrored_client, 'get_deciding_request', lambda: request
        ),
        mock.patch.object(first_claims, 'post', lambda *_: answer),
    ):
        yield


class PendingTest(testtools.TestCase):
    """Send the claims of several servers together."""

    def test_unanswered(self):
        """The provider of a claim that was taken back is read again.

        It may have been read while the claim was there, and deleting that
        raises no generation.
        """
        held = ledger.Ledger()
        held.begin('s1', CLAIM['allocations'], time.monotonic())
        request = make_request({'s1': CLAIM})
        client = mirrored_client.MirroredClient(
            mock.Mock(**{'delete_allocation_for_instance.return_value': True}),
            mock.Mock(claims=held),
        )
        with use(request, first_claims.Answer.UNKNOWN):
            self.assertFalse(client.claim_pending(None))
        self.assertEqual({'s1'}, request.unanswered)
        self.assertEqual({}, held.sum_up().amounts)
        self.assertEqual({'p1'}, held.list_wanted().keys())

    def test_not_deleted(self):
        """All providers are read where not all claims are taken back."""
        held, pending = ledger.Ledger(), {}
        for number in (1, 2):
            allocations = {f'p{number}': {'resources': {'VCPU': 1}}}
            held.begin(f's{number}', allocations, time.monotonic())
            pending[f's{number}'] = {'allocations': allocations}
        client = mirrored_client.MirroredClient(
            mock.Mock(**{
                'delete_allocation_for_instance.side_effect': [True, None],
            }),
            mock.Mock(claims=held),
        )
        with use(make_request(pending), first_claims.Answer.UNKNOWN):
            self.assertRaises(
                exception.AllocationDeleteFailed, client.claim_pending, None
            )
        self.assertEqual({}, held.sum_up().amounts)
        self.assertEqual({'p1', 'p2'}, held.list_wanted().keys())


class MoveTest(testtools.TestCase):
    """Claim for a server that moves, by Nova's client."""

    def test_not_reached(self):
        """Where placement is not reached, the provider refused nothing."""
        for answer, refused in ((None, set()), (False, {'p1'})):
            held = ledger.Ledger()
            client = mirrored_client.MirroredClient(
                mock.Mock(**{'claim_resources.return_value': answer}),
                mock.Mock(claims=held),
            )
            with use(make_request({}), None):
                self.assertFalse(client.claim_resources(
                    None, 's1', CLAIM, 'project', 'user'
                ))
            self.assertEqual(refused, held.sum_up().refused)
            self.assertEqual({}, held.sum_up().amounts)
