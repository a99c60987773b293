"""Servers that a driver creates, through Nova's own API."""

from typing import ClassVar

import fixtures
from nova import context as nova_context
from nova import exception, objects
from nova.api import auth
from nova.tests import fixtures as nova_fixtures
from testtools import testcase

from nova_ext import client, plugin
from nova_ext.core.base.offer_signature import HINT
from nova_ext.core.request import scheduler_hints
from nova_ext.core.request.operation import Operation, get_operation
from tests.functional import base
from tests.functional_rpc.test_topics import TopicsTestCase

STOCK = 'nova.scheduler.manager.SchedulerManager'
DRIVER = 'tests.functional_rpc.test_run_instance:PickingDriver'


class PickingDriver(plugin.ComputeDriver):
    """Picks the last host by name, once; moves servers to the first."""

    heard: ClassVar[list] = []

    def rank(self, hosts, request, context):
        """Not asked again where there is an offer."""
        picks = not scheduler_hints.get_hint_values(request, HINT)
        if not picks and get_operation(request) is Operation.FIRST_BOOT:
            raise AssertionError
        return plugin.Ranking(
            sorted(hosts, key=lambda host: host.host, reverse=picks)
        )

    def on_scheduled(self, hosts, request, context):
        """Note what it was told."""
        self.heard.extend(hosts)


class RunInstanceTestCase(TopicsTestCase):
    """A cloud whose API takes tokens, and a program that has one."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3')
    drivers = (DRIVER,)
    enabled_filters = (
        'ComputeFilter', 'ServerGroupAntiAffinityFilter',
        'SpecifiedHostFilter', 'OfferFilter',
    )

    def configure(self):
        """A secret."""
        self.flags(
            group='nova_ext_offers', secret=['between schedulers']
        )

    def setUp(self):
        """A member of a project, with a token."""
        super().setUp()
        self.flags(
            group='nova_ext_offers', compute_endpoint=self.admin_api.base_url
        )
        # What Keystone's middleware would find out of a token.
        novas = nova_context.RequestContext
        known = self.client('me', roles=())

        def made(environ, **kwargs):
            body = environ.get('HTTP_X_AUTH_TOKEN')
            if body is None:  # the clients of Nova's fixtures
                return previous(environ, **kwargs)
            return novas(
                'me' if body == 'good' else None, known.project_id,
                is_admin=False, roles=['reader', 'member'],
                auth_token=body, **kwargs,
                global_request_id=environ.get('openstack.global_request_id'),
            )

        previous = auth.NovaKeystoneContext._create_context
        self.useFixture(fixtures.MonkeyPatch(
            'nova.api.auth.NovaKeystoneContext._create_context', made
        ))
        self.me.auth_token = 'good'  # noqa: S105
        self.me.roles = ['reader', 'member']
        self.member = known
        PickingDriver.heard.clear()
        # Services that stop amid a boot wait for each other.
        self.addCleanup(
            self.wait_for, self.nothing_builds, 'the servers to be built'
        )

    def nothing_builds(self):
        """Whether every server is what it was to be, or has failed."""
        return all(
            server['status'] != 'BUILD'
            for server in self.admin_api.get_servers()
        )

    def start_beside(self, host, manager):
        """Start another scheduler; Nova's test case wants one alone."""
        self.useFixture(nova_fixtures.ServiceFixture(
            'scheduler', host, manager=manager
        ))

    def run_instance(self, count=1, hints=None, **fields):
        """Have the driver create servers."""
        server = self._build_server(networks='none', flavor_id='1')
        return self.program.schedule(
            self.me, 'compute', 'schedule_run_instance',
            server={**server, **fields}, count=count, hints=hints,
            microversion='2.37',
        )

    def active(self, one):
        """A server, when it runs."""
        return self._wait_for_state_change(
            self.admin_api.get_server(one['id']), 'ACTIVE'
        )

    def consumers(self):
        """Who has allocations in placement, sorted."""
        return sorted({
            consumer for provider in self._get_all_providers()
            for consumer in
            self._get_allocations_by_provider_uuid(provider['uuid'])
        })

    def refusal(self, expected, **asked):
        """The line with which nothing at all is created."""
        error = self.assertRaises(expected, self.run_instance, **asked)
        self.assertEqual([], self.admin_api.get_servers())
        return str(error)


class RunInstanceTest(RunInstanceTestCase):
    """One scheduler."""

    def test_on_the_chosen_host(self):
        """Which is not where it would have gone; it may leave it later."""
        (one,) = self.run_instance()
        self.assertEqual('cmp-3', one['host'])
        server = self.active(one)
        self.assertEqual('cmp-3', self.host_of(server))
        self.assertEqual('me', server['user_id'])
        self._migrate_server(server)
        self.assertEqual('cmp-1', self.host_of(server))

    @testcase.attr('slow')
    def test_copied_offer(self):
        """It serves no other server, in whoever's name."""
        (one,) = self.run_instance()
        self.active(one)
        self.admin_api.microversion = '2.100'
        shown = self.admin_api.get_server(one['id'])
        self.admin_api.microversion = self.microversion
        hint = {HINT: shown['scheduler_hints'][HINT]}
        server = self.boot(hint, expected_state='ERROR')
        decision = self.decisions()[-1]
        self.assertIn(server['id'], decision.servers)
        (step,) = (s for s in decision.attempts[0].steps if s.rejections)
        self.assertEqual('OfferFilter', step.name)

    def test_several(self):
        """The tenth's number makes its name too long; the others are made."""
        created = self.run_instance(10, name='n' * 253)
        self.assertEqual([True] * 9, ['id' in one for one in created[:9]])
        self.assertIn('name', created[9]['error'])
        self.assertNotIn('id', created[9])
        for number, one in enumerate(created[:9], 1):
            server = self.active(one)
            self.assertTrue(server['name'].endswith(f'n-{number}'))
            self.assertEqual(one['host'], self.host_of(server))

    def test_quota(self):
        """Nova's own holds."""
        self.flags(group='quota', instances=0)
        (one,) = self.run_instance()
        self.assertIn('Quota exceeded for instances', one['error'])

    @testcase.attr('slow')
    def test_room_for_some(self):
        """Those are created, and the others are told why not.

        What was claimed for the choice is given back: they fill the hosts.
        """
        flavor = self._create_flavor(memory_mb=5000)
        created = self.run_instance(5, flavorRef=flavor)
        self.assertEqual(
            3, len({one['host'] for one in created if 'id' in one})
        )
        for one in created[3:]:
            self.assertIn('No valid host', one['error'])
        for one in created[:3]:
            self.assertEqual(one['host'], self.host_of(self.active(one)))
        self.assertEqual(
            sorted(one['id'] for one in created[:3]), self.consumers()
        )

    def test_token(self):
        """Absent, or one that is refused."""
        self.me.auth_token = None
        self.assertIn(
            'no auth_token', self.refusal(client.UnauthenticatedError)
        )
        self.me.auth_token = 'expired'  # noqa: S105
        self.assertIn('refuses', self.refusal(client.UnauthenticatedError))

    def test_nowhere(self):
        """No host fits, or none that Nova's API may show the caller."""
        self.refusal(
            client.NoHostError, flavorRef=self._create_flavor(vcpu=1000)
        )
        self.assertIn('nosuch', self.refusal(
            client.ApiError, flavorRef='nosuch'
        ))
        self.refusal(client.WrongArgumentsError, availability_zone='a:cmp-1')

    def test_hints(self):
        """They take part in the choice, policies and all."""
        for more in ({}, {'_nova_check_type': 'rebuild'}):
            self.refusal(
                client.NoHostError, hints={'requested_host': 'cmp-2', **more}
            )
        self.me.roles = ['reader', 'member', 'admin']
        # The API knows the caller for a member, and lets the scheduler say.
        (one,) = self.run_instance(hints={'requested_host': ['cmp-2']})
        self.assertEqual('cmp-2', one['host'])

    @testcase.attr('slow')
    def test_server_group(self):
        """Its policy holds among the servers, too; what is not there, not."""
        group = self.admin_api.post_server_groups({
            'name': 'apart', 'policy': 'anti-affinity',
        })['id']
        created = self.run_instance(3, hints={'group': group, 'number': 1})
        for one in created:
            self.assertEqual(one['host'], self.host_of(self.active(one)))
        self.assertEqual(
            ['cmp-3', 'cmp-2', 'cmp-1'], [one['host'] for one in created]
        )

    def test_refused(self):
        """What the scheduler can't tell; nothing is created."""
        for told, asked in (
            ('Instance group 0 could not be found', {'hints': {'group': '0'}}),
            ('hint a is neither a text nor', {'hints': {'a': {}}}),
            ('known to Cyborg', {'flavorRef': self._create_flavor(
                extra_spec={'accel:device_profile': 'gpu'}
            )}),
        ):
            self.assertIn(
                told, self.refusal(client.WrongArgumentsError, **asked)
            )

    @testcase.attr('slow')
    def test_stock_beside(self):
        """It would ignore the hint, so nothing is created."""
        self.start_beside('stock', STOCK)
        self.assertIn(
            'the scheduler on stock is a stock nova-scheduler',
            self.refusal(client.NotHonouredError),
        )

    def test_silent_cell(self):
        """A stock scheduler might stand in it, so nothing is created."""
        asked = objects.ServiceList.get_by_binary

        def failing(context, binary, **kwargs):
            if binary == 'nova-scheduler':
                raise exception.CellTimeout
            return asked(context, binary, **kwargs)

        self.useFixture(fixtures.MonkeyPatch(
            'nova.objects.ServiceList.get_by_binary', failing
        ))
        self.assertIn(
            'the database of cell', self.refusal(client.NotHonouredError)
        )

    def test_ours_beside(self):
        """Both honour what one of them offers."""
        # It answers at once, but on a busy machine.
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.offers.offer_readiness._TIMEOUT_S', 60
        ))
        self.start_beside('second', base.OUR_MANAGER)
        (one,) = self.run_instance()
        self.assertEqual('cmp-3', self.host_of(self.active(one)))


class UnpreparedTest(RunInstanceTestCase):
    """Nobody set a secret."""

    def configure(self):
        """Not."""

    def test_refused(self):
        """The line says what to do."""
        self.assertIn(
            'enable OfferFilter, and set [nova_ext_offers] secret',
            self.refusal(client.NotHonouredError),
        )
