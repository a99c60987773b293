"""Share providers between workers, in a file."""

import concurrent.futures
import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.machine_lock import MachineLock
from nova_ext.engine.providers import Inventory, Provider
from nova_ext.scheduler.mirror.providers import provider_file, provider_tables


class ProviderFileTest(testtools.TestCase):
    """Write and take rows."""

    def setUp(self):
        """Choose a path in a folder that is absent yet."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger(
            'nova_ext.scheduler.mirror'
        ))
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.file = provider_file.ProviderFile(folder / 'mirror' / 'c.db')

    def test_taken(self):
        """What was put in is taken, once, with when its reading began."""
        p1, p2 = make_provider('p1'), make_provider('p2', 3)
        with self.file.open() as file:
            file.put(p1, 10.0, 0.0)
            file.put(p2, 11.0, 0.0)
            first = file.take('', 0)
        self.assertEqual([(10.0, p1), (11.0, p2)], sorted(first.rows))
        with self.file.open() as file:
            known = first.listing.epoch, first.listing.serial
            self.assertEqual([], file.take(*known).rows)
            file.put_untold('p1', 1, {'VCPU': 5}, {'a2'}, 12.0, 0.0)
            ((began, changed),) = file.take(*known).rows
        self.assertEqual((12.0, {'VCPU': 5}), (began, changed.used))

    def test_older_reading(self):
        """A reading that began earlier, or of another generation, is lost."""
        with self.file.open() as file:
            file.put(make_provider('p1', 2), 10.0, 0.0)
            file.put(make_provider('p1', 9), 9.0, 0.0)
            file.put_untold('p1', 8, {'VCPU': 9}, (), 11.0, 0.0)
            ((_, row),) = file.take('', 0).rows
        self.assertEqual({'VCPU': 2}, row.used)

    def test_wanted(self):
        """A provider is wanted until a reading began after that."""
        with self.file.open() as file:
            file.want({'p1': 10.0, 'p2': 10.0})
            file.want({'p1': 20.0, 'p2': 5.0})
            self.assertEqual({'p1': 20.0, 'p2': 10.0}, file.list_wanted())
            file.put(make_provider('p1'), 20.0, 0.0)
            file.put(make_provider('p2'), 10.5, 0.0)
            self.assertEqual({'p1': 20.0}, file.list_wanted())
            file.put_untold('p1', 1, {}, (), 20.5, 0.0)
            self.assertEqual({}, file.list_wanted())

    def test_gone(self):
        """Providers that are not listed go, but for newer ones."""
        with self.file.open() as file:
            for number, uuid in enumerate(('p1', 'p2', 'p3'), 1):
                file.put(make_provider(uuid), 10.0 * number, 0.0)
            file.set_listing(['p1'], 30.0, {'p1': 'p1', 'p3': 'p1'})
            taken = file.take('', 0)
        self.assertEqual({'p1', 'p3'}, set(taken.uuids))
        self.assertEqual({'p1': 'p1', 'p3': 'p1'}, taken.trees)
        with self.file.open() as file:
            file.set_listing(['p1'], 40.0, {})
            self.assertEqual({}, file.take('', 0).trees)

    def test_right(self):
        """The later of two times counts, until nothing is known of it."""
        with self.file.open() as file:
            for wanted, listed_at, behind in (
                (None, 6.0, {'p1': None}), (7.0, 7.0, {}), (7.0, 5.0, {}),
                (8.0, 8.0, {'p1': 7.0}), (None, 9.0, {'p1': 7.0, 'p2': None}),
            ):
                file.set_right(listed_at, behind)
                self.assertEqual(wanted, file.get_listing().right_at)
                self.assertEqual(behind, file.list_behind())
                self.assertEqual(behind, file.take('', 0).behind)

    def test_put_is_right(self):
        """A row that is put in is not behind any more."""
        with self.file.open() as file:
            file.set_right(8.0, {'p1': 7.0, 'p2': 6.0})
            file.put(make_provider('p1'), 9.0, 0.0)
            self.assertEqual({'p2': 6.0}, file.list_behind())

    def test_owner_alone(self):
        """The file and its companions are its owner's alone."""
        with self.file.open() as file:
            file.want({'p1': 1.0})
            paths = list(self.file.path.parent.iterdir())
            self.assertGreater(len(paths), 1)
            for path in paths:
                self.assertEqual(0o600, stat.S_IMODE(path.stat().st_mode))

    def test_locks_kept(self):
        """A process that opens the file twice keeps SQLite's locks.

        Without them another one that closes it takes itself for the last, and
        deletes what was written beside the file.
        """
        with self.file.open() as file:
            file.want({'p1': 10.0})
            with self.file.open() as again:
                self.assertEqual({'p1': 10.0}, again.list_wanted())
            subprocess.run([
                sys.executable, '-c', 'import sqlite3, sys; '
                'c = sqlite3.connect(sys.argv[1]); '
                'c.execute("SELECT * FROM wanted").fetchall(); c.close()',
                self.file.path,
            ], check=True, timeout=60)
            self.assertTrue(Path(f'{self.file.path}-wal').exists())

    def test_made_by_several(self):
        """Several make it at once: none fails, and nobody's is thrown away."""
        def want(file, at_once, number):
            at_once.wait()
            with file.open() as opened:
                opened.want({f'p{number}': 1.0})

        for attempt in range(50):
            file = provider_file.ProviderFile(
                self.file.path.parent / str(attempt) / 'c.db'
            )
            with concurrent.futures.ThreadPoolExecutor(6) as pool:
                list(pool.map(
                    want, [file] * 6, [threading.Barrier(6)] * 6, range(6)
                ))
            with file.open() as opened:
                self.assertEqual(6, len(opened.list_wanted()))
            self.assertEqual(
                {'c.db', 'c.making'},
                {path.name for path in file.path.parent.iterdir()},
            )

    def test_lock_of_others(self):
        """Give up after a time where a process holds the lock for ever."""
        self.patch(provider_file, '_BUSY_S', 0.1)
        self.file.path.parent.mkdir()
        lock = MachineLock(self.file.path.with_suffix('.making'))
        self.assertTrue(lock.acquire())
        self.addCleanup(lock.release)
        self.assertRaises(TimeoutError, self.file.open().__enter__)

    def test_folders(self):
        """Let nobody else list the folder, and the group those above."""
        self.addCleanup(os.umask, os.umask(0))
        deep = self.file.path.parent / 'deep' / 'er'
        with provider_file.ProviderFile(deep / 'c.db').open():
            pass
        self.assertEqual(0o700, stat.S_IMODE(deep.stat().st_mode))
        self.assertEqual(0o750, stat.S_IMODE(deep.parent.stat().st_mode))

    def test_flipped_bits(self):
        """Return what was put in, or throw the file away: nothing else."""
        with self.file.open() as file:
            file.set_listing(['p1', 'p2'], 1.0, {'p2': 'p1'})
            for name in 'p1', 'p2':
                file.put(make_provider(name), 2.0, 3.0)
            file.set_right(4.0, {'p2': 1.0})
            expected = file.take('', 0)
        whole = self.file.path.read_bytes()
        thrown_away = 0
        # The header's versions, 18 and 19, would make it read-only.
        for position in range(20, len(whole), 37):
            damaged = bytearray(whole)
            damaged[position] ^= 1 << position % 8
            for path in self.file.path.parent.iterdir():
                path.unlink()
            self.file.path.write_bytes(damaged)
            try:
                with self.file.open() as file:
                    taken = file.take('', 0)
            except provider_tables.DamagedError:
                thrown_away += 1
                with self.file.open() as file:
                    self.assertEqual([], file.take('', 0).uuids)
            else:
                self.assertEqual(expected, taken, position)
        self.assertGreater(thrown_away, 10)

    def test_passing_errors(self):
        """Keep a file that another process has locked."""
        with self.file.open() as file:
            file.put(make_provider('p1'), 1.0, 0.0)
        self.patch(provider_file, '_BUSY_S', 0.1)
        with contextlib.closing(sqlite3.connect(
            self.file.path, isolation_level=None
        )) as other:
            other.execute('BEGIN IMMEDIATE')
            with self.file.open() as file:
                self.assertRaises(
                    sqlite3.OperationalError, file.want, {'p1': 1.0}
                )
        with self.file.open() as file:
            self.assertEqual(['p1'], file.take('', 0).uuids)

    def test_removed(self):
        """A file that is removed while it is open has no part in the next."""
        with self.file.open() as file:
            file.want({'p1': 1.0})
            self.file.path.unlink()
            with self.file.open() as other:
                self.assertEqual({}, other.list_wanted())
                other.want({'p2': 2.0})
            self.assertEqual({'p1': 1.0}, file.list_wanted())
        with self.file.open() as again:
            self.assertEqual({'p2': 2.0}, again.list_wanted())

    def test_empty_listing(self):
        """A file without its one row is damaged."""
        with self.file.open() as file:
            file._execute('DELETE FROM listing')
            self.assertRaises(provider_tables.DamagedError, file.get_listing)

    def test_damaged(self):
        """A file that is none is thrown away, with one line."""
        with self.file.open() as file:
            file.put(make_provider('p1'), 1.0, 0.0)
        self.file.path.write_bytes(b'no database' * 1000)
        self.assert_thrown_away('file is not a database')

    def test_damaged_row(self):
        """So is one with a row that can't be read."""
        with self.file.open() as file:
            file.put(make_provider('p1'), 1.0, 0.0)
            file._execute('UPDATE providers SET used = ?', '{')
        self.assert_thrown_away('provider p1')

    def test_damaged_row_is_not_sealed(self):
        """What is written beside damage does not make it right."""
        with self.file.open() as file:
            file.put(make_provider('p1'), 1.0, 0.0)
            file._execute('UPDATE providers SET traits = ?', '["OTHER"]')
            self.assertRaises(
                provider_tables.DamagedError, file.put_untold, 'p1', 1, {}, (),
                2.0, 2.0,
            )
            self.assertRaises(provider_tables.DamagedError, file.take, '', 0)

    def test_other_format(self):
        """So is one of another version."""
        with self.file.open() as file:
            file._execute('PRAGMA user_version = 99')
        self.assert_thrown_away('its format is not')

    def test_restored_meanwhile(self):
        """What another process has made anew is not thrown away."""
        with self.file.open() as file:
            file.put(make_provider('p1'), 1.0, 0.0)
        self.file._throw_away(provider_tables.DamagedError('as it was'))
        self.assertEqual('', self.log.output)
        with self.file.open() as file:
            self.assertEqual(['p1'], file.take('', 0).uuids)

    def test_other_boot(self):
        """After a boot rows stay, and when they were read is not known."""
        with self.file.open() as file:
            file.put(make_provider('p1'), 99.0, 5.0)
            file.set_right(99.0, {'p2': 98.0})
            file.want({'p1': 100.0})
        self.useFixture(fixtures.MockPatchObject(
            provider_file, '_read_boot', lambda: 'another'
        ))
        with self.file.open() as file:
            taken = file.take('', 0)
            self.assertEqual([(0.0, make_provider('p1'))], taken.rows)
            self.assertIsNone(taken.listing.right_at)
            self.assertEqual({}, taken.behind)
            self.assertEqual({}, file.list_wanted())
            file.put(make_provider('p1', 7), 3.0, 6.0)
            ((began, _),) = file.take('', 0).rows
        self.assertEqual(3.0, began)

    def assert_thrown_away(self, why):
        """It is thrown away with one line, and made anew."""
        def take():
            with self.file.open() as file:
                return file.take('', 0)
        self.assertRaises(provider_tables.DamagedError, take)
        (line,) = self.log.output.splitlines()
        self.assertIn(why, line)
        self.assertEqual([], take().uuids)


def make_provider(uuid, used=2, generation=1):
    """Return a provider."""
    return Provider(
        uuid, generation, {'VCPU': Inventory(8, 1, 4.0, 1, 8, 1)},
        {'VCPU': used}, frozenset(('T',)), frozenset(('a1',)),
    )
