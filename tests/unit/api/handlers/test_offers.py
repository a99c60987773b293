"""Ask a zone for offers over HTTP, and give them back."""

import concurrent.futures
import threading
import time

from keystoneauth1.fixture import V3Token
from oslo_context.context import generate_request_id

from nova_ext.core.base import scheduling_errors as s
from nova_ext.core.rpc.offers import HeldRoom, OfferAnswer, Slot
from nova_ext.zones import registry
from nova_ext.zones.tables import held_offers
from tests.unit.api.base import OURS, ApiTestCase

PATH = '/v1/zones/offers'
ZONE = '11111111-2222-3333-4444-555555555555'
REQUEST = {'flavor': {'vcpus': 1, 'memory_mb': 512, 'flavorid': '1'}}
HOST = 'compute-00001.example.org'


class OneHost:
    """Offer slots of one host, of which the held ones are taken.

    :ivar asked: the questions, in turn.
    """

    def __init__(self, slots):
        self.slots = slots
        self.asked = []
        self.error = None
        self.meet = lambda: None

    def make_offers(self, context, question):
        """Offer what is left, for a minute."""
        self.asked.append(question)
        if self.error:
            raise self.error
        self.meet()
        left = max(0, self.slots - len(question.held))
        until = int(time.time()) + 60
        slots = [
            Slot(request_id, 7 + number, f'{until}.code', HeldRoom(
                HOST, HOST, {'p': {'VCPU': 1}}, 512, 0, 1, 'o', until,
            )) for number, request_id in enumerate(
                question.request_ids[:left]
            )
        ]
        short = len(slots) < len(question.request_ids)
        return OfferAnswer(
            slots, {'resource:VCPU': 1} if short else {},
            min((room.until for room in question.held), default=None)
            if short else None,
        )


class OffersTestCase(ApiTestCase):
    """A zone of one host with three slots, and a parent's account."""

    def setUp(self):
        """Serve the fake scheduler."""
        super().setUp()
        self.backends.fake = self.host = OneHost(3)

    def add_tokens(self):
        """Add the parent's, and one of another project."""
        super().add_tokens()
        self.add_parent('parent', OURS)
        self.add_parent('other parent', 'c' * 32)

    def add_parent(self, name, project):
        """Add a token with the role of a parent alone."""
        token = V3Token(user_id=f'{name}-id', project_id=project)
        token.add_role(name='nova_ext_parent')
        self.tokens.add_token(token, name)

    def offers(self, ids, who='parent', status=200, **fields):
        """Ask for offers."""
        return self.post(PATH, question(ids, **fields), who, status)

    def give_back(self, ids, who='parent', status=200):
        """Give offers back."""
        return self.ask(
            PATH, who, status, 'DELETE', json={'request_ids': ids}
        )

    def held(self):
        """Return the request ids of what is held."""
        with self.database.reading() as session:
            return held_offers.read(session, int(time.time()))[1].keys()


class OffersTest(OffersTestCase):
    """One question after the other."""

    def test_offered(self):
        """Each slot goes to an id, and is held; no host is named."""
        ids = new_ids(2)
        answer = self.offers(ids)
        self.assertEqual(ids, [o['request_id'] for o in answer['offers']])
        self.assertEqual([7, 8], [o['cost'] for o in answer['offers']])
        self.assertIsNone(answer['reason'])
        self.assertNotIn(HOST, str(answer))
        self.assertEqual(set(ids), self.held())
        (asked,) = self.host.asked
        self.assertEqual(OURS, asked.request.project_id)
        self.assertTrue(asked.request.stored_flavor)
        self.assertLessEqual(asked.deadline_s, 30)

    def test_short(self):
        """There are fewer than ids: what is held says until when."""
        answer = self.offers(new_ids(4))
        self.assertEqual(3, len(answer['offers']))
        self.assertEqual('no_room', answer['reason'])
        self.assertEqual({'resource:VCPU': 1}, answer['lacking'])
        expiry = answer['offers'][0]['expires_at']
        answer = self.offers(new_ids(1))
        self.assertEqual(([], 'held', expiry), (
            answer['offers'], answer['reason'], answer['held_until']
        ))

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
            ([], 'asked_before'), (answer['offers'], answer['reason'])
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
            {'request': {**REQUEST, 'count': 2}},
            {'request': {**REQUEST, 'host': HOST}},
            {'request': {**REQUEST, 'project_id': OURS}},
            {'changes': {}}, {'hold': False},
        ):
            self.offers(**{'ids': ids, 'who': 'admin', 'status': 400,
                           **fields})
        self.offers(
            ids, 'admin', 400,
            request={**REQUEST, 'availability_zone': 'nova:cmp-1'},
        )
        self.assertEqual([], self.host.asked)

    def test_errors(self):
        """A plugin is named, and no host or scheduler."""
        for error, status, code, words in (
            (s.DriverError('cost RackCost raised KeyError'), 502,
             'driver_failed', 'cost RackCost raised KeyError'),
            (s.UnknownTopicError('no driver of topic zone'), 503,
             'no_offers', 'ZoneAwareScheduler'),
            (s.NotHonouredError(f'the scheduler on {HOST} …'), 503,
             'offers_not_honoured', 'would ignore an offer'),
            (s.NoSchedulerError('none'), 503, 'no_scheduler',
             'offers need one'),
            (s.RequestTimeoutError('no answer'), 504, 'scheduler_silent',
             'no answer'),
        ):
            self.host.error = error
            (answer,) = self.offers(new_ids(1), status=status)['errors']
            self.assertEqual(f'scheduler.{code}', answer['code'])
            self.assertIn(words, answer['detail'])
            self.assertNotIn(HOST, answer['detail'])
        self.assertEqual(set(), self.held())


class PathTest(OffersTestCase):
    """The zones that a question passed."""

    def test_cycle(self):
        """A question that comes back gets no slots, and names the zone."""
        own = registry.get_own_uuid(self.database)
        (error,) = self.offers(
            new_ids(1), status=409, path=[ZONE, own]
        )['errors']
        self.assertEqual('scheduler.cycle', error['code'])
        self.assertIn(own, error['detail'])
        self.assertEqual(([], set()), (self.host.asked, self.held()))


class AtOnceTest(OffersTestCase):
    """Two questions that are answered from the same state."""

    def test_room_for_one(self):
        """There is one slot in all, however they run."""
        self.host.slots = 1
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
        self.assertEqual({offers[0]['request_id']}, self.held())
        self.assertEqual([None, 'held'], sorted(
            (a['reason'] for a in answers), key=str
        ))
        self.assertEqual(3, len(self.host.asked))

    def send(self, ids):
        """Ask, with a client of this thread's own."""
        response = self.client.open(PATH, method='POST', headers={
            'X-Auth-Token': 'parent',
        }, json=question(ids))
        return response.get_json()


def question(ids=None, **fields):
    """Return the body of a question for offers."""
    return {
        'request': REQUEST, 'request_ids': new_ids(1) if ids is None else ids,
        'path': [ZONE], 'deadline_s': 30, **fields,
    }


def new_ids(count):
    """Return new request ids."""
    return [generate_request_id() for _ in range(count)]
