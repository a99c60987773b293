"""Keep child zones in a database."""

import threading

from nova_ext.database.database import DatabaseError
from nova_ext.zones import registry
from nova_ext.zones.zone_info import ZoneInfo
from tests.unit.database.databases import make_database
from tests.unit.record import samples

UUID = '11111111-1111-4111-8111-111111111111'
VALUES = {
    'name': 'one', 'url': 'https://one.example.org', 'cloud': 'one',
    'weight_scale': 1.0, 'weight_offset': 0.0, 'is_disabled': False,
}
ANSWER = ZoneInfo(UUID, 'nova', False, {'general': {}, 'services': {}})


class RegistryTests:
    """Test what holds on every server."""

    def test_own_uuid(self):
        """It is drawn once, whoever asks at the same moment."""
        found, ready = [], threading.Barrier(4)

        def ask():
            ready.wait()
            try:
                found.append(registry.get_own_uuid(self.database))
            except DatabaseError as error:
                found.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({registry.get_own_uuid(self.database)}, set(found))
        self.assertEqual(4, len(found))

    def test_errors(self):
        """An active zone is inactive at the last of the errors."""
        child = self.create()
        with self.database.writing() as session:
            registry.record_answer(session, child, ANSWER, 'own')
        self.assertTrue(self.get().is_active)
        for number in (1, 2, 3):
            with self.database.writing() as session:
                registry.record_error(session, child, f'e{number}', 3)
            zone = self.get()
            self.assertEqual(
                (number, f'e{number}', number < 3, number == 3),
                (zone.errors, zone.last_error, zone.is_active,
                 zone.inactive_since is not None),
            )
        since = zone.inactive_since
        with self.database.writing() as session:
            registry.record_error(session, child, 'e4', 3)
        self.assertEqual(since, self.get().inactive_since)

    def test_one_uuid_at_once(self):
        """Of two answers that cross each other the second is refused."""
        first = self.create()
        second = self.create(name='two', url='https://two.example.org')
        with self.database.writing() as session:
            registry.record_answer(session, first, ANSWER, 'own')
        self.patch(registry, '_check_uuid', lambda *_: None)

        def record():
            with self.database.writing() as session:
                registry.record_answer(session, second, ANSWER, 'own')

        error = self.assertRaises(registry.WrongZoneError, record)
        self.assertIn(UUID, str(error))
        self.assertIsNone(self.get('two').uuid)

    def create(self, **values):
        """Create a zone."""
        with self.database.writing() as session:
            return registry.to_child(registry.create_zone(
                session, {**VALUES, **values}
            ))

    def get(self, name='one'):
        """Return a zone."""
        with self.database.reading() as session:
            zone, = registry.list_zones(session, name)
            return zone


class RegistryTest(RegistryTests, samples.RecordTestCase):
    """Use SQLite."""

    def setUp(self):
        """Create the schema."""
        super().setUp()
        self.database = make_database(f'{self.folder}/d.sqlite')

    def test_exists(self):
        """A name and a URL are one zone's."""
        self.create()
        for values in (
            {'url': 'https://two.example.org'}, {'name': 'two'},
        ):
            error = self.assertRaises(
                registry.ZoneExistsError, self.create, **values
            )
            self.assertIn('another zone has the name', str(error))

    def test_read_only(self):
        """A database without a UUID that can't be written is an error."""
        with self.database.writing() as session:
            session.execute(registry.sa.text(
                'CREATE TRIGGER t BEFORE INSERT ON own_zone '
                'BEGIN SELECT RAISE(ABORT, \'read only\'); END'
            ))
        error = self.assertRaises(
            DatabaseError, registry.get_own_uuid, self.database
        )
        self.assertIn('read only', str(error))
