"""Build servers over a chain of zones in which services are killed."""

import time

import fixtures
import requests
from testtools import content

from nova_ext.zones import registry, states
from nova_ext.zones.builds.trusts import TrustRefusedError
from nova_ext.zones.tables import held_offers
from tests.faults.processes import BuilderProcess, NoScheduler, ZoneApi
from tests.faults.proxy import FaultyProxy
from tests.functional_rpc.test_builds import BuildsTestCase
from tests.functional_rpc.zone_clouds import THEIRS

#: The project by which the middle zone serves the root.
MIDDLE = 'd' * 32
#: Seconds of an offer's life, where a case waits for its end.
LIFE_S = 5
#: Seconds in which anything has happened, on a busy machine.
DEADLINE_S = 120
OFFERS, ITEMS = '/v1/zones/offers', '/v1/zones/items'
USER = 'member,reader'


class ChainTestCase(BuildsTestCase):
    """A root, a middle and a leaf zone, which alone has hosts.

    All is spoken over HTTP, through proxies: the user with the root's API, it
    and the builder with the middle's API, that one with the leaf's API, and
    the leaf's API with Nova.
    """

    #: Whether the root has hosts in place of the leaf.
    has_own_hosts = False
    #: Whether the middle zone has hosts, beside the leaf: the same ones.
    middle_has_hosts = False

    def setUp(self):
        """Start all services."""
        super().setUp()
        self.flags(group='nova_ext_zones', enable_zone_routing=True)
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.builds.trusts.create_trust', self.create_trust
        ))
        self.case = ''
        self.deaths = 0
        #: Of the user's requests, besides.
        self.headers = {}
        self.addOnException(lambda _: self.addDetail(
            'case', content.text_content(self.case)
        ))
        self.to_nova = FaultyProxy(self, self.endpoints['compute'])
        self.endpoints['compute'] = self.to_nova.url
        self.leaf = ZoneApi(
            self, 'leaf', self.make_database('leaf'), THEIRS, self.program,
            f'nova_ext_parent,{USER}',
        )
        self.to_leaf = FaultyProxy(self, self.leaf.url)
        self.middle = ZoneApi(
            self, 'middle', self.make_database('middle'), MIDDLE,
            self.program if self.middle_has_hosts else NoScheduler(),
            f'nova_ext_parent,{USER}',
        )
        self.add_child(self.middle.database, self.leaf, self.to_leaf)
        self.to_middle = FaultyProxy(self, self.middle.url)
        with self.database.writing() as session:
            registry.delete_zone(session, registry.list_zones(session)[0])
        if not self.has_own_hosts:
            self.add_child(self.database, self.middle, self.to_middle)
        self.root = ZoneApi(
            self, 'parent', self.database, self.me.project_id, self.program,
            USER,
        )
        self.to_root = FaultyProxy(self, self.root.url)
        self.builder = BuilderProcess(self, 'parent')
        self.services = (self.root, self.middle, self.leaf, self.builder)
        self.hosting = self.root if self.has_own_hosts else self.leaf

    def create_trust(self, auth, ends_at):
        """Stand for Keystone, which makes trusts for passwords only."""
        if not self.has_own_hosts:
            raise TrustRefusedError('an application credential')
        return 'trust'

    @staticmethod
    def add_child(database, child, proxy):
        """Add a child zone to a zone."""
        with database.writing() as session:
            zone = registry.create_zone(session, {
                'name': child._name, 'url': proxy.url, 'cloud': 'child',
                'weight_scale': 1.0, 'weight_offset': 0.0,
                'is_disabled': False, 'is_shared': True,
            })
            zone.uuid, zone.is_active = child.uuid, True

    def ask_root(self, method, path, body=None):
        """Ask the root's API as its user.

        :returns: the answer's document; None: there was no answer.
        """
        try:
            answer = requests.request(
                method, f'{self.to_root.url}{path}', json=body,
                headers=self.headers, timeout=DEADLINE_S,
            )
        except requests.ConnectionError:
            return None
        self.assertLess(answer.status_code, 300, answer.text)
        return answer.json() if answer.content else {}

    def post(self, count=2, flavor_id=None, **fields):
        """Ask for a build; return it, or None without an answer."""
        answer = self.ask_root('POST', '/v1/builds', {'build': {
            'name': 'web', 'flavor': self.build_flavor(flavor_id),
            'image': {'name': 'image'}, 'networks': 'none', 'count': count,
            **fields,
        }})
        return answer and answer['build']

    def show(self, build):
        """Return what the root's API says of a build."""
        return self.ask_root('GET', f'/v1/builds/{build["id"]}')['build']

    def list_builds(self):
        """Return the builds that the root's API lists."""
        return self.ask_root('GET', '/v1/builds')['builds']

    def delete(self, build):
        """Delete a build; the answer may be lost."""
        self.ask_root('DELETE', f'/v1/builds/{build["id"]}')

    def restart(self):
        """Start what was killed."""
        for service in self.services:
            if service.is_dead:
                self.deaths += 1
                if service is self.builder:
                    service.leave()
                service.start()

    def until(self, condition, what):
        """Have all services work until a condition holds.

        :returns: what the condition returned.
        """
        deadline = time.monotonic() + DEADLINE_S
        while True:
            self.restart()
            self.builder.tick()
            if found := condition():
                return found
            self.assertLess(
                time.monotonic(), deadline, f'waited for {what}'
            )
            time.sleep(0.2)

    def follow(self, build, *wanted):
        """Have all services work until a build is over; return it."""
        def is_over():
            shown = self.show(build)
            return shown if shown['state'] in wanted and not any(
                item['state'] in states.OPEN for item in shown['items']
            ) else None

        return self.until(is_over, f'the build to be {wanted}')

    def list_held(self):
        """Return the request ids whose room is held, and has not expired."""
        with self.hosting.database.reading() as session:
            return [*held_offers.read(session, int(time.time()))[1]]

    def judge(self, build, count=2):
        """Check that a build's servers are there, once, and no others."""
        shown = self.show(build)
        active = [
            item for item in shown['items'] if item['state'] == 'active'
        ]
        servers = self.list_servers()
        self.assertEqual(
            {item['server_id']: 'ACTIVE' for item in active},
            {key: server['status'] for key, server in servers.items()}, shown,
        )
        self.assertEqual(
            [self.name(number, count) for number in range(1, count + 1)],
            sorted(server['name'] for server in servers.values()),
        )
        for item in active:
            self.assertEqual(
                self.name(item['number'], count),
                servers[item['server_id']]['name'],
            )
        self.assertEqual('active', shown['state'])
        self.assertEqual({'active': count}, shown['servers'])
        self.assertEqual(
            f'{count} of {count} servers are ACTIVE', shown['message']
        )
        self.assertEqual([], self.list_held())
        return shown

    @staticmethod
    def name(number, count):
        """Return the name of a build's server."""
        return 'web' if count == 1 else f'web-{number}'

    def clear_away(self, build):
        """Delete a build, and check that nothing is left of it."""
        self.delete(build)
        self.judge_deleted(self.follow(build, 'deleted'))

    def judge_deleted(self, shown):
        """Check that nothing is left of a build that was deleted."""
        self.assertEqual('deleted', shown['state'])
        self.assertLessEqual(
            {item['state'] for item in shown['items']}, {'gone', 'failed'}
        )
        self.until(lambda: not self.list_servers(), 'no server')
        self.assertEqual([], self.list_held())
