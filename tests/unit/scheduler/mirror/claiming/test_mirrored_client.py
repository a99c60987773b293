"""Claim for requests that the mirror decides."""

import time
import types
from unittest import mock

import testtools

from nova_ext.scheduler.mirror.claiming import (
    claims,
    first_claims,
    mirrored_client,
)

CLAIM = {'allocations': {'p1': {'resources': {'VCPU': 1}}}}


class PendingTest(testtools.TestCase):
    """Send the claims of several servers together."""

    def test_unanswered(self):
        """The provider of a claim that was taken back is read again.

        It may have been read while the claim was there, and deleting that
        raises no generation.
        """
        held = claims.Claims()
        held.begin('s1', CLAIM['allocations'], time.monotonic())
        request = types.SimpleNamespace(
            pending=CLAIM, take_pending=lambda: {'s1': CLAIM},
            unanswered=set(), claimed=[],
        )
        client = mirrored_client.MirroredClient(
            mock.Mock(**{'delete_allocation_for_instance.return_value': True}),
            mock.Mock(claims=held),
        )
        with (
            mock.patch.object(mirrored_client, 'get_request', lambda: request),
            mock.patch.object(
                first_claims, 'post',
                lambda *args: first_claims.Answer.UNKNOWN,
            ),
        ):
            self.assertFalse(client.claim_pending(None))
        self.assertEqual({'s1'}, request.unanswered)
        self.assertEqual({}, held.sum_up().amounts)
        self.assertEqual({'p1'}, held.list_wanted().keys())
