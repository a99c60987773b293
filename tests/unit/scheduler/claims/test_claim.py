"""Follow one claim."""

import testtools

from nova_ext.scheduler.claims.claim import ProviderClaim, State


class ClaimTest(testtools.TestCase):
    """Bring a claim from state to state."""

    def test_life(self):
        """A claim gets to no other state than one that may follow."""
        ended = {
            State.REFUSED, State.CANCELLED, State.OBSERVED, State.RELEASED,
        }
        self.assertEqual(ended, {each for each in State if not each.is_open})
        sent = {State.HELD, State.REFUSED, State.CANCELLED, State.RELEASED}
        for state, following in (
            (State.BEGUN, sent | {State.UNKNOWN}),
            (State.UNKNOWN, sent),
            (State.HELD, {State.OBSERVED, State.RELEASED}),
            (State.ANNOUNCED, {State.OBSERVED}),
            *((state, set()) for state in ended),
        ):
            claim = ProviderClaim('s', {'VCPU': 1}, 1.0, state)
            for after in State:
                moved = claim.move(after, 2.0)
                if after in following:
                    self.assertEqual((after, 2.0), (moved.state, moved.since))
                else:
                    self.assertIs(claim, moved, (state, after))

    def test_answered(self):
        """A reading shows what was answered, or told."""
        self.assertEqual({State.HELD, State.ANNOUNCED}, {
            state for state in State
            if ProviderClaim('s', {}, 1.0, state).is_answered
        })
