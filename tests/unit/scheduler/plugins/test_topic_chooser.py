"""Filters and weighers of topics other than compute, and their record."""

from pathlib import Path

import fixtures

from nova_ext import testing
from nova_ext.core.base import errors, scheduling_errors
from nova_ext.core.decision import decision as d
from nova_ext.record import reader
from nova_ext.scheduler import filters, weights
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.plugins import drivers, topic_chooser
from tests.unit.scheduler import configured

EXTENSIONS = '''
from nova_ext.core import extension

class BackupDriver(extension.Driver):
    topic = 'backup'

class RoomFilter(extension.Filter):
    topic = 'backup'
    def check(self, host, request):
        if host.number('free_gb') >= request['size_gb']:
            return extension.PASS
        return extension.reject(f'has no {request["size_gb"]} GB')

class FreeWeigher(extension.Weigher):
    topic = 'backup'
    def weigh(self, host, request):
        return host.number('free_gb')

class TapeFilter(extension.Filter):
    topic = 'tape'
    def check(self, host, request):
        return extension.reject('never asked')
'''
REPORTED = {
    'b-1': {'free_gb': ('5',)}, 'b-2': {'free_gb': ('9',)},
    'b-3': {'free_gb': ('1',)},
}


class ChoosingTest(configured.ConfiguredTestCase):
    """A driver of topic backup, in a plain file with all that it needs."""

    def setUp(self):
        """A record of its own."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.record = self.folder / 'decisions.jsonl'
        self.flags('nova_ext_record', file=str(self.record))
        recorder.get.cache_clear()
        self.addCleanup(recorder.get.cache_clear)
        self.context = testing.make_context()

    def provided(self, text=EXTENSIONS, name='backup.py'):
        """The driver, with its chooser."""
        path = self.folder / name
        path.write_text(text)
        self.flags('nova_ext', extension_files=[str(path)])
        made = drivers.load(
            ['FilterScheduler', 'BackupDriver'],
            testing.FakeFacts(reported=REPORTED),
        )
        topic_chooser.provide(made)
        return made['backup']

    def decision(self):
        """The only one that is recorded."""
        recorder.get().flush(10)
        (made,) = reader.find(
            self.record, self.context.request_id
        ).decisions
        return made

    def test_choice(self):
        """Best first; the sentence is that of the record."""
        choice = self.provided().chooser.choose(
            self.context, {'size_gb': 2, 'password': 'secret'}, 2
        )
        self.assertEqual(['b-2', 'b-1'], choice.hosts)
        self.assertEqual(
            'b-2, b-1 chosen from 2 of 3 hosts: 1 has no 2 GB (RoomFilter)',
            choice.why,
        )
        made = self.decision()
        self.assertEqual(
            (d.PLACED, 'backup', 2, 'BackupDriver', 'user'),
            (made.outcome, made.topic, made.wanted, made.by['driver'],
             made.user_id),
        )
        self.assertEqual(
            {'size_gb': 2, 'password': '***'}, made.request
        )
        self.assertNotIn('secret', self.record.read_text())
        self.assertEqual(12, len(made.by['configuration']))

    def test_none(self):
        """The error says why, as the record does."""
        error = self.assertRaises(
            scheduling_errors.NoHostError,
            self.provided().chooser.choose, self.context, {'size_gb': 99},
        )
        self.assertEqual(
            '0/3 hosts: 3 has no 99 GB (RoomFilter)', str(error)
        )
        self.assertEqual(d.NO_VALID_HOST, self.decision().outcome)

    def test_broken(self):
        """One that raises fails the request, and the record names it."""
        log = self.useFixture(fixtures.FakeLogger())
        error = self.assertRaises(
            errors.ExtensionError,
            self.provided().chooser.choose, self.context, {},
        )
        self.assertEqual('filter RoomFilter raised KeyError', str(error))
        self.assertIn("KeyError: 'size_gb'", log.output)
        made = self.decision()
        self.assertEqual(
            (d.FAILED, str(error)), (made.outcome, made.message)
        )

    def test_not_recorded(self):
        """Where the record is off."""
        self.flags('nova_ext_record', enabled=False)
        self.provided().chooser.choose(self.context, {'size_gb': 2})
        recorder.get().flush(10)
        self.assertFalse(self.record.exists())

    def test_apart_from_compute(self):
        """Nova is brought none of them, and compute has no chooser."""
        self.provided()
        names = {
            cls.__name__
            for cls in (*filters.all_filters(), *weights.all_weighers())
        }
        self.assertIn('ComputeFilter', names)
        self.assertNotIn('RoomFilter', names)
        self.assertNotIn('FreeWeigher', names)

    def test_refusal(self):
        """A policy, which would not be asked, stops the scheduler."""
        error = self.assertRaises(
            errors.ConfigurationError, self.provided, EXTENSIONS.replace(
                'class RoomFilter(extension.Filter):',
                'class RoomFilter(extension.Filter):\n'
                '    policy = "nova_ext:stats_hint"',
            ), 'other.py',
        )
        self.assertIn('RoomFilter', str(error))
        self.assertIn('a policy holds for topic compute alone', str(error))
