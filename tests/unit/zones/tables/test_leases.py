"""Share builds by leases, in SQLite, with several that write at once."""

from collections import Counter
from pathlib import Path

import fixtures
import sqlalchemy as sa
import testtools

from nova_ext.database.database import Database
from nova_ext.zones.builds.build_rows import BuildRows
from nova_ext.zones.tables import builds, items, leases
from nova_ext.zones.tables.models import Build, Item
from tests.unit import forked
from tests.unit.database.databases import make_database

NOW = 1_800_000_000
ITEMS = 6


def add_build(database, uuid, count=1, **values):
    """Store a build with planned items.

    :param values: of the items.
    """
    with database.writing() as session:
        session.add(Build(
            uuid=uuid, project_id='p', user_id='u', name='web',
            request={}, count=count, min_count=count, state='building',
            message='', report='{}', trust_id=None, created_at='now',
            updated_at='now', ends_at=10**11,
        ))
        session.flush()
        session.add_all(Item(**{
            'key': f'{uuid}-{number}', 'build': uuid, 'build_uuid': uuid,
            'number': number, 'attempt': 2, 'expires_at': 10**11, **values,
        }) for number in range(1, count + 1))


def take(database, owner, now=NOW, uuid='b'):
    """Take a build for ten seconds."""
    with database.writing() as session:
        return leases.take(session, uuid, owner, now, now + 10)


def change(database, lease, key, before, after, **values):
    """Change an item's state."""
    with database.writing() as session:
        return items.change(
            session, key, (before,), *lease.held, state=after, **values
        )


def send_all(url, owner, sent):
    """Send each item that is still planned; a lease ends after each."""
    database = Database(url)
    for round_ in range(ITEMS * 2):
        lease = take(database, owner, NOW + 11 * round_)
        if lease is None:
            continue
        for number in range(1, ITEMS + 1):
            key = f'b-{number}'
            if change(database, lease, key, 'planned', 'sending'):
                sent.append((key, owner))


class BuildItemsTests:
    """Test what holds on every database; it has build ``b``."""

    def test_taken_once(self):
        """Nobody takes what is owned, until its lease is over."""
        first = take(self.database, 'one')
        self.assertIsNone(take(self.database, 'two', NOW + 9))
        second = take(self.database, 'two', NOW + 10)
        self.assertEqual(first.epoch + 1, second.epoch)

    def test_late_owner(self):
        """Who was taken over from writes nothing, and extends nothing."""
        first = take(self.database, 'one')
        second = take(self.database, 'two', NOW + 10)
        self.assertFalse(
            change(self.database, first, 'b-1', 'planned', 'sending')
        )
        with self.database.writing() as session:
            self.assertFalse(leases.extend(session, first, NOW + 99))
            self.assertFalse(leases.add_attempts(
                session, first, NOW, NOW + 99, [Item()]
            ))
            self.assertFalse(builds.change(
                session, 'b', ('building',), first, state='failed'
            ))
            self.assertTrue(builds.change(
                session, 'b', ('building',), second, message='so far'
            ))
        self.assertTrue(
            change(self.database, second, 'b-1', 'planned', 'sending')
        )

    def test_from_its_state(self):
        """An item is changed from the state that was read alone."""
        lease = take(self.database, 'one')
        self.assertTrue(
            change(self.database, lease, 'b-1', 'planned', 'sending')
        )
        self.assertFalse(
            change(self.database, lease, 'b-1', 'planned', 'gone')
        )

    def test_build_marked(self):
        """Nothing is sent of a build that was marked as deleted."""
        rows = BuildRows(self.database, take(self.database, 'one'))
        rows.read()
        self.assertTrue(rows.begin_sending(rows.items[0]))
        with self.database.writing() as session:
            builds.change(session, 'b', ('building',), state='deleting')
        self.assertFalse(rows.begin_sending(rows.items[1]))

    def test_waiting(self):
        """Builds that are over wait for their open items, for their time."""
        def waiting(now=NOW):
            with self.database.reading() as session:
                build = leases.find_waiting(session, now, {})
                return [build[0]] if build else []

        self.assertEqual(['b'], waiting())
        with self.database.writing() as session:
            builds.change(session, 'b', ('building',), state='active')
            session.query(Item).update({'state': 'active'})
        self.assertEqual([], waiting())
        lease = take(self.database, 'one')
        change(self.database, lease, 'b-1', 'active', 'sent')
        with self.database.writing() as session:
            leases.extend(session, lease, 0)
        self.assertEqual(['b'], waiting())
        self.assertEqual([], waiting(10**11 + 3600))
        with self.database.writing() as session:
            session.query(Item).update({'state': 'undo'})
        self.assertEqual(['b'], waiting(10**11 + 3600))
        with self.database.writing() as session:
            session.query(Item).update(
                {'state': 'failed', 'reason': 'lost'}
            )
        self.assertEqual(['b'], waiting(10**11 - 1))
        self.assertEqual([], waiting(10**11))

    def test_fair(self):
        """A project with few builds in hand comes before one with many."""
        for uuid, project, created in (
            ('old', 'many', '1'), ('older', 'many', '0'),
            ('new', 'few', '8'), ('newest', 'none', '9'),
        ):
            add_build(self.database, uuid)
            with self.database.writing() as session:
                build = session.get(Build, uuid)
                build.project_id, build.created_at = project, created
        counts = Counter({'p': 9, 'many': 2})
        taken = []
        for _ in range(4):
            with self.database.reading() as session:
                uuid, project = leases.find_waiting(session, NOW, counts)
            self.assertIsNotNone(take(self.database, 'one', uuid=uuid))
            counts[project] += 1
            taken.append(uuid)
        self.assertEqual(['new', 'newest', 'older', 'old'], taken)

    def test_purged(self):
        """What is over and old goes, if nothing is left of it."""
        add_build(self.database, 'old', state='gone')
        add_build(self.database, 'left', state='undo')
        add_build(self.database, 'active', state='gone')
        with self.database.writing() as session:
            session.query(Build).update({
                'state': 'deleted', 'updated_at': '2026-01-02',
            })
            session.get(Build, 'active').state = 'active'
            items.add(session, Item(
                key='k', build='x', state='gone', updated_at='2026-01-02'
            ))
        counts = []
        for before in '2026-01-02', '2026-01-03', '2026-01-03':
            with self.database.writing() as session:
                counts.append(builds.purge(session, before))
        self.assertEqual([0, 2, 0], counts)
        with self.database.reading() as session:
            self.assertEqual(
                {'b', 'left', 'active'},
                {*session.scalars(sa.select(Build.uuid))},
            )
            self.assertIsNone(session.get(Item, 'old-1'))


class BuildItemsTest(BuildItemsTests, testtools.TestCase):
    """A database of its own for each test."""

    def setUp(self):
        """Make the schema, and a build."""
        super().setUp()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.url = f'sqlite:///{folder}/d.sqlite'
        self.database = make_database(folder / 'd.sqlite')
        add_build(self.database, 'b', ITEMS)

    def test_four_processes(self):
        """Four builders that take from each other send each item once."""
        with forked.context.Manager() as manager:
            sent = manager.list()
            workers = [
                forked.context.Process(target=send_all, args=(
                    # A busy disk may let the last one wait.
                    f'{self.url}?timeout=120', name, sent,
                ))
                for name in ('one', 'two', 'three', 'four')
            ]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join(120)
            keys = [key for key, _ in sent]
        self.assertEqual([0] * 4, [worker.exitcode for worker in workers])
        self.assertEqual(
            sorted(f'b-{number}' for number in range(1, ITEMS + 1)),
            sorted(keys),
        )
