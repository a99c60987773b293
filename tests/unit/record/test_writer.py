"""Test the writer inside the scheduler."""

import json
import multiprocessing
import operator
import os
import threading
import time
import weakref
from functools import partial

import fixtures

from nova_ext.core.decision import decision as d
from nova_ext.record import drops, file, open_files, reader, writer
from tests.unit.record import samples

#: Seconds that nothing takes, however busy the machine is.
PATIENCE_S = 120


class WriterTestCase(samples.RecordTestCase):
    """Have a path for a record, and catch the log."""

    def setUp(self):
        """Begin without a folder."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.path = self.folder / 'nova-ext' / 'decisions.jsonl'

    def writer(self, **options):
        """Return a writer to the path, whose thread ends with the test."""
        mine = writer.Writer(samples.conf(self.path, **options))
        self.addCleanup(mine.close, PATIENCE_S)
        return mine

    def lines(self):
        """Return all lines of the record as data."""
        with open_files.open_all(self.path) as files:
            return [json.loads(line) for each in files for line in each]


class WriterTest(WriterTestCase):
    """Write decisions, or count what could not be written."""

    def test_writes(self):
        """Write a decision that is put, before a flush returns."""
        mine = self.writer()
        mine.put(samples.failure)
        self.assertTrue(mine.flush(PATIENCE_S))
        (data,) = self.lines()
        self.assertEqual(samples.failure(), d.Decision.from_dict(data))

    def test_nothing_before_first_use(self):
        """Start no thread and create no file before the first use."""
        before = threading.active_count()
        self.writer()
        self.assertEqual(before, threading.active_count())
        self.assertFalse(self.path.parent.exists())

    def test_nothing_to_record(self):
        """Write nothing for None."""
        mine = self.writer()
        mine.put(lambda: None)
        self.assertTrue(mine.flush(PATIENCE_S))
        self.assertFalse(self.path.exists())

    def test_never_waits(self):
        """Return from put while the thread is stuck, and count drops."""
        mine = self.writer()
        stuck = threading.Event()
        self.addCleanup(stuck.set)
        mine.put(lambda: stuck.wait(PATIENCE_S) and None)
        for _ in range(writer.MAX_QUEUED + 50):
            mine.put(samples.failure)
        self.assertFalse(mine.flush(0.01))
        stuck.set()
        self.assertTrue(mine.flush(PATIENCE_S))
        lines = self.lines()
        dropped = sum(line.get('dropped', 0) for line in lines)
        kept = sum('request_id' in line for line in lines)
        self.assertEqual(writer.MAX_QUEUED + 50, dropped + kept)
        self.assertIn(dropped, (50, 51))
        self.assertIn('that wait already', self.log.output)

    def test_hosts_that_wait(self):
        """Bound the hosts that wait while the thread is stuck."""
        mine = self.writer()
        stuck, begun = threading.Event(), threading.Event()
        self.addCleanup(stuck.set)
        mine.put(lambda: begun.set() or (stuck.wait(PATIENCE_S) and None))
        self.assertTrue(begun.wait(PATIENCE_S))
        many = writer.MAX_HOSTS // 4
        for _ in range(10):
            mine.put(samples.failure, many)
        stuck.set()
        self.assertTrue(mine.flush(PATIENCE_S))
        lines = self.lines()
        self.assertEqual(4, sum('request_id' in line for line in lines))
        self.assertEqual(6, sum(line.get('dropped', 0) for line in lines))
        # There is room again.
        mine.put(samples.failure, 2 * writer.MAX_HOSTS)
        self.assertTrue(mine.flush(PATIENCE_S))
        self.assertEqual(1, len(self.lines()) - len(lines))

    def test_make_raises(self):
        """Drop a decision that can't be made, and write the next."""
        mine = self.writer()
        mine.put(lambda: 1 / 0)
        mine.put(lambda: 'no decision')
        mine.put(lambda: samples.failure(seconds=float('nan')))
        mine.put(samples.failure)
        self.assertTrue(mine.flush(PATIENCE_S))
        dropped, last = self.lines()
        self.assertEqual(3, dropped['dropped'])
        self.assertIn('request_id', last)

    def test_lets_go(self):
        """Keep no reference to what could not be recorded."""
        mine = self.writer()
        hosts = {1, 2}
        watched = weakref.ref(hosts)
        mine.put(partial(operator.truediv, hosts, 0))
        del hosts
        self.assertTrue(mine.flush(PATIENCE_S))
        self.assertIn('TypeError', self.log.output)
        self.assertIsNone(watched())

    def test_close(self):
        """Write what waits, and end the thread; a later put starts another."""
        mine = self.writer()
        self.assertEqual(0, mine.close(PATIENCE_S))
        for count in (1, 2):
            mine.put(samples.failure)
            (queue,) = mine._queues.values()
            thread = queue._thread
            self.assertEqual(0, mine.close(PATIENCE_S))
            thread.join(PATIENCE_S)
            self.assertFalse(thread.is_alive())
            self.assertEqual(count, len(self.lines()))
        self.assertTrue(mine.flush(0))

    def test_close_amid_puts(self):
        """Nothing that is put while the thread ends waits for ever."""
        mine = self.writer()
        for _ in range(200):
            mine.put(samples.failure)
            closing = threading.Thread(target=mine.close, args=(PATIENCE_S,))
            closing.start()
            mine.put(samples.failure)
            closing.join()
        self.assertTrue(mine.flush(PATIENCE_S))
        self.assertEqual(400, len(self.lines()))

    def test_close_within_time(self):
        """Say how many decisions still wait."""
        mine = self.writer()
        stuck, begun = threading.Event(), threading.Event()
        self.addCleanup(stuck.set)
        mine.put(lambda: begun.set() or (stuck.wait(PATIENCE_S) and None))
        self.assertTrue(begun.wait(PATIENCE_S))
        for _ in range(3):
            mine.put(samples.failure)
        self.assertEqual(4, mine.close(0.1))
        stuck.set()
        self.assertTrue(mine.flush(PATIENCE_S))
        self.assertEqual(3, len(self.lines()))

    def test_close_after_drops(self):
        """Count what was dropped, though no decision follows."""
        mine = self.writer()
        mine.put(samples.failure)
        for _ in range(3):
            mine.put(lambda: 1 / 0)
        self.assertEqual(0, mine.close(PATIENCE_S))
        self.assertEqual([None, 3], [
            line.get('dropped') for line in self.lines()
        ])
        self.assertIn('2 decisions could not be recorded', self.log.output)

    def fill_disk(self):
        """Have a file to which nothing can be written."""
        self.patch(os, 'O_NOFOLLOW', 0)  # no other file is always full
        self.path.parent.mkdir()
        self.path.symlink_to('/dev/full')

    def test_warns_once_a_minute(self):
        """Warn once a minute of many drops, with their count."""
        self.fill_disk()
        mine = self.writer()
        for _ in range(10):
            mine.put(samples.failure)
        self.assertTrue(mine.flush(PATIENCE_S))
        self.assertEqual(1, self.log.output.count('could not be recorded'))
        self.assertIn('1 decisions could not be recorded', self.log.output)
        self.assertIn('No space left', self.log.output)
        self.assertIn(str(self.path), self.log.output)
        self.patch(drops, 'WARN_INTERVAL_S', 0.0)
        mine.put(samples.failure)
        self.assertTrue(mine.flush(PATIENCE_S))
        self.assertIn('10 decisions could not be recorded', self.log.output)

    def test_warns_without_another_drop(self):
        """Warn of the rest when the minute is over."""
        self.patch(drops, 'WARN_INTERVAL_S', 0.2)
        mine = self.writer()
        mine.put(lambda: 1 / 0)
        mine.put(lambda: 1 / 0)
        deadline = time.monotonic() + PATIENCE_S
        while self.log.output.count('could not be recorded') < 2:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def test_disk_full_for_a_while(self):
        """Record how many are missing when there is space again."""
        self.fill_disk()
        mine = self.writer()
        for _ in range(3):
            mine.put(samples.failure)
        self.assertTrue(mine.flush(PATIENCE_S))
        self.path.unlink()
        mine.put(samples.failure)
        self.assertTrue(mine.flush(PATIENCE_S))
        found = reader.find(self.path, samples.SERVER)
        self.assertEqual((1, 3), (found.matches, found.dropped))

    def test_no_configuration(self):
        """Fail no request for broken configuration."""
        mine = writer.Writer(None)
        mine.put(samples.failure)
        self.assertTrue(mine.flush(PATIENCE_S))
        self.assertIn('AttributeError', self.log.output)

    def test_bounded(self):
        """Write no line longer than the option says."""
        mine = self.writer(max_decision_kb=4)
        mine.put(lambda: samples.failure(hosts=5000))
        self.assertTrue(mine.flush(PATIENCE_S))
        self.assertLessEqual(self.path.stat().st_size, 4096)
        self.assertEqual(5000, self.lines()[0]['hosts_total'])


class ProcessesTest(WriterTestCase):
    """Write one record from several processes."""

    def test_fork(self):
        """Start a thread of its own in a forked child."""
        mine = self.writer()
        mine.put(lambda: samples.failure(request_id='req-parent'))
        self.assertTrue(mine.flush(PATIENCE_S))
        child = os.fork()
        if not child:
            mine.put(lambda: samples.failure(request_id='req-child'))
            os._exit(0 if mine.flush(PATIENCE_S) else 1)
        self.assertEqual((child, 0), os.waitpid(child, 0))
        mine.put(lambda: samples.failure(request_id='req-after'))
        self.assertTrue(mine.flush(PATIENCE_S))
        self.assertEqual(
            ['req-parent', 'req-child', 'req-after'],
            [line['request_id'] for line in self.lines()],
        )

    def test_many_writers_and_a_reader(self):
        """Lose, tear and repeat no line amid rotations."""
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
        self.assertGreater(len(file.list_rotated(self.path)), 3)
        for older in file.list_rotated(self.path):
            self.assertLessEqual(older.stat().st_size, 1024 * 1024)


EACH = 60


def _write(mine, number):
    for i in range(EACH):
        mine.put(
            lambda i=i: samples.failure(
                hosts=800, servers=[samples.SERVER, f'{number}/{i}']
            )
        )
    os._exit(0 if mine.flush(PATIENCE_S) else 1)


def _everything(path):
    with open_files.open_all(path) as files:
        return reader.search(files, samples.SERVER)
