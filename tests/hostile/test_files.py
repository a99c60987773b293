"""Damage files, and hold locks, as a local user or a bad disk could."""

import contextlib
import fcntl
from pathlib import Path

import fixtures
import testtools

from nova_ext.record import file as record_file
from nova_ext.record import worker_turns
from nova_ext.scheduler.mirror.providers import provider_file, provider_tables
from tests.hostile import drawing
from tests.unit.record import samples
from tests.unit.scheduler.mirror.providers.test_provider_file import (
    make_provider,
)

DAMAGES = 400


class FilesTest(testtools.TestCase):
    """Have a folder, and chances."""

    def setUp(self):
        """Make the folder."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.useFixture(fixtures.FakeLogger('nova_ext'))

    def test_mirror_file(self):
        """A damaged file gives what was written, or is made anew at once."""
        dice = drawing.open_dice('files')
        file = provider_file.ProviderFile(self.folder / 'c.db')
        with file.open() as opened:
            opened.set_listing(['p1', 'p2'], 1.0, {'p2': 'p1'})
            for name in 'p1', 'p2':
                opened.put(make_provider(name), 2.0, 3.0)
            expected = opened.take('', 0)
        whole = file.path.read_bytes()
        counts = {'read as before': 0, 'made anew': 0}
        for _ in range(DAMAGES):
            for path in self.folder.iterdir():
                path.unlink()
            file.path.write_bytes(drawing.spoil_bytes(whole, dice))
            try:
                with file.open() as opened:
                    taken = opened.take('', 0)
            except provider_tables.DamagedError:
                with file.open() as opened:
                    self.assertEqual([], opened.take('', 0).uuids)
                counts['made anew'] += 1
            else:
                self.assertIn(taken.uuids, ([], expected.uuids))
                counts['read as before' if taken.uuids else 'made anew'] += 1
        drawing.count('files, of the mirror', counts)

    def test_turns_file(self):
        """A damaged file of turns is as good as none."""
        dice = drawing.open_dice('turns')
        record = self.folder / 'decisions.jsonl'
        path = self.folder / 'decisions.jsonl.asked'
        granted = 0
        for _ in range(DAMAGES):
            path.write_bytes(drawing.to_json(drawing.spoil(
                {'a' * 64: 5.0, 'b' * 64: 6.0}, dice
            )))
            taken = worker_turns.WorkerTurns(record, 60.0).take('query', 1.0)
            granted += taken == 0
        self.assertEqual(DAMAGES, granted)
        drawing.count('files, of turns', {'turns granted': granted})

    def test_locks(self):
        """A lock that another process holds for ever ends in an error."""
        self.patch(record_file, 'LOCK_TIMEOUT_S', 0.1)
        self.patch(worker_turns, 'WAIT_S', 0.1)
        self.patch(provider_file, '_BUSY_S', 0.1)
        counts = {'given up': 0, 'gone on without': 0}
        record = self.folder / 'decisions.jsonl'
        mirror = provider_file.ProviderFile(self.folder / 'c.db')
        with contextlib.ExitStack() as held:
            for name in (
                'decisions.jsonl.lock', 'decisions.jsonl.asked.lock',
                'c.making',
            ):
                lock = held.enter_context((self.folder / name).open('w'))
                fcntl.flock(lock, fcntl.LOCK_EX)
            appending = record_file.RecordFile(record, 10**6, 3, 3600.0)
            self.assertRaises(
                TimeoutError, appending.append, samples.failure_line()
            )
            self.assertRaises(TimeoutError, mirror.open().__enter__)
            counts['given up'] += 2
            self.assertEqual(
                0, worker_turns.WorkerTurns(record, 60.0).take('query', 1.0)
            )
            counts['gone on without'] += 1
        appending.append(samples.failure_line())
        appending.close()
        self.assertEqual(samples.failure_line(), record.read_bytes())
        drawing.count('locks held', counts)
