"""Share turns among workers."""

import json
import multiprocessing
import os
import stat
from unittest import mock

from nova_ext.record.worker_turns import WorkerTurns
from tests.unit.record import samples

PATIENCE_S = 60


class WorkerTurnsTest(samples.RecordTestCase):
    """With a clock that stands."""

    def setUp(self):
        """Begin at 1000 s."""
        super().setUp()
        self.now = 1000.0
        self.turns = self.worker()

    def worker(self):
        """Return what another worker has."""
        return WorkerTurns(self.path, 60, lambda: self.now)

    def test_one_in_a_time(self):
        """The next comes after that time, and of another key at once."""
        self.assertEqual(0, self.turns.take('a', 1000))
        self.assertEqual(0, self.turns.take('b', 1000))
        self.now = 1010.0
        self.assertEqual(50, self.turns.take('a', 1005))
        self.now = 1060.0
        self.assertEqual(0, self.turns.take('a', 1005))

    def test_other_worker(self):
        """It shares them, and what it does since will do."""
        self.assertEqual(0, self.turns.take('a', 999))
        self.now = 1010.0
        self.assertIsNone(self.worker().take('a', 999))
        self.assertEqual(50, self.worker().take('a', 1005))

    def test_clock_set_back(self):
        """Hold nothing up that seems to be taken later."""
        self.assertEqual(0, self.turns.take('a', 1000))
        self.now = 900.0
        self.assertEqual(0, self.turns.take('a', 900))

    def test_file(self):
        """Keep what counts, with nothing of the queries."""
        for key, now in (('old', 1000.0), ('member_of=secret', 1059.0),
                         ('c', 1061.0)):
            self.now = now
            self.turns.take(key, now)
        text = self.path.with_name('decisions.jsonl.asked').read_text()
        lock = self.path.with_name('decisions.jsonl.asked.lock')
        self.assertEqual(0o600, stat.S_IMODE(lock.stat().st_mode))
        self.assertEqual(2, len(json.loads(text)))
        self.assertNotIn('secret', text)

    def test_damaged_file(self):
        """Begin anew, as after an older release's file."""
        path = self.path.with_name('decisions.jsonl.asked')
        for text in ('', '7', '[]', '{"a"', '{"a": "b"}', '{"a": {"at": 1}}'):
            path.write_text(text)
            self.now += 100
            self.assertEqual(0, self.turns.take('a', self.now), text)

    def test_folder_of_another(self):
        """Each worker counts for itself, and leaves no file."""
        with mock.patch.object(os, 'geteuid', return_value=-1):
            self.assertEqual(0, self.turns.take('a', 1000))
            self.now = 1010.0
            self.assertEqual(50, self.turns.take('a', 1010))
            self.assertEqual(0, self.worker().take('a', 1010))
        self.assertEqual([], list(self.folder.iterdir()))

    def test_processes(self):
        """Of many at a time, one takes it."""
        with multiprocessing.get_context('fork').Pool(4) as pool:
            waits = pool.starmap_async(
                _take, [(self.path,)] * 20
            ).get(PATIENCE_S)
        self.assertEqual(1, waits.count(0))
        self.assertEqual(19, sum(50 < wait <= 60 for wait in waits))


def _take(path):
    return WorkerTurns(path, 60).take('a', float('inf'))
