"""Kill services of three zones while servers are built over them."""

import concurrent.futures
import contextlib
import sqlite3
import time

from keystoneauth1 import exceptions as keystone

from nova_ext.cli import boot
from nova_ext.lab.process import databases
from nova_ext.lab.state import paths
from tests.lab.zone_builds import (
    CHILD,
    GRANDCHILD,
    PARENT,
    PATIENCE_S,
    ZoneBuildsTestCase,
)

COUNT = 12
#: Seconds after which a request that has got no answer is known to be lost.
LIFE_S = 60


class BuildCrashesTest(ZoneBuildsTestCase):
    """Nothing is lost, doubled or left, and what the build says is true."""

    up = (
        *ZoneBuildsTestCase.up, '--set',
        f'nova_ext_offers.lifetime_s={LIFE_S}',
    )

    def test_middle_killed(self):
        """All of the middle zone dies; it is back a moment later.

        What could not even be sent meanwhile is missing, and named.
        """
        self.check_killed(CHILD, min_count=1)

    def test_leaf_killed(self):
        """Nova and nova-ext-api of the last zone die."""
        self.check_killed(GRANDCHILD, 'nova')

    def test_builder_killed(self):
        """The builder dies, and another one goes on."""
        self.check_killed(PARENT, 'builder')

    def check_killed(self, name, *services, min_count=COUNT):
        """Kill services amid a build, and judge it when it is over."""
        build = self.create('web', COUNT, '--min', str(min_count))
        self.wait_for_build(build['id'], lambda found: any(
            item['state'] != 'planned' for item in found['items']
        ), pause_s=0)
        self.kill(name, *services)
        self.lab('up', '--name', name)
        self.check_whole(build, min_count)

    def check_whole(self, build, min_count=COUNT):
        """Check that a build has what it says, and enough; delete it."""
        found = self.wait_for_build(
            build['id'], lambda found: found['state'] != 'building'
            and not {'unknown', 'undo'} & {
                item['state'] for item in found['items']
            },
        )
        self.assertEqual('active', found['state'], found)
        active = found['servers']['active']
        self.assertGreaterEqual(active, min_count, found)
        self.assertIn(f'{active} of {COUNT} servers are ACTIVE', str(found))
        self.assert_known(build['id'], 'web')
        self.assertEqual(active, sum(map(len, self.servers())))
        self.delete(build)
        self.assertEqual([[], [], []], self.servers())

    def test_parent_killed(self):
        """The parent's API dies amid POST: there is all of it, or nothing."""
        for zone, table in ((GRANDCHILD, 'held_offers'), (PARENT, 'builds')):
            before = {build['id'] for build in self.builds()}
            rows = self.count_rows(zone, table)
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                answer = pool.submit(self.post)
                self.wait_for_rows(zone, table, rows)
                self.kill(PARENT, 'nova')
                answer.result()
            self.lab('up', '--name', PARENT)
            made = [
                build for build in self.builds() if build['id'] not in before
            ]
            self.assertLessEqual(len(made), 1)
            self.assertLessEqual(table == 'builds', len(made))
            for build in made:
                self.check_whole(build)
            self.assertEqual([[], [], []], self.servers())

    def post(self):
        """Ask for a build, whatever comes of it."""
        cloud = self.cloud(PARENT)
        flavor = boot.convert_flavor(cloud.get('compute', '/flavors/1')[
            'flavor'
        ])
        del flavor['flavorid']
        with contextlib.suppress(keystone.ClientException):
            cloud.service('scheduler').post('/v1/builds', json={'build': {
                'name': 'web', 'flavor': flavor, 'networks': 'none',
                'image': {'name': 'cirros'}, 'count': COUNT,
            }})

    def wait_for_rows(self, zone, table, count):
        """Wait until a table of a zone's database has more rows."""
        deadline = time.monotonic() + PATIENCE_S
        while self.count_rows(zone, table) <= count:
            self.assertLess(time.monotonic(), deadline, table)

    @staticmethod
    def count_rows(zone, table):
        """Count the rows of a table of a zone's database."""
        path = paths.find(zone).databases / databases.NOVA_EXT
        with contextlib.closing(sqlite3.connect(path)) as connection:
            return connection.execute(
                f'SELECT count(*) FROM {table}'  # noqa: S608  ours
            ).fetchone()[0]

    def builds(self):
        """Return the builds that the parent lists."""
        return self.cloud(PARENT).get('scheduler', '/v1/builds')['builds']
