"""Offers of a zone's own hosts, by a scheduler on the bus."""

import time

import fixtures
from nova import context as nova_context
from nova.api import auth
from nova.tests import fixtures as nova_fixtures
from oslo_context import context as oslo_context

from nova_ext import client
from nova_ext.core.base import plain_data
from nova_ext.core.base.offer_signature import HINT, get_fingerprint
from nova_ext.core.rpc.offers import OfferQuestion
from tests.functional import base
from tests.functional_rpc import answering_cost
from tests.functional_rpc.what_if import WhatIfTestCase

REQUEST = oslo_context.generate_request_id()


class OffersTestCase(WhatIfTestCase):
    """A zone of three hosts whose schedulers make offers."""

    drivers = ('FilterScheduler', 'ZoneAwareScheduler')
    enabled_filters = ('ComputeFilter', 'OfferFilter')

    def configure(self):
        """A secret that signs, and one from before."""
        super().configure()
        self.flags(group='nova_ext_offers', secret=['new', 'old'])

    def setUp(self):
        """Read the header, as Nova's own middleware for Keystone does."""
        super().setUp()

        def create(environ, **kwargs):
            context = previous(environ, **kwargs)
            context.global_request_id = environ.get(
                'openstack.global_request_id'
            )
            return context

        previous = auth.NovaKeystoneContext._create_context
        self.useFixture(fixtures.MonkeyPatch(
            'nova.api.auth.NovaKeystoneContext._create_context', create
        ))

    def ask(self, count=1, held=(), flavor=None, ids=None, **asked):
        """Ask for slots."""
        return self.program.make_offers(self.me, OfferQuestion(
            self.request(flavor, project_id=self.me.project_id, **asked),
            ids or [
                oslo_context.generate_request_id() for _ in range(count)
            ], list(held),
        ))

    def ask_one_by_one(self, count, **asked):
        """Ask for one slot after the other, with what was taken held."""
        slots = []
        for _ in range(count):
            slots += self.ask(
                held=[slot.room for slot in slots], **asked
            ).slots
        return slots

    def redeem(self, slot, state='ACTIVE', request_id=None, **body):
        """Boot a server with an offer, in a request with its id."""
        server = self._build_server(networks='none', flavor_id='1')
        api = self.client()
        created = api.api_post('/servers', {
            'server': {**server, **body},
            'os:scheduler_hints': {HINT: slot.offer},
        }, headers={
            'X-OpenStack-Request-ID': request_id or slot.request_id,
        }).body['server']
        return self._wait_for_state_change(created, state)

    def hosts_of_slots(self, slots):
        """Their hosts, sorted."""
        return sorted(slot.room.host for slot in slots)


class OffersTest(OffersTestCase):
    """Slots that are offered, and the boots that redeem them."""

    def test_redeemed(self):
        """By the boot with its id, on its host; nothing is done before."""
        before, notified = self.all_rows(), self.notified()
        (slot,) = self.ask().slots
        self.assertEqual(before, self.all_rows())
        self.assertEqual(notified, self.notified())
        self.assertFalse(self.record.exists())
        server = self.redeem(slot)
        self.assertEqual(slot.room.host, self.host_of(server))
        self.assertNotIn(slot.room.host, slot.offer)

    def test_another_request(self):
        """A copy of the offer is refused, with its reason."""
        (slot,) = self.ask().slots
        self.redeem(slot, 'ERROR', oslo_context.generate_request_id())
        self.assertIn('another request', self.reason())

    def test_no_request_id(self):
        """A header that was lost on the way is named."""
        (slot,) = self.ask().slots
        self.boot({HINT: slot.offer}, expected_state='ERROR')
        self.assertIn('no X-OpenStack-Request-ID', self.reason())

    def test_expired(self):
        """After its time no host is left, the offered one neither."""
        self.flags(group='nova_ext_offers', lifetime_s=1)
        (slot,) = self.ask().slots
        self.wait_for(
            lambda: time.time() >= slot.room.until, 'the offer to expire'
        )
        self.redeem(slot, 'ERROR')
        self.assertIn('has expired', self.reason())

    def reason(self):
        """Why OfferFilter rejected the hosts of the last decision."""
        (step,) = (
            step for step in self.decisions()[-1].attempts[0].steps
            if step.name == 'OfferFilter'
        )
        (rejection,) = step.rejections
        return rejection.reason

    def test_spread(self):
        """Slots of one question go where those of several would."""
        large = self.flavor(memory_mb=2048)
        together = self.ask(7, flavor=large)
        single = self.ask_one_by_one(7, flavor=large)
        self.assertEqual(
            self.hosts_of_slots(together.slots), self.hosts_of_slots(single)
        )
        self.assertEqual(
            [slot.cost for slot in together.slots],
            [slot.cost for slot in single],
        )
        self.assertEqual(sorted([slot.cost for slot in single]), [
            slot.cost for slot in single
        ])

    def test_no_room(self):
        """As many as fit, and what the hosts lack."""
        large = self.flavor(memory_mb=5000)
        answer = self.ask(5, flavor=large)
        self.assertEqual(
            ['cmp-1', 'cmp-2', 'cmp-3'], self.hosts_of_slots(answer.slots)
        )
        self.assertEqual({'resource:MEMORY_MB': 3}, answer.reasons)
        self.assertIsNone(answer.held_until)
        held = [slot.room for slot in answer.slots]
        again = self.ask(held=held, flavor=large)
        self.assertEqual([], again.slots)
        self.assertEqual({'resource:MEMORY_MB': 3}, again.reasons)
        self.assertEqual(held[0].until, again.held_until)

    def test_rejected(self):
        """Hosts that no slot can have are counted by code."""
        self.disable('cmp-1')
        self.assertEqual(
            {'placement': 1, 'resource:MEMORY_MB': 2},
            self.ask(3, flavor=self.flavor(memory_mb=5000)).reasons,
        )
        self.assertEqual(
            {'placement': 3},
            self.ask(flavor=self.flavor(memory_mb=2**20)).reasons,
        )

    def test_wrong_questions(self):
        """They are refused in one line."""
        for fields in (
            {'count': 101}, {'ids': [REQUEST, REQUEST]}, {'ids': ['req-1']},
            {'availability_zone': 'nova:cmp-1'},
        ):
            self.assertRaises(client.WrongArgumentsError, self.ask, **fields)


class OwnerTest(OffersTestCase):
    """Nothing but the owner's servers costs anything."""

    def configure(self):
        """Enable that cost alone."""
        super().configure()
        self.flags(group='nova_ext', enabled_costs=['OwnerServersCost'])

    def costs(self, owner, held=()):
        """Return hosts and costs of three slots."""
        return [(slot.room.host, slot.cost) for slot in self.ask(
            3, held, hints={'nova_ext_owner': owner},
        ).slots]

    def test_servers_with_the_id(self):
        """They count, in whoever's name they are, and what is held for it."""
        server = self.boot(metadata={'nova_ext_owner': 'b3f1'})
        used = self.host_of(server)
        first, second = sorted({*self.hosts} - {used})
        self.assertEqual(
            [(first, 0), (second, 0), ('cmp-1', 1024)], self.costs('b3f1')
        )
        # By name, since nothing else tells them apart.
        self.assertEqual(
            [(host, 0) for host in self.hosts], self.costs('other')
        )
        held = [slot.room for slot in self.ask(
            hints={'nova_ext_owner': 'b3f1'}
        ).slots]
        self.assertEqual(
            [(second, 0), ('cmp-1', 1024), ('cmp-2', 1024)],
            self.costs('b3f1', held),
        )
        self.assertEqual(
            [(host, 0) for host in self.hosts], self.costs('other', held)
        )
        self._delete_server(server)
        self.assertEqual(
            [(host, 0) for host in self.hosts], self.costs('b3f1')
        )


class NoOffersTest(OffersTestCase):
    """Questions that get no answer."""

    def test_no_filter(self):
        """Nothing is offered that a scheduler would ignore."""
        self.flags(group='nova_ext_offers', secret=[])
        self.assertRaises(client.NotHonouredError, self.ask)

    def test_no_driver(self):
        """The topic says that zones are not served."""
        del self.scheduler.drivers['zone']
        self.assertRaises(client.UnknownTopicError, self.ask)


class RotationTest(OffersTestCase):
    """A second scheduler, whose secrets are other ones."""

    def test_second(self):
        """Offers are made while it accepts the first one's signature."""
        names = {'second': ['old', 'new']}

        def list_fingerprints(manager):
            return [
                get_fingerprint(name)
                for name in names.get(manager.host, ['new', 'old'])
            ]

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.manager.SchedulerManager._list_fingerprints',
            list_fingerprints,
        ))
        self.useFixture(nova_fixtures.ServiceFixture(
            'scheduler', 'second', manager=base.OUR_MANAGER
        ))
        # They answer at once, but on a busy machine.
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.offers.offer_readiness._TIMEOUT_S', 60
        ))
        # Only the first one is to be asked.
        make_offers = self.scheduler.drivers['zone'].make_offers
        question = plain_data.dump_sparse(OfferQuestion(
            self.request(project_id=self.me.project_id), [REQUEST]
        ))
        context = nova_context.RequestContext('me', self.me.project_id)
        self.assertEqual(1, len(make_offers(context, question)['slots']))
        for secrets in (['old'], []):
            names['second'] = secrets
            error = self.assertRaises(
                client.NotHonouredError, make_offers, context, question
            )
            self.assertIn('the scheduler on second honours', str(error))


class FailingCostTest(OffersTestCase):
    """A cost that can't be used."""

    def configure(self):
        """It is in a file of its own."""
        super().configure()
        self.flags(
            group='nova_ext', enabled_costs=['FreeRamCost', 'AnsweringCost'],
            plugin_files=[answering_cost.__file__],
        )

    def test_fails(self):
        """It fails the question by its name, and no boot."""
        cls = type(self.scheduler._costs.weighted[1][0])
        for answers in ([], [-1], [2**31], [1.0], [True], [None]):
            cls.answers[:] = answers
            error = self.assertRaises(client.DriverError, self.ask)
            self.assertIn('cost AnsweringCost raised', str(error))
        self.boot()
