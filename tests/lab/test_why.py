"""Explain, word by word, hosts that each have one thing wrong."""

import random
import re

from oslo_context import context

from nova_ext import client
from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.explain import explain
from nova_ext.lab.services import servers
from tests.lab import base

HOSTS = ('off', 'dark', 'tiny', 'far', 'full', 'named')
#: Boots that are simulated first.
REQUESTS = 20
SEED = 20
LATER = '; as placement stood T s after the decision, '
NONE = '0/6 hosts, placement offered none: 6 no candidate from placement'
#: With a zone that has one of the hosts.
NONE_THERE = (
    '0/6 hosts, placement offered none: 5 not in availability zone {}, 1 no '
    'candidate from placement'
)
SOME = '0/6 hosts: 5 not in availability zone {}, 1 '
NOT_IT = 'not the host that was asked for'
#: What is true of the hosts of other zones, of which one is too small as well.
NOT_IN = 'not in aggregate az-{0} (availability zone {0})'
TOO_SMALL = f'1 lacks MEMORY_MB and is {NOT_IN}'
OUTSIDE = f'{LATER}of 5 hosts that it left out 4 are {NOT_IN}, {TOO_SMALL}'


class WhyTest(base.RabbitTestCase):
    """Boot on six hosts, each in an availability zone of its own."""

    up = (
        '--broker', 'rabbit', '--computes', *(
            f'{host}:az={host},vcpus=8,ram_mb='
            f'{1024 if host == "tiny" else 8192},disk_gb=200'
            for host in HOSTS
        ),
        # A build that has just ended still counts for a moment.
        '--set', 'filter_scheduler.io_ops_weight_multiplier=0',
    )

    @classmethod
    def setUpClass(cls):
        """Get a program that asks the scheduler."""
        super().setUpClass()
        cls.scheduler = cls.program(timeout_s=120)

    def setUp(self):
        """Get an administrator."""
        super().setUp()
        self.admin = self.cloud()
        self.services = {
            service['host']: service['id'] for service in self.admin.get(
                'compute', '/os-services?binary=nova-compute'
            )['services']
        }
        (self.image,) = self.admin.get(
            'image', '/v2/images?name=cirros'
        )['images']

    def service(self, host, **body):
        """Change a host's nova-compute service."""
        self.admin.compute.put(
            f'/os-services/{self.services[host]}', json=body
        )

    def ask_for(self, hints=None, flavor='2', **body):
        """Boot a server; it is ACTIVE or in ERROR then."""
        created = self.admin.compute.post('/servers', json={
            'server': {
                'name': 'why', 'flavorRef': flavor, 'networks': 'none',
                'imageRef': self.image['id'], **body,
            }, 'os:scheduler_hints': hints or {},
        }).json()['server']
        self.addCleanup(self.remove, created['id'])
        return servers.wait_until_built(self.admin, created['id'])

    def remove(self, server):
        """Delete a server, and wait until it is gone."""
        self.admin.compute.delete(f'/servers/{server}')
        self.wait_until(lambda: server not in [
            each['id']
            for each in self.admin.get('compute', '/servers')['servers']
        ])

    def says(self, operator, member, **request):
        """Assert on the words for a boot that fails.

        Placement is asked what hosts lack, which takes a moment.
        """
        server = self.ask_for(**request)
        self.assertEqual('ERROR', server['status'])
        told = []

        def asked():
            told[:] = [self.explain(server['id'])]
            return 'as placement stood' in told[0]['sentence']

        self.wait_until(asked)
        decision = d.Decision.from_dict(told[0]['decision'])
        self.assertEqual(
            [operator, member], [
                re.sub(r'[\d.]+ s after', 'T s after', sentence)
                for sentence in (
                    told[0]['sentence'], explain(
                        decision, hosts=False, reader=decision.user_id
                    ).sentence,
                )
            ],
        )

    def test_disabled(self):
        """By an operator, so that placement does not offer it."""
        self.service('off', status='disabled', disabled_reason='disk swap')
        self.addCleanup(self.service, 'off', status='enabled')
        self.wait_until(lambda: self.admin.get(
            'placement',
            '/resource_providers?required=COMPUTE_STATUS_DISABLED',
        )['resource_providers'])
        self.says(
            f'{NONE}{LATER}of 6 hosts that it left out 4 are {NOT_IT}, 1 is '
            f'disabled, 1 lacks MEMORY_MB and is {NOT_IT}', NONE, host='off',
        )

    def test_down(self):
        """Nova knows that its nova-compute is down."""
        self.service('dark', forced_down=True)
        self.addCleanup(self.service, 'dark', forced_down=False)
        some, later = SOME.format('dark'), OUTSIDE.format('dark')
        self.says(
            f'{some}down as forced_down is set (ComputeFilter){later}',
            f'{some}down (ComputeFilter)', availability_zone='dark',
        )

    def test_too_small(self):
        """It never had as much memory."""
        none, outside = NONE_THERE.format('tiny'), NOT_IN.format('tiny')
        self.says(
            f'{none}{LATER}of 6 hosts that it left out 5 are {outside}, 1 '
            'lacks MEMORY_MB; tiny: MEMORY_MB 2048, at most 1024 a server '
            'there', none, availability_zone='tiny',
        )

    def test_in_another_zone(self):
        """The host that was asked for is not in the zone that was."""
        none = NONE_THERE.format('named')
        outside = NOT_IN.format('named')
        self.says(
            f'{none}{LATER}of 6 hosts that it left out 3 are {outside} and '
            f'{NOT_IT}, 1 is {outside}, 1 is {NOT_IT}, 1 lacks MEMORY_MB and '
            f'is {outside} and {NOT_IT}', none,
            availability_zone='named', host='far',
        )

    def test_full(self):
        """Its memory is taken by another server."""
        first = self.ask_for(availability_zone='full', flavor='3')
        self.assertEqual('full', first['OS-EXT-SRV-ATTR:host'])
        none, outside = NONE_THERE.format('full'), NOT_IN.format('full')
        self.says(
            f'{none}{LATER}of 6 hosts that it left out 4 are {outside}, 1 '
            f'lacks MEMORY_MB, {TOO_SMALL.format("full")}; full: MEMORY_MB '
            '4096, too much of 7680 is used there', none,
            availability_zone='full', flavor='3',
        )

    def test_asked_for_by_name(self):
        """A hint names another one."""
        some, later = SOME.format('named'), OUTSIDE.format('named')
        elsewhere = 'requested_host is elsewhere (SpecifiedHostFilter)'
        self.says(
            f'{some}{elsewhere}{later}', f'{some}{elsewhere}',
            availability_zone='named', hints={'requested_host': 'elsewhere'},
        )

    def test_simulated_first(self):
        """Boots go where it was said, or to a host that is as good."""
        chance = random.Random(SEED)  # noqa: S311  not a secret
        flavors = {
            flavor['id']: flavor for flavor in self.admin.get(
                'compute', '/flavors/detail'
            )['flavors']
        }
        session = self.admin.session
        caller = context.RequestContext(
            user_id=session.get_user_id(), project_id=session.get_project_id(),
            roles=['admin', 'member', 'reader'],
        )
        outcomes = set()
        for number in range(REQUESTS):
            flavor = flavors[chance.choice('1233')]
            hints = chance.choice([{}, {}, {
                'requested_host': chance.choice(['far', 'named', 'nowhere'])
            }])
            zone = chance.choice(['', '', 'far', 'tiny', 'full'])
            decision = self.scheduler.simulate(caller, client.BootRequest(
                client.BootFlavor(
                    vcpus=flavor['vcpus'], memory_mb=flavor['ram'],
                    root_gb=flavor['disk'], name=flavor['name'],
                    flavorid=flavor['id'],
                ), image={
                    'id': self.image['id'], 'disk_format': 'raw',
                    'min_ram': 0, 'min_disk': 0, 'properties': {},
                }, availability_zone=zone, hints=hints,
            ))
            outcomes.add(decision.outcome)
            server = self.ask_for(
                hints, flavor['id'],
                **({'availability_zone': zone} if zone else {}),
            )
            case = f'{number}: {flavor["name"]} {hints} {zone}'
            if decision.outcome == d.NO_VALID_HOST:
                self.assertEqual('ERROR', server['status'], case)
                continue
            (attempt,) = decision.attempts
            self.assertIn(
                server['OS-EXT-SRV-ATTR:host'],
                attempt.ranked[:max(1, attempt.equal)], case,
            )
        self.assertEqual({d.PLACED, d.NO_VALID_HOST}, outcomes)
