"""Count the servers of a project's builds, with several that add at once."""

import threading
import uuid
from pathlib import Path

import fixtures
import testtools

from nova_ext.database.database import Database
from nova_ext.zones import states
from nova_ext.zones.tables import builds, held_offers
from nova_ext.zones.tables.models import Build, Item, PlannedBuild
from tests.unit.database.databases import make_database
from tests.unit.zones.tables.test_held_offers import NOW, room

PROJECT, OTHER = 'a' * 32, 'b' * 32


def plan(database, servers, most, project=PROJECT, until=NOW + 60):
    """Plan a build; return whether the project may have its servers."""
    planned = PlannedBuild(
        uuid=str(uuid.uuid4()), project_id=project, servers=servers,
        until=until,
    )
    try:
        with database.writing() as session:
            builds.add_planned(session, planned, most, NOW)
    except builds.TooManyServersError:
        return False
    return True


def check_race(test, url):
    """Check that of many who plan at once no more are let in than fit."""
    start, results = threading.Barrier(4), []

    def plan_often():
        database = Database(url)
        start.wait()
        results.extend([plan(database, 3, 20) for _ in range(4)])

    threads = [threading.Thread(target=plan_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    test.assertEqual((6, 10), (results.count(True), results.count(False)))


class PlannedBuildsTest(testtools.TestCase):
    """A database of its own for each test."""

    def setUp(self):
        """Make the schema."""
        super().setUp()
        file = Path(self.useFixture(fixtures.TempDir()).path) / 'd.sqlite'
        self.url = f'sqlite:///{file}?timeout=120'
        self.database = make_database(file)

    def count(self, project=PROJECT, now=NOW):
        """Count a project's servers."""
        with self.database.reading() as session:
            return builds.count_servers(session, project, now)

    def store(self, state, *item_states, ends_at=NOW + 60):
        """Store a build, with one attempt after the other of each server.

        :param item_states: of the attempts of each server.
        :returns: the request ids of the items.
        """
        build = str(uuid.uuid4())
        items = [
            Item(
                key=str(uuid.uuid4()), build=build, build_uuid=build,
                project_id=PROJECT, number=number, attempt=attempt,
                state=each, request_id=f'{build}-{number}-{attempt}',
            ) for number, attempts in enumerate(item_states, 1)
            for attempt, each in enumerate(attempts, 1)
        ]
        ids = [item.request_id for item in items]
        with self.database.writing() as session:
            session.add(Build(
                uuid=build, project_id=PROJECT, user_id='u', name='web',
                request={}, count=len(item_states), min_count=1, state=state,
                message='', report='{}', created_at='', updated_at='',
                ends_at=ends_at, items=items,
            ))
        return ids

    def hold(self, *request_ids, build_project=PROJECT):
        """Hold room for offers."""
        with self.database.writing() as session:
            generation, _ = held_offers.read(session, NOW)
            held_offers.add(
                session, generation, [(each, room()) for each in request_ids],
                PROJECT, NOW, build_project,
            )

    def test_planned(self):
        """What is planned counts, of the project alone, until its end."""
        self.assertTrue(plan(self.database, 7, 10))
        self.assertTrue(plan(self.database, 9, 10, OTHER))
        self.assertFalse(plan(self.database, 4, 10))
        self.assertTrue(plan(self.database, 3, 10))
        self.assertEqual((10, 9), (self.count(), self.count(OTHER)))
        self.assertEqual(0, self.count(now=NOW + 60))

    def test_dead(self):
        """The plan of a process that died goes with the next one."""
        self.assertTrue(plan(self.database, 10, 10, until=NOW))
        self.assertTrue(plan(self.database, 10, 10))
        with self.database.reading() as session:
            self.assertEqual(1, session.query(PlannedBuild).count())

    def test_building(self):
        """A build that goes on counts each server that is not ACTIVE."""
        self.store(
            states.BUILDING, [states.PLANNED], [states.SENT], [states.GONE],
            [states.FAILED, states.UNKNOWN], [states.ACTIVE],
            [states.GONE, states.ACTIVE],
        )
        self.assertEqual(4, self.count())
        self.assertEqual(0, self.count(OTHER))

    def test_over(self):
        """A build that is over counts what is still to be deleted."""
        self.store(
            states.BUILD_ACTIVE, [states.ACTIVE], [states.UNDO],
            [states.FAILED, states.GONE],
        )
        self.store(states.DELETING, [states.UNDO], [states.GONE])
        self.assertEqual(2, self.count())

    def test_stale(self):
        """A zone that is dead for good does not block the project."""
        self.store(
            states.BUILD_ACTIVE, [states.UNDO], ends_at=NOW - states.STALE_S
        )
        self.assertEqual(0, self.count())

    def test_held(self):
        """What offers hold counts once; what parents' hold never does."""
        self.hold(*self.store(states.BUILDING, *[[states.PLANNED]] * 3))
        self.assertEqual(3, self.count())
        self.hold('a', 'b')
        self.assertEqual(5, self.count())
        # The same offers may be those of the plan.
        plan(self.database, 4, 10)
        self.assertEqual(7, self.count())
        self.hold('c', 'd', 'e', build_project=None)
        self.assertEqual(7, self.count())

    def test_race(self):
        """Those who plan at once wait for each other."""
        check_race(self, self.url)
