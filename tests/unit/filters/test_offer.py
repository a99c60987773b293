"""OfferFilter binds a first boot to the host it was offered."""

import testtools

from nova_ext import testing
from nova_ext.core.plugin.verdict import PASS
from nova_ext.core.rpc import offers
from nova_ext.filters.offer import OfferFilter

SECRET = 'between schedulers'  # noqa: S105
OFFER = offers.offer(SECRET, 'req-1', 'project', 'cmp-1', 'cmp-1')
HINT = {offers.HINT: OFFER}


class OfferFilterTest(testtools.TestCase):
    """One host, one request."""

    def check(self, host='cmp-1', hints=HINT, request_id='req-1',
              secret=SECRET, **fields):
        """The verdict for a host."""
        asked = OfferFilter(
            {'secret': secret}, testing.FakeFacts(global_id=request_id)
        )
        return asked.check(
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
            {'hints': {offers.HINT: [OFFER, OFFER]}},
            {'hints': {offers.HINT: 'made up'}},
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
        empty = offers.offer('', 'req-1', 'project', 'cmp-1', 'cmp-1')
        verdict = self.check(secret='', hints={offers.HINT: empty})
        self.assertIn('[nova_ext_offers] secret', verdict.reason)
