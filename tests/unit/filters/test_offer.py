"""OfferFilter binds a first boot to the host it was offered."""

import time

import testtools

from nova_ext import testing
from nova_ext.core.base.offer_signature import HINT, sign
from nova_ext.filters.offer import OfferFilter
from nova_ext.plugin import PASS

SECRET = 'between schedulers'  # noqa: S105
LATER = int(time.time()) + 3600
BOUND = ('req-1', 'project', 'cmp-1', 'cmp-1')
OFFER = sign(SECRET, *BOUND, LATER)
HINTS = {HINT: OFFER}
NO_ID = 'no X-OpenStack-Request-ID arrived'
OTHER = 'of another host, or to another request'
EXPIRED = 'has expired'


class OfferFilterTest(testtools.TestCase):
    """One host, one request."""

    def check(self, host='cmp-1', hints=HINTS, request_id='req-1',
              secrets=(SECRET,), **fields):
        """Return the verdict for a host."""
        offer_filter = OfferFilter(
            {'secret': list(secrets)}, testing.FakeFacts(global_id=request_id)
        )
        return testing.check(
            offer_filter, testing.make_host(host),
            testing.make_request(hints, **fields),
        )

    def test_offered(self):
        """That host alone; without an offer each."""
        self.assertEqual(PASS, self.check())
        self.assertEqual(PASS, self.check(hints={}))
        self.assertIn(OTHER, self.check('cmp-2').reason)

    def test_to_others(self):
        """Another request or project, two offers, one that is made up."""
        for fields in (
            {'request_id': 'req-2'}, {'project_id': 'other'},
            {'hints': {HINT: [OFFER, OFFER]}},
            {'hints': {HINT: 'made up'}},
            {'hints': {HINT: f'{LATER + 1}{OFFER[OFFER.find("."):]}'}},
            {'hints': {HINT: f'0{OFFER}'}},
            {'hints': {HINT: OFFER.partition('.')[2]}},
        ):
            self.assertIn(OTHER, self.check(**fields).reason, fields)

    def test_without_an_id(self):
        """A proxy may have removed the header; the reason says so."""
        for request_id in (None, ''):
            self.assertIn(NO_ID, self.check(request_id=request_id).reason)

    def test_expired(self):
        """From its second on, on every host."""
        for expires_at, reason in (
            (int(time.time()), EXPIRED), (0, EXPIRED), (LATER, ''),
        ):
            hint = {HINT: sign(SECRET, *BOUND, expires_at)}
            verdict = self.check(hints=hint)
            self.assertEqual(not reason, verdict.passed)
            self.assertIn(reason, verdict.reason)
        self.assertIn(EXPIRED, self.check('cmp-2', {HINT: '1.x'}).reason)

    def test_several_secrets(self):
        """Each of them is accepted, and no other."""
        self.assertEqual(PASS, self.check(secrets=['new', SECRET]))
        self.assertEqual(PASS, self.check(secrets=[SECRET, 'old']))
        self.assertIn(OTHER, self.check(secrets=['new', 'old']).reason)

    def test_later_the_server_is_free(self):
        """A move, a return, a forced host."""
        for fields in (
            {'ignore_hosts': ['cmp-1']},
            {'requested_destination': testing.FakeDestination(cell='c')},
            {'force_hosts': ['cmp-2']},
        ):
            self.assertEqual(PASS, self.check('cmp-2', **fields), fields)

    def test_no_secret(self):
        """Nobody can have made an offer."""
        empty = sign('', *BOUND, LATER)
        verdict = self.check(secrets=[], hints={HINT: empty})
        self.assertIn('[nova_ext_offers] secret', verdict.reason)
