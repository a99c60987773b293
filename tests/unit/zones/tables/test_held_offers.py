"""Hold room in SQLite, with several that write at once."""

import threading
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.rpc.offers import HeldRoom
from nova_ext.database.database import Database
from nova_ext.zones.tables import held_offers
from tests.unit import forked
from tests.unit.database.databases import make_database

NOW = 1_800_000_000
ROUNDS = 8


def room(host='cmp-1', until=NOW + 300):
    """Return room on a host."""
    return HeldRoom(
        host, host, {'provider': {'MEMORY_MB': 512, 'VCPU': 1}}, 512, 1024, 1,
        'owner', until,
    )


def hold(url, name, rounds=ROUNDS):
    """Add one offer after the other, each as often as it takes."""
    database = Database(url)
    for number in range(rounds):
        while not hold_once(database, f'{name}-{number}'):
            pass


def hold_once(database, request_id, made=None):
    """Read what is held, and add one offer on the host of that number."""
    with database.reading() as session:
        generation, held = held_offers.read(session, NOW)
    added = [(request_id, made or room(f'cmp-{len(held)}'))]
    with database.writing() as session:
        return held_offers.add(session, generation, added, 'project', NOW)


def read(database, now=NOW):
    """Return what is held."""
    with database.reading() as session:
        return held_offers.read(session, now)[1]


def check_added_once(test, database, names):
    """Check that each addition saw all those before it."""
    held = read(database)
    test.assertEqual(
        {f'{name}-{number}' for name in names for number in range(ROUNDS)},
        held.keys(),
    )
    test.assertEqual(
        {f'cmp-{number}' for number in range(len(held))},
        {each.host for each in held.values()},
    )


class HeldOffersTest(testtools.TestCase):
    """A database of its own for each test."""

    def setUp(self):
        """Make the schema."""
        super().setUp()
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.url = f'sqlite:///{folder}/d.sqlite'
        self.database = make_database(folder / 'd.sqlite')

    def test_kept(self):
        """What is held is read as it was added."""
        self.assertTrue(hold_once(self.database, 'a', room()))
        self.assertEqual({'a': room()}, read(self.database))

    def test_not_twice(self):
        """What was chosen beside less than is held is not added."""
        with self.database.reading() as session:
            generation, _ = held_offers.read(session, NOW)
        self.assertTrue(hold_once(self.database, 'a'))
        with self.database.writing() as session:
            self.assertFalse(held_offers.add(
                session, generation, [('b', room())], 'project', NOW
            ))
        self.assertEqual(['a'], [*read(self.database)])

    def test_expired(self):
        """It holds nothing from its second on, and its row goes."""
        hold_once(self.database, 'a', room(until=NOW + 1))
        self.assertEqual({'a'}, read(self.database, NOW).keys())
        self.assertEqual({}, read(self.database, NOW + 1))
        with self.database.writing() as session:
            held_offers.add(
                session, 1, [('a', room())], 'project', NOW + 1
            )
        self.assertEqual({'a': room()}, read(self.database, NOW))

    def test_purged(self):
        """What has expired goes."""
        hold_once(self.database, 'a', room(until=NOW + 1))
        hold_once(self.database, 'b')
        with self.database.writing() as session:
            self.assertEqual(1, held_offers.purge(session, NOW + 1))
        self.assertEqual({'b'}, read(self.database, NOW).keys())

    def test_given_back(self):
        """By its project alone, once."""
        hold_once(self.database, 'a')
        hold_once(self.database, 'b')
        for project, count in ('other', 0), ('project', 1), ('project', 0):
            with self.database.writing() as session:
                self.assertEqual(count, held_offers.give_back(
                    session, ['a', 'c'], project
                ))
        self.assertEqual(['b'], [*read(self.database)])

    @property
    def patient_url(self):
        """It may take long until a busy disk lets the last one write."""
        return f'{self.url}?timeout=120'

    def test_threads(self):
        """Each addition sees those of the others."""
        names = ('a', 'b', 'c')
        threads = [
            threading.Thread(target=hold, args=(self.patient_url, name))
            for name in names
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check_added_once(self, self.database, names)

    def test_processes(self):
        """So it is between processes."""
        names = ('a', 'b', 'c', 'd')
        processes = [
            forked.context.Process(target=hold, args=(self.patient_url, name))
            for name in names
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join(120)
            self.assertEqual(0, process.exitcode)
        check_added_once(self, self.database, names)
