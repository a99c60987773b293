"""Bound what all builds of a project have together, through the API."""

import concurrent.futures
import contextlib
import threading

import fixtures

from nova_ext.core.base import scheduling_errors as s
from nova_ext.zones import states
from nova_ext.zones.tables import builds
from nova_ext.zones.tables.models import Item, PlannedBuild
from tests.unit.zones.builds.test_planning import BuildsTestCase
from tests.unit.zones.offers import base

#: Seconds for which one of two threads waits for the other.
WAIT_S = 1


class MaxServersTest(BuildsTestCase):
    """A zone with much room, in which a project may have three servers."""

    def setUp(self):
        """Set the option."""
        super().setUp()
        self.backends.fake.costs = [*range(100)]
        self.conf.config(group='nova_ext_builds', max_servers_per_project=3)

    def refuse(self, count, **fields):
        """Check that a build is refused, and return its line."""
        error, = self.build(count, 403, **fields)['errors']
        self.assertEqual('scheduler.quota_exceeded', error['code'])
        self.assertNotIn('\n', error['detail'])
        return error['detail']

    def count_plans(self):
        """Count the builds that are planned."""
        with self.database.reading() as session:
            return session.query(PlannedBuild).count()

    def test_over(self):
        """What would exceed it is refused before any zone is asked."""
        self.build(2)
        asked = len(self.backends.fake.asked)
        detail = self.refuse(2, min_count=1)
        self.assertIn('have 2 servers; with 2 more', detail)
        self.assertIn('over 3', detail)
        self.assertEqual(asked, len(self.backends.fake.asked))
        self.assertEqual([], self.ended_trusts)
        self.assertEqual('building', self.build(1)['build']['state'])
        self.assertEqual('building', self.build(
            3, who='other'
        )['build']['state'])

    def test_active(self):
        """Servers that are ACTIVE count no more."""
        self.build(3)
        self.refuse(1)
        with self.database.writing() as session:
            session.query(Item).update({'state': states.ACTIVE})
            request_ids = [item.request_id for item in session.query(Item)]
        self.make_gathering()._own.give_back(self.context(), request_ids)
        self.assertEqual('building', self.build(3)['build']['state'])

    def test_not_planned(self):
        """What could not be planned leaves nothing that counts."""
        self.backends.fake.costs = [1]
        self.assertEqual('failed', self.build(3)['build']['state'])
        self.backends.fake.error = s.TooOldError('old')
        self.assertEqual('failed', self.build(3)['build']['state'])
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.builds.planning.make_plan',
            lambda *args, **options: 1 / 0,
        ))
        self.build(3, 500)
        self.assertEqual(0, self.count_plans())

    def test_dry_run(self):
        """A dry run holds nothing, and is of any number."""
        self.build(3)
        plan = self.build(4, 200, dry_run=True)['plan']
        self.assertEqual(4, len(plan['places']))

    def test_largest(self):
        """By default one build of 1,000 servers is possible."""
        self.conf.conf.clear_override(
            'max_servers_per_project', 'nova_ext_builds'
        )
        self.backends.fake.costs = [*range(1001)]
        build = self.build(1000)['build']
        self.assertEqual({'planned': 1000}, build['servers'])
        self.refuse(1)

    def test_last_room(self):
        """Of two that race for it one wins, and the other is refused."""
        both = threading.Barrier(2)
        count = builds.count_servers

        def count_together(*args):
            counted = count(*args)
            # Whoever holds the lock waits in vain.
            with contextlib.suppress(threading.BrokenBarrierError):
                both.wait(WAIT_S)
            return counted

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.tables.builds.count_servers',
            count_together,
        ))

        def post(_):
            return self.client.post(
                '/v1/builds', headers={'X-Auth-Token': 'member'},
                json={'build': {**base.BUILD, 'name': 'web', 'count': 2}},
            ).status_code

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.assertEqual([202, 403], sorted(pool.map(post, range(2))))
        self.assertEqual(0, self.count_plans())
