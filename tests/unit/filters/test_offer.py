"""OfferFilter binds a first boot to the host it was offered."""

import time

import testtools

from nova_ext import testing
from nova_ext.core.extension import PASS
from nova_ext.filters import offer
from nova_ext.filters.offer import OfferFilter

SECRET = 'between schedulers'  # noqa: S105
LATER = int(time.time()) + 3600
BOUND = ('req-1', 'project', 'cmp-1', 'cmp-1')
OFFER = offer.create_offer(SECRET, *BOUND, LATER)
HINT = {offer.HINT: OFFER}
PARTS = ('secret', 'req-1', 'project', 'cmp-1', 'node-1')
NO_ID = 'no X-OpenStack-Request-ID arrived'
OTHER = 'of another host, or to another request'
EXPIRED = 'has expired'


class OfferFilterTest(testtools.TestCase):
    """One host, one request."""

    def check(self, host='cmp-1', hints=HINT, request_id='req-1',
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
            {'hints': {offer.HINT: [OFFER, OFFER]}},
            {'hints': {offer.HINT: 'made up'}},
            {'hints': {offer.HINT: f'{LATER + 1}{OFFER[OFFER.find("."):]}'}},
            {'hints': {offer.HINT: f'0{OFFER}'}},
            {'hints': {offer.HINT: OFFER.partition('.')[2]}},
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
            hint = {offer.HINT: offer.create_offer(SECRET, *BOUND, expires_at)}
            verdict = self.check(hints=hint)
            self.assertEqual(not reason, verdict.passed)
            self.assertIn(reason, verdict.reason)
        self.assertIn(EXPIRED, self.check('cmp-2', {offer.HINT: '1.x'}).reason)

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
        empty = offer.create_offer('', *BOUND, LATER)
        verdict = self.check(secrets=[], hints={offer.HINT: empty})
        self.assertIn('[nova_ext_offers] secret', verdict.reason)



class OfferTest(testtools.TestCase):
    """Codes that say nothing to those who lack the secret."""

    def test_each_part_counts(self):
        """Another secret, request, project, host, node or time."""
        code = offer.create_offer(*PARTS, 7).partition('.')[2]
        same = offer.create_offer(*PARTS, 7).partition('.')[2]
        self.assertTrue(offer.is_equal(code, same))
        others = [(*PARTS, 8)] + [
            (*PARTS[:n], f'{PARTS[n]}x', *PARTS[n + 1:], 7)
            for n in range(len(PARTS))
        ]
        for other in others:
            changed = offer.create_offer(*other).partition('.')[2]
            self.assertFalse(offer.is_equal(code, changed), other)

    def test_parts_do_not_run_together(self):
        """A letter that moves from one name to the next counts."""
        self.assertNotEqual(
            offer.create_offer('s', 'r', 'p', 'cmp-1', '1', 7),
            offer.create_offer('s', 'r', 'p', 'cmp-', '11', 7),
        )

    def test_short_and_plain(self):
        """It fits a hint and a command line."""
        self.assertRegex(
            offer.create_offer(*PARTS, LATER), r'^\d{10}\.[\w-]{22}$'
        )

    def test_anything_may_be_given(self):
        """Letters that no code has, and what is no letter at all."""
        for given in ('\u00e4\ud7ff', '\ud800', '\udfff'):
            self.assertFalse(offer.is_equal(given, OFFER))

    def test_fingerprint(self):
        """It tells secrets apart, and is no offer."""
        self.assertNotEqual(
            offer.get_fingerprint('a'), offer.get_fingerprint('b')
        )
        self.assertNotEqual(
            offer.get_fingerprint('a'),
            offer.create_offer('a', '', '', '', '', 0).partition('.')[2],
        )

    def test_expiry(self):
        """Only what a scheduler can have written is a time."""
        self.assertEqual(LATER, offer.read_expiry(OFFER))
        for given in (
            '', '.', '7', '-7.x', '7e3.x', '\u0663.x', f'{10**12}.x',
        ):
            self.assertIsNone(offer.read_expiry(given), given)
