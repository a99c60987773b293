"""Test prepared databases."""

import sqlite3
from contextlib import closing
from importlib import metadata

from nova_ext.lab.process import databases
from nova_ext.lab.state.errors import LabError
from tests.unit.lab import base

NAMES = ['a.sqlite', 'b.sqlite']
#: As cache_key names them; only the second is of a later release.
ENTRY, LATER, SAME_RELEASE = 'a-b-1.0.0-1f', 'a-b-1.1.0-1f', 'a-b-1.0.1-2f'


class PrepareTest(base.LabTestCase):
    """Build databases once, then copy them."""

    def setUp(self):
        """Count how often databases are built."""
        super().setUp()
        self.built = []

    def prepare(self, there, entry=ENTRY, fail=False):
        """Prepare the databases of a lab."""
        def build():
            self.built.append(there.name)
            for name in NAMES:
                with closing(sqlite3.connect(there.databases / name)) as it:
                    it.execute('PRAGMA journal_mode = WAL')
                    it.execute('CREATE TABLE t (maker TEXT)')
                    it.execute('INSERT INTO t VALUES (?)', (there.name,))
                    it.commit()
            if fail:
                raise RuntimeError
        databases.prepare(there, NAMES, entry, build)

    def makers(self, there):
        """Return the labs that built the databases of a lab."""
        makers = []
        for name in NAMES:
            with closing(sqlite3.connect(there.databases / name)) as it:
                makers += [row[0] for row in it.execute('SELECT * FROM t')]
        return makers

    def test_second_lab(self):
        """Copy the databases of the first lab."""
        first, _ = self.new_lab('first')
        second, _ = self.new_lab('second')
        self.prepare(first)
        self.prepare(second)
        self.assertEqual(['first'], self.built)
        self.assertEqual(['first', 'first'], self.makers(second))

    def test_existing(self):
        """Keep the databases of a lab that comes up again."""
        there, _ = self.new_lab()
        self.prepare(there)
        with closing(sqlite3.connect(there.databases / NAMES[0])) as it:
            it.execute("UPDATE t SET maker = 'changed'")
            it.commit()
        self.prepare(there, SAME_RELEASE)
        self.assertEqual(['changed', 'one'], self.makers(there))

    def test_existing_of_another_release(self):
        """Refuse them each time, and leave them as they are."""
        there, _ = self.new_lab()
        self.prepare(there)
        for _ in range(2):
            error = self.assertRaises(LabError, self.prepare, there, LATER)
            self.assertEqual(
                'its databases are of a-b 1.0.0, and a-b 1.1.0 is installed; '
                'install the former, or "nova-ext lab delete --name one", to '
                'begin anew', str(error),
            )
        self.prepare(there)
        self.assertEqual(['one'], self.built)

    def test_snapshots(self):
        """Two of one release may have two schemas."""
        there, _ = self.new_lab()
        self.prepare(there, 'a-1.1.0.dev5-1f')
        self.assertRaises(
            LabError, self.prepare, there, 'a-1.1.0.dev6-1f'
        )

    def test_own_database(self):
        """Migrate nova-ext's own in place, once for each nova-ext."""
        there, _ = self.new_lab()
        for entry in (ENTRY, ENTRY, LATER, LATER):
            databases.prepare(
                there, [databases.NOVA_EXT], entry,
                lambda entry=entry: self.built.append(entry) or
                (there.databases / databases.NOVA_EXT).touch(),
            )
        self.assertEqual([ENTRY, LATER], self.built)

    def test_another_entry(self):
        """Build anew for another version of a service."""
        first, _ = self.new_lab('first')
        second, _ = self.new_lab('second')
        self.prepare(first)
        self.prepare(second, LATER)
        self.assertEqual(['first', 'second'], self.built)

    def test_interrupted(self):
        """Build half-built databases again, and never copy them."""
        first, _ = self.new_lab('first')
        second, _ = self.new_lab('second')
        self.assertRaises(RuntimeError, self.prepare, first, fail=True)
        self.prepare(first, LATER)
        self.assertEqual(['first', 'first'], self.makers(first))
        first, _ = self.new_lab('third')
        log = first.databases / f'{NAMES[0]}-wal'
        log.write_text('of a database that is gone')
        self.prepare(second)
        self.prepare(first)
        self.assertFalse(log.exists())
        self.assertEqual(['second', 'second'], self.makers(first))

    def test_two_at_once(self):
        """Give both labs their databases, whichever stores first."""
        first, _ = self.new_lab('first')
        second, _ = self.new_lab('second')
        databases.prepare(
            first, NAMES, ENTRY, lambda: self.prepare(second)
            or self.prepare(first, SAME_RELEASE),
        )
        self.assertEqual(['first', 'first'], self.makers(first))
        self.assertEqual(['second', 'second'], self.makers(second))


class KeyTest(base.LabTestCase):
    """Name a prepared database after all that it depends on."""

    def test_release(self):
        """Begin with the package and its version, whatever they are called."""
        self.assertEqual(
            ('openstack-placement', *metadata.version('openstack-placement')
             .split('.')[:2]),
            databases._read_release(
                databases.cache_key('openstack-placement')
            ),
        )

    def test_source(self):
        """Depend on our code that fills it, and the service's package."""
        source = self.folder / 'x.py'
        source.write_text('1')
        before = databases.cache_key('nova', str(source))
        self.assertEqual(before, databases.cache_key('nova', str(source)))
        self.assertNotEqual(before, databases.cache_key('glance', str(source)))
        source.write_text('2')
        self.assertNotEqual(before, databases.cache_key('nova', str(source)))
