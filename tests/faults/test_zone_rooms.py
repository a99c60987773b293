"""Two builds at once, and the room that they share."""

import concurrent.futures

from tests.faults.zone_chain import ChainTestCase

#: Servers of one build.
COUNT = 20


class RoomsTest(ChainTestCase):
    """Builds in the zone itself, of servers of which a host has ten."""

    has_own_hosts = True

    def setUp(self):
        """Make the flavor."""
        super().setUp()
        self.flags(group='nova_ext_builds', servers_at_once=10)
        self.flavor_id = self._create_flavor(memory_mb=750, vcpu=1, disk=1)

    def build_twice(self, room, **fields):
        """Ask for two builds at once; return them when they are over."""
        self.assertEqual(room, len(self.ask_root('POST', '/v1/builds', {
            'dry_run': True, 'build': {
                'name': 'web', 'flavor': self.build_flavor(),
                'image': {'name': 'image'}, 'networks': 'none',
                'count': room + 1, 'min_count': 1,
            },
        })['plan']['places']))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            builds = [*pool.map(
                lambda _: self.post(COUNT, **fields), range(2)
            )]
        builds = [self.follow(build, 'active', 'failed') for build in builds]
        active = {
            item['server_id'] for build in builds for item in build['items']
            if item['state'] == 'active'
        }
        self.until(lambda: self.list_servers().keys() == active, 'no others')
        for server in self.list_servers().values():
            self.assertEqual('ACTIVE', server['status'])
        for build in builds:
            count = build['servers'].get('active', 0)
            self.assertEqual(
                'active' if count >= build['min_count'] else 'failed',
                build['state'],
            )
        return sorted(
            build['servers'].get('active', 0) for build in builds
        )


class RoomForOneTest(RoomsTest):
    """Room for the servers of one build."""

    hosts = ('cmp-1', 'cmp-2')

    def test_min(self):
        """As many stand as there is room for."""
        self.assertEqual(COUNT, sum(self.build_twice(COUNT, min_count=1)))

    def test_default(self):
        """One of them stands, whole."""
        self.assertEqual([0, COUNT], self.build_twice(COUNT))


class RoomForBothTest(RoomsTest):
    """Room for the servers of both."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3', 'cmp-4')

    def test_default(self):
        """None fails."""
        self.assertEqual([COUNT, COUNT], self.build_twice(2 * COUNT))
