"""The writer inside the scheduler."""

import json
import multiprocessing
import operator
import os
import threading
import time
import weakref
from functools import partial
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.decision import decision as d
from nova_ext.record import file, reader, writer
from tests.unit.record import samples


class WriterTestCase(testtools.TestCase):
    """Has a path for a record and what is logged."""

    def setUp(self):
        """Make a folder that goes away."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.path = self.folder / 'nova-ext' / 'decisions.jsonl'

    def writer(self, **options):
        """A writer to the path."""
        return writer.Writer(samples.conf(self.path, **options))

    def lines(self):
        """All lines of the record as data."""
        with file.opened(self.path) as files:
            return [json.loads(line) for each in files for line in each]


class WriterTest(WriterTestCase):
    """It writes, or counts what it could not write."""

    def test_writes(self):
        """A decision that is put is in the file after a flush."""
        mine = self.writer()
        mine.put(samples.failure)
        self.assertTrue(mine.flush(10))
        (data,) = self.lines()
        self.assertEqual(samples.failure(), d.Decision.from_dict(data))

    def test_nothing_before_first_use(self):
        """Making a writer starts no thread and makes no file."""
        before = threading.active_count()
        self.writer()
        self.assertEqual(before, threading.active_count())
        self.assertFalse(self.path.parent.exists())

    def test_nothing_to_record(self):
        """A decision that turns out to be none is not written."""
        mine = self.writer()
        mine.put(lambda: None)
        self.assertTrue(mine.flush(10))
        self.assertFalse(self.path.exists())

    def test_never_waits(self):
        """While the thread is stuck a put returns, and drops are counted."""
        mine = self.writer()
        stuck = threading.Event()
        self.addCleanup(stuck.set)
        mine.put(lambda: stuck.wait(30) and None)
        began = time.monotonic()
        for _ in range(writer.QUEUED + 50):
            mine.put(samples.failure)
        self.assertLess(time.monotonic() - began, 5)
        self.assertFalse(mine.flush(0.01))
        stuck.set()
        self.assertTrue(mine.flush(30))
        lines = self.lines()
        dropped = sum(line.get('dropped', 0) for line in lines)
        kept = sum('request_id' in line for line in lines)
        self.assertEqual(writer.QUEUED + 50, dropped + kept)
        self.assertIn(dropped, (50, 51))
        self.assertIn('that wait already', self.log.output)

    def test_hosts_that_wait(self):
        """While the thread is stuck, no more hosts wait than there may."""
        mine = self.writer()
        stuck, begun = threading.Event(), threading.Event()
        self.addCleanup(stuck.set)
        mine.put(lambda: begun.set() or (stuck.wait(30) and None))
        self.assertTrue(begun.wait(30))
        many = writer.HOSTS // 4
        for _ in range(10):
            mine.put(samples.failure, many)
        stuck.set()
        self.assertTrue(mine.flush(30))
        lines = self.lines()
        self.assertEqual(4, sum('request_id' in line for line in lines))
        self.assertEqual(6, sum(line.get('dropped', 0) for line in lines))
        # There is room again.
        mine.put(samples.failure, 2 * writer.HOSTS)
        self.assertTrue(mine.flush(30))
        self.assertEqual(1, len(self.lines()) - len(lines))

    def test_make_raises(self):
        """A decision that can't be made is dropped, the next one is not."""
        mine = self.writer()
        mine.put(lambda: 1 / 0)
        mine.put(lambda: 'no decision')
        mine.put(lambda: samples.failure(seconds=float('nan')))
        mine.put(samples.failure)
        self.assertTrue(mine.flush(10))
        drops, last = self.lines()
        self.assertEqual(3, drops['dropped'])
        self.assertIn('request_id', last)

    def test_lets_go(self):
        """What could not be recorded is not kept."""
        mine = self.writer()
        hosts = {1, 2}
        watched = weakref.ref(hosts)
        mine.put(partial(operator.truediv, hosts, 0))
        del hosts
        self.assertTrue(mine.flush(10))
        self.assertIn('TypeError', self.log.output)
        self.assertIsNone(watched())

    def test_warns_once_a_minute(self):
        """Many drops are one warning, which counts, and then another."""
        self.path.parent.mkdir()
        self.path.symlink_to('/dev/full')
        mine = self.writer()
        for _ in range(10):
            mine.put(samples.failure)
        self.assertTrue(mine.flush(10))
        self.assertEqual(1, self.log.output.count('could not be recorded'))
        self.assertIn('1 decisions could not be recorded', self.log.output)
        self.assertIn('No space left', self.log.output)
        self.assertIn(str(self.path), self.log.output)
        self.patch(writer, 'WARN_INTERVAL_S', 0.0)
        mine.put(samples.failure)
        self.assertTrue(mine.flush(10))
        self.assertIn('10 decisions could not be recorded', self.log.output)

    def test_warns_without_another_drop(self):
        """What was not said in a warning is said when its minute is over."""
        self.patch(writer, 'WARN_INTERVAL_S', 0.2)
        mine = self.writer()
        mine.put(lambda: 1 / 0)
        mine.put(lambda: 1 / 0)
        deadline = time.monotonic() + 10
        while self.log.output.count('could not be recorded') < 2:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def test_disk_full_for_a_while(self):
        """When there is space again the record says how many are missing."""
        self.path.parent.mkdir()
        self.path.symlink_to('/dev/full')
        mine = self.writer()
        for _ in range(3):
            mine.put(samples.failure)
        self.assertTrue(mine.flush(10))
        self.path.unlink()
        mine.put(samples.failure)
        self.assertTrue(mine.flush(10))
        found = reader.find(self.path, samples.SERVER)
        self.assertEqual((1, 3), (found.matches, found.dropped))

    def test_unwritable_folder(self):
        """A folder that can't be made costs the record, not the request."""
        self.path.parent.write_text('a file')
        mine = self.writer()
        mine.put(samples.failure)
        self.assertTrue(mine.flush(10))
        self.assertIn('could not be recorded', self.log.output)

    def test_no_configuration(self):
        """Not even broken configuration reaches the request."""
        mine = writer.Writer(None)
        mine.put(samples.failure)
        self.assertTrue(mine.flush(10))
        self.assertIn('AttributeError', self.log.output)

    def test_bounded(self):
        """No line is longer than the option says."""
        mine = self.writer(max_decision_kb=4)
        mine.put(lambda: samples.failure(hosts=5000))
        self.assertTrue(mine.flush(10))
        self.assertLessEqual(self.path.stat().st_size, 4096)
        self.assertEqual(5000, self.lines()[0]['hosts_total'])


class ProcessesTest(WriterTestCase):
    """Several processes write one record."""

    def test_fork(self):
        """A child of a process that has written starts its own thread."""
        mine = self.writer()
        mine.put(lambda: samples.failure(request_id='req-parent'))
        self.assertTrue(mine.flush(10))
        child = os.fork()
        if not child:
            mine.put(lambda: samples.failure(request_id='req-child'))
            os._exit(0 if mine.flush(10) else 1)
        self.assertEqual((child, 0), os.waitpid(child, 0))
        mine.put(lambda: samples.failure(request_id='req-after'))
        self.assertTrue(mine.flush(10))
        self.assertEqual(
            ['req-parent', 'req-child', 'req-after'],
            [line['request_id'] for line in self.lines()],
        )

    def test_many_writers_and_a_reader(self):
        """Amid rotations nothing is lost, torn or read twice."""
        context = multiprocessing.get_context('fork')
        mine = self.writer(max_size_mb=1, max_files=100)
        children = [
            context.Process(target=_write, args=(mine, n)) for n in range(4)
        ]
        for child in children:
            child.start()
        while any(child.is_alive() for child in children):
            if self.path.exists():
                found = _everything(self.path)
                self.assertEqual(0, found.garbage)
                self.assertEqual(found.matches, found.lines)
        for child in children:
            child.join()
            self.assertEqual(0, child.exitcode)
        ids = [
            line['servers'][1] for line in self.lines()
            if 'request_id' in line
        ]
        self.assertEqual(
            sorted(f'{n}/{i}' for n in range(4) for i in range(EACH)),
            sorted(ids),
        )
        self.assertGreater(len(file.rotated(self.path)), 3)
        for older in file.rotated(self.path):
            self.assertLessEqual(older.stat().st_size, 1024 * 1024)


EACH = 60


def _write(mine, number):
    for i in range(EACH):
        mine.put(
            lambda i=i: samples.failure(
                hosts=800, servers=[samples.SERVER, f'{number}/{i}']
            )
        )
    os._exit(0 if mine.flush(60) else 1)


def _everything(path):
    with file.opened(path) as files:
        return reader.search(files, samples.SERVER)
