"""OfferFilter binds a first boot to the host it was offered."""

import testtools

from nova_ext import testing
from nova_ext.core.extension import PASS
from nova_ext.filters import offer
from nova_ext.filters.offer import OfferFilter

SECRET = 'between schedulers'  # noqa: S105
OFFER = offer.create_offer(SECRET, 'req-1', 'project', 'cmp-1', 'cmp-1')
HINT = {offer.HINT: OFFER}
PARTS = ('secret', 'req-1', 'project', 'cmp-1', 'node-1')


class OfferFilterTest(testtools.TestCase):
    """One host, one request."""

    def check(self, host='cmp-1', hints=HINT, request_id='req-1',
              secret=SECRET, **fields):
        """Return the verdict for a host."""
        offer_filter = OfferFilter(
            {'secret': secret}, testing.FakeFacts(global_id=request_id)
        )
        return offer_filter.check(
            testing.make_host(host), testing.make_request(hints, **fields)
        )

    def test_offered(self):
        """That host alone; without an offer each."""
        self.assertEqual(PASS, self.check())
        self.assertEqual(PASS, self.check(hints={}))
        self.assertIn('of another host', self.check('cmp-2').reason)

    def test_to_others(self):
        """Another request, one without an id, another project."""
        for fields in (
            {'request_id': 'req-2'}, {'request_id': None},
            {'project_id': 'other'},
            {'hints': {offer.HINT: [OFFER, OFFER]}},
            {'hints': {offer.HINT: 'made up'}},
        ):
            self.assertFalse(self.check(**fields).passed, fields)

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
        empty = offer.create_offer('', 'req-1', 'project', 'cmp-1', 'cmp-1')
        verdict = self.check(secret='', hints={offer.HINT: empty})
        self.assertIn('[nova_ext_offers] secret', verdict.reason)



class OfferTest(testtools.TestCase):
    """Codes that say nothing to those who lack the secret."""

    def test_each_part_counts(self):
        """Another secret, request, project, host or node: another offer."""
        code = offer.create_offer(*PARTS)
        self.assertTrue(offer.is_equal(code, offer.create_offer(*PARTS)))
        for position in range(len(PARTS)):
            other = [*PARTS]
            other[position] += 'x'
            self.assertFalse(offer.is_equal(code, offer.create_offer(*other)))

    def test_parts_do_not_run_together(self):
        """A letter that moves from one name to the next counts."""
        self.assertNotEqual(
            offer.create_offer('s', 'r', 'p', 'cmp-1', '1'),
            offer.create_offer('s', 'r', 'p', 'cmp-', '11'),
        )

    def test_short_and_plain(self):
        """It fits a hint and a command line."""
        self.assertRegex(offer.create_offer(*PARTS), r'^[\w-]{22}$')

    def test_anything_may_be_given(self):
        """Letters that no code has, and what is no letter at all."""
        for given in ('\u00e4\ud7ff', '\ud800', '\udfff'):
            self.assertFalse(offer.is_equal(given, offer.create_offer(*PARTS)))

    def test_fingerprint(self):
        """It tells secrets apart, and is no offer."""
        self.assertNotEqual(
            offer.get_fingerprint('a'), offer.get_fingerprint('b')
        )
        self.assertNotEqual(
            offer.get_fingerprint('a'), offer.create_offer('a', '', '', '', '')
        )
