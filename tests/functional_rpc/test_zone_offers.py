"""Offers over HTTP: a parent's question, the held room, the boots."""

import concurrent.futures
import time

from oslo_context.context import generate_request_id

from nova_ext.core.rpc.offers import HeldRoom, Slot
from tests.functional_rpc.zone_clouds import ZoneCloudsTestCase

PATH = '/v1/zones/offers'
ZONE = '11111111-2222-3333-4444-555555555555'


class ZoneOffersTest(ZoneCloudsTestCase):
    """A zone with its API, whose flavor fills a host."""

    def setUp(self):
        """Add the flavor."""
        super().setUp()
        self.large = self._create_flavor(memory_mb=5000, vcpu=1, disk=1)

    def send(self, method, **body):
        """Send the parent's request, and return the answer."""
        response = self.ask_child(method, PATH, body, self.me.project_id)
        self.assertEqual(200, response.status_code, response.text)
        return response.get_json()

    def offers(self, ids):
        """Ask for offers of a server that fills a host."""
        return self.send(
            'POST', path=[ZONE], request_ids=ids, deadline_s=60, build={
                'flavor': self.build_flavor(self.large),
                'image': {'name': 'image'}, 'networks': 'none',
            },
        )

    def boot_offered(self, offered, state='ACTIVE', **request):
        """Boot a server with an offer, as a builder does."""
        slot = Slot(
            offered['request_id'], offered['cost'], offered['offer'],
            HeldRoom('', '', {}, 0, 0, 0, '', offered['expires_at']),
        )
        return self.redeem(slot, state, flavorRef=self.large, **request)

    def test_redeemed(self):
        """Three offers fill three hosts, and no fourth is made."""
        answer = self.offers(ids := new_ids(4))
        # Those that cost the same stand in the order of their ids.
        self.assertEqual(sorted(ids[:3]), [
            offered['request_id'] for offered in answer['offers']
        ])
        self.assertEqual('no_room', answer['zone']['reason'])
        self.assertEqual({'resource:MEMORY_MB': 3}, answer['zone']['lacking'])
        for host in self.hosts:
            self.assertNotIn(host, str(answer))
        servers = [self.boot_offered(each) for each in answer['offers']]
        self.assertEqual(
            [*self.hosts], sorted(self.host_of(each) for each in servers)
        )

    def test_another_request(self):
        """It gets no host by a copy of the offer; the right one does."""
        (offered,) = self.offers(new_ids(1))['offers']
        self.boot_offered(offered, 'ERROR', request_id=generate_request_id())
        self.boot_offered(offered)

    def test_expired(self):
        """Its boot is refused, and its room is free again."""
        self.flags(group='nova_ext_offers', lifetime_s=20)
        first = self.offers(new_ids(3))['offers']
        self.assertEqual('held', self.offers(new_ids(1))['zone']['reason'])
        ends = max(offered['expires_at'] for offered in first)
        self.wait_for(lambda: time.time() >= ends, 'the offers to expire')
        self.boot_offered(first[0], 'ERROR')
        self.assertEqual(3, len(self.offers(new_ids(3))['offers']))

    def test_given_back(self):
        """It is offered again, to another request."""
        first = self.offers(new_ids(3))['offers']
        self.assertEqual([], self.offers(new_ids(1))['offers'])
        self.assertEqual({'given_back': 1}, self.send(
            'DELETE', request_ids=[first[1]['request_id']]
        ))
        answer = self.offers(new_ids(2))
        self.assertEqual(1, len(answer['offers']))
        self.assertEqual('held', answer['zone']['reason'])
        self.boot_offered(answer['offers'][0])

    def test_two_at_once(self):
        """For room for three, two questions for two get three in all."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(self.offers, (new_ids(2), new_ids(2))))
        offers = [each for answer in answers for each in answer['offers']]
        self.assertEqual(3, len(offers))
        servers = [self.boot_offered(each) for each in offers]
        self.assertEqual(
            [*self.hosts], sorted(self.host_of(each) for each in servers)
        )

    def test_quota(self):
        """No more is held than Nova's quota allows, with what is booted."""
        self.flags(group='quota', instances=2)
        answer = self.offers(new_ids(3))
        self.assertEqual(
            (2, 'quota'), (len(answer['offers']), answer['zone']['reason'])
        )
        booted, held = answer['offers']
        self.boot_offered(booted)
        self.send('DELETE', request_ids=[booted['request_id']])
        self.assertEqual([], self.offers(new_ids(1))['offers'])
        self.send('DELETE', request_ids=[held['request_id']])
        self.assertEqual(1, len(self.offers(new_ids(2))['offers']))


def new_ids(count):
    """Return new request ids."""
    return [generate_request_id() for _ in range(count)]
