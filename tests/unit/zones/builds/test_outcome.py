"""What a build waits for, and how it ends."""

import testtools

from nova_ext.decision_database.models import Build, BuildItem
from nova_ext.zones import states
from nova_ext.zones.builds import outcome

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
        BuildItem(
            number=number, attempt=1, state=state, reason='', zone='nova',
            sent_at=SENT, server_id=None, expires_at=NOW,
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
