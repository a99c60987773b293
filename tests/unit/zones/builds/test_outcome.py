"""What a build waits for, and how it ends."""

import testtools

from nova_ext.zones import states
from nova_ext.zones.builds import outcome
from nova_ext.zones.tables.models import Build, Item

NOW = 1_800_000_000
#: That moment, and long before it.
SENT, EARLY = '2027-01-15T08:00:00.000Z', '2027-01-15T07:00:00.000Z'


def build(count=3, min_count=2, ends_at=NOW + 100):
    """Return a build that is carried out."""
    return Build(
        count=count, min_count=min_count, ends_at=ends_at,
        state=states.BUILDING,
    )


def items(*states_):
    """Return an item of each state, in its first attempt."""
    return [
        Item(
            number=number, attempt=1, state=state, reason='', zone='nova',
            sent_at=SENT, server_id=None, expires_at=NOW,
            key=str(number), updated_at=SENT,
        ) for number, state in enumerate(states_, 1)
    ]


class OutcomeTest(testtools.TestCase):
    """Builds of three servers, two of which it has to have."""

    def end(self, made, listed):
        """Return the state in which it ends now."""
        return outcome.weigh(made, listed, NOW, 900).get_end(made)

    def test_goes_on(self):
        """While a server may become ACTIVE that is still wanted."""
        for state in states.OPEN:
            self.assertIsNone(
                self.end(build(), items('active', 'active', state)), state
            )

    def test_replaced(self):
        """What failed or is gone gets a second attempt, and no third."""
        listed = items('active', 'failed', 'gone')
        weighed = outcome.weigh(build(), listed, NOW, 900)
        self.assertEqual([2, 3], [each.number for each in weighed.replaced])
        for item in listed:
            item.attempt = 2
        self.assertEqual('failed', self.end(build(), listed))

    def test_not_replaced(self):
        """What is unknown, or was deleted by somebody, is not replaced."""
        listed = items('unknown', 'undo', 'gone')
        listed[2].reason = 'deleted'
        self.assertEqual(
            [], outcome.weigh(build(), listed, NOW, 900).replaced
        )

    def test_time(self):
        """After its time nothing is replaced."""
        listed = items('active', 'active', 'failed')
        self.assertEqual('active', self.end(build(ends_at=NOW), listed))

    def test_unknown(self):
        """What stays unknown is not waited for, and is reported."""
        listed = items('active', 'active', 'unknown')
        listed[2].sent_at = EARLY
        self.assertEqual('active', self.end(build(), listed))
        self.assertIn(
            'it is not known whether server 3 is in zone nova',
            outcome.describe(build(), listed, NOW),
        )
        self.assertEqual('failed', self.end(build(min_count=3), listed))

    def test_fence(self):
        """What may still come says until when."""
        listed = items('active', 'undo', 'undo')
        listed[1].expires_at = NOW + 7
        listed[2].server_id = 's-3'
        self.assertEqual(
            '1 of 3 servers are ACTIVE; it is not known whether server 2 is '
            'in zone nova; it may come until its offer expires at '
            '2027-01-15T08:00:07Z, and is looked for until after that; '
            'server s-3 in zone nova is being deleted',
            outcome.describe(build(), listed, NOW),
        )
        self.assertNotIn(
            'expires', outcome.describe(build(), listed, NOW + 7)
        )

    def test_many_left(self):
        """A message has an end, whatever is left of a build."""
        listed = items('active', *['undo'] * 1000)
        for item in listed:
            item.server_id, item.zone = 's' * 36, '\N{FIRE}' * 4000
        text = outcome.describe(build(), listed, NOW)
        self.assertTrue(text.endswith('; and 901 more'), text[-50:])
        self.assertLess(len(text.encode()), 2 ** 16)

    def test_judged(self):
        """A server that was stopped or resized by its user was ACTIVE."""
        for status, state in (
            (None, None), ('BUILD', None), ('UNKNOWN', None),
            ('ERROR', 'undo'), ('ACTIVE', 'active'), ('SHUTOFF', 'active'),
            ('PAUSED', 'active'), ('REBOOT', 'active'), ('RESIZE', 'active'),
            ('SHELVED_OFFLOADED', 'active'),
        ):
            self.assertEqual(state, outcome.judge(status), status)

    def test_unseen(self):
        """What was sent to a zone that stays silent is not waited for."""
        listed = items('active', 'active', 'sent')
        weighed = outcome.weigh(build(), listed, NOW, 900, {'3'})
        self.assertEqual('active', weighed.get_end(build()))
        self.assertEqual([], weighed.replaced)
        self.assertIsNone(self.end(build(ends_at=NOW), listed))

    def test_expired(self):
        """An offer that expired before it was sent was no attempt."""
        listed = items('expired', 'expired', 'expired')
        for attempt, item in enumerate(listed, 1):
            item.number, item.attempt = 1, attempt
            item.state, item.reason = states.FAILED, 'expired'
        made = build(count=1, min_count=1)
        self.assertEqual(
            [listed[2]], outcome.weigh(made, listed, NOW, 900).replaced
        )
        listed[1].reason = listed[2].reason = 'quota'
        self.assertEqual('failed', self.end(made, listed))

    def test_many_expired(self):
        """The eighth attempt is the last, though all offers expired."""
        made = build(count=1, min_count=1)
        for attempts, replaced in ((7, [7]), (8, [])):
            listed = items(*[states.FAILED] * attempts)
            for attempt, item in enumerate(listed, 1):
                item.number, item.attempt = 1, attempt
                item.reason = 'expired'
            weighed = outcome.weigh(made, listed, NOW, 900)
            self.assertEqual(
                replaced, [item.attempt for item in weighed.replaced]
            )

    def test_obstacles(self):
        """Why it is undone counts, whatever keeps it from being gone."""
        listed = items('active', 'active', 'undo')
        listed[2].reason = 'timeout,no_trust'
        self.assertEqual('active', self.end(build(), listed))

    def test_ask_again(self):
        """Offers that may be there in a moment are asked for for a minute."""
        ended, = items('failed')
        self.assertTrue(outcome.may_ask_again(ended, NOW + 59))
        self.assertFalse(outcome.may_ask_again(ended, NOW + 60))
