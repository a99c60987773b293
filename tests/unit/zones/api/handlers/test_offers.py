"""Ask a zone for offers over HTTP, and give them back."""

import concurrent.futures
import threading

from keystoneauth1.fixture import V3Token

from nova_ext.api.http.fair_share import FairShare
from nova_ext.core.base import scheduling_errors as s
from tests.unit.api.base import OURS
from tests.unit.zones import base as zones_base
from tests.unit.zones.offers import base
from tests.unit.zones.offers.base import new_ids

PATH = '/v1/zones/offers'
ZONE = '11111111-2222-3333-4444-555555555555'
HOST = 'secret-host'
PARENT = zones_base.TOKEN


class OneHost(base.Scheduler):
    """Offer slots of one host, of which the held ones are taken.

    :ivar meet: called before each answer.
    """

    def __init__(self, slots):
        super().__init__(*range(7, 7 + slots))
        self.meet = lambda: None

    def make_offers(self, context, question):
        """Offer what is left."""
        self.meet()
        return super().make_offers(context, question)


class OffersTestCase(base.GatheringTestCase):
    """A zone of one host with three slots, and a parent's account."""

    def setUp(self):
        """Serve the fake scheduler."""
        super().setUp()
        self.backends.fake = self.host = OneHost(3)
        token = V3Token(user_id='other-id', project_id='c' * 32)
        token.add_role(name='nova_ext_parent')
        self.tokens.add_token(token, 'other parent')

    def offers(self, ids, who=PARENT, status=200, **fields):
        """Ask for offers."""
        return self.post(PATH, question(ids, **fields), who, status)

    def give_back(self, ids, who=PARENT, status=200, **fields):
        """Give offers back."""
        return self.ask(
            PATH, who, status, 'DELETE', json={'request_ids': ids, **fields}
        )


class OffersTest(OffersTestCase):
    """One question after the other."""

    def test_offered(self):
        """Each slot goes to an id, and is held; no host is named."""
        ids = new_ids(2)
        answer = self.offers(ids)
        self.assertEqual(ids, [o['request_id'] for o in answer['offers']])
        self.assertEqual([7, 8], [o['cost'] for o in answer['offers']])
        self.assertIsNone(answer['zone']['reason'])
        self.assertNotIn(HOST, str(answer))
        self.assertEqual(set(ids), self.held('root'))
        (asked,) = self.host.asked
        self.assertEqual(OURS, asked.request.project_id)
        self.assertTrue(asked.request.stored_flavor)
        self.assertLessEqual(asked.deadline_s, 30)

    def test_short(self):
        """There are fewer than ids: what is held says until when."""
        answer = self.offers(new_ids(4))
        self.assertEqual(3, len(answer['offers']))
        self.assertEqual('no_room', answer['zone']['reason'])
        self.assertEqual({'resource:VCPU': 1}, answer['zone']['lacking'])
        expiry = answer['offers'][0]['expires_at']
        answer = self.offers(new_ids(1))
        zone = answer['zone']
        self.assertEqual(
            ([], 'held', expiry),
            (answer['offers'], zone['reason'], zone['held_until']),
        )

    def test_given_back(self):
        """It is offered again; no other project gives it back."""
        ids = new_ids(3)
        self.offers(ids)
        self.assertEqual(
            {'given_back': 0}, self.give_back(ids, 'other parent')
        )
        self.assertEqual([], self.offers(new_ids(1))['offers'])
        self.assertEqual({'given_back': 2}, self.give_back(ids[:2]))
        self.assertEqual({'given_back': 0}, self.give_back(ids[:2]))
        self.assertEqual(2, len(self.offers(new_ids(2))['offers']))

    def test_asked_before(self):
        """Ids that came by another way get nothing, and nobody is asked."""
        ids = new_ids(2)
        self.offers(ids[:1])
        answer = self.offers(ids)
        self.assertEqual(
            ([], 'asked_before'), (answer['offers'], answer['zone']['reason'])
        )
        self.assertEqual(1, len(self.host.asked))

    def test_personas(self):
        """Administrators and parents, of a project."""
        for who in ('reader', 'member', 'manager', 'nobody', 'auditor'):
            self.offers(new_ids(1), who, 403)
            self.give_back(new_ids(1), who, 403)
        self.offers(new_ids(1), 'admin')

    def test_refused(self):
        """Questions that do not fit the schema, or name hosts."""
        ids = new_ids(2)
        for fields in (
            {'ids': []}, {'ids': new_ids(101)}, {'ids': ids[:1] * 2},
            {'ids': ['req-1']}, {'ids': [f'{ids[0]}\n']},
            {'path': []}, {'path': [ZONE, ZONE]}, {'path': ['nova']},
            {'deadline_s': 0}, {'deadline_s': 61}, {'deadline_s': None},
            {'deadline_s': float('nan')},
            {'build': {**base.BUILD, 'count': 2}},
            {'build': {**base.BUILD, 'host': HOST}},
            {'build': {**base.BUILD, 'project_id': OURS}},
            {'build': {**base.BUILD, 'availability_zone': 'nova:cmp-1'}},
            {'build': {'networks': 'none'}}, {'changes': {}}, {'hold': 1},
        ):
            self.offers(**{'ids': ids, 'who': 'admin', 'status': 400,
                           **fields})
        self.assertEqual([], self.host.asked)

    def test_errors(self):
        """A code says what is wrong, and names no host or scheduler."""
        for error, code in (
            (s.DriverError(f'cost RackCost raised {HOST}'), 'driver_failed'),
            (s.UnknownTopicError('no driver of topic zone'), 'no_offers'),
            (s.NotHonouredError(f'the scheduler on {HOST} …'),
             'offers_not_honoured'),
            (s.NoSchedulerError('none'), 'no_scheduler'),
            (s.RequestTimeoutError('no answer'), 'scheduler_silent'),
        ):
            self.host.error = error
            answer = self.offers(new_ids(1))
            self.assertEqual(
                ([], code), (answer['offers'], answer['zone']['reason'])
            )
            self.assertNotIn(HOST, str(answer))
        self.assertEqual(set(), self.held('root'))

    def test_shares(self):
        """A project has its share of the questions at one time."""
        self.useFixture(base.api_base.fixtures.MonkeyPatch(
            'nova_ext.zones.api.handlers.offers.SHARE', FairShare(2, 0)
        ))
        error, = self.offers(new_ids(1), status=503)['errors']
        self.assertEqual('scheduler.busy', error['code'])


class PathTest(OffersTestCase):
    """The zones that a question passed."""

    def test_cycle(self):
        """A question that comes back gets no slots, and names the zone."""
        own = self.zones['root'].uuid
        (error,) = self.offers(
            new_ids(1), status=409, path=[ZONE, own]
        )['errors']
        self.assertEqual('scheduler.cycle', error['code'])
        self.assertIn(own, error['detail'])
        self.assertEqual(([], set()), (self.host.asked, self.held('root')))

    def test_give_back_cycle(self):
        """Nothing is given back by a request that comes back."""
        ids = new_ids(2)
        self.offers(ids)
        own = self.zones['root'].uuid
        self.assertEqual(
            {'given_back': 0}, self.give_back(ids, path=[ZONE, own])
        )
        self.assertEqual({*ids}, self.held('root'))
        self.assertEqual({'given_back': 2}, self.give_back(ids, path=[ZONE]))


class AtOnceTest(OffersTestCase):
    """Two questions that are answered from the same state."""

    def test_room_for_one(self):
        """There is one slot in all, however they run."""
        self.host.costs = [7]
        both = threading.Barrier(2)
        first = {}

        def meet():
            """Hold each thread's first question until both have come."""
            if first.setdefault(threading.get_ident(), True):
                first[threading.get_ident()] = False
                both.wait(30)

        self.host.meet = meet
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(
                self.send, (new_ids(1), new_ids(1))
            ))
        offers = [offer for a in answers for offer in a['offers']]
        self.assertEqual(1, len(offers))
        self.assertEqual({offers[0]['request_id']}, self.held('root'))
        self.assertEqual([None, 'held'], sorted(
            (a['zone']['reason'] for a in answers), key=str
        ))
        self.assertEqual(3, len(self.host.asked))

    def send(self, ids):
        """Ask, with a client of this thread's own."""
        response = self.client.open(PATH, method='POST', headers={
            'X-Auth-Token': PARENT,
        }, json=question(ids))
        return response.get_json()


def question(ids=None, **fields):
    """Return the body of a question for offers."""
    return {
        'build': base.BUILD, 'request_ids': new_ids(1) if ids is None else ids,
        'path': [ZONE], 'deadline_s': 30, **fields,
    }
