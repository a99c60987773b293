"""Test filters and weighers of topics other than compute."""

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

PLUGINS = '''
from nova_ext import plugin

class BackupDriver(plugin.Driver):
    topic = 'backup'

class RoomFilter(plugin.Filter):
    topic = 'backup'
    def check(self, host, request):
        if host.get_number('free_gb') >= request['size_gb']:
            return plugin.PASS
        return plugin.reject(f'has no {request["size_gb"]} GB')

class FreeWeigher(plugin.Weigher):
    topic = 'backup'
    def weigh(self, host, request):
        return host.get_number('free_gb')

class TapeFilter(plugin.Filter):
    topic = 'tape'
    def check(self, host, request):
        return plugin.reject('never asked')
'''
REPORTED = {
    'b-1': {'free_gb': ('5',)}, 'b-2': {'free_gb': ('9',)},
    'b-3': {'free_gb': ('1',)},
}


class ChoosingTest(configured.ConfiguredTestCase):
    """Test a driver of topic backup, from one plain file."""

    def setUp(self):
        """Configure a record."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.record = self.folder / 'decisions.jsonl'
        self.flags('nova_ext_record', enabled=True, file=str(self.record))
        recorder.get.cache_clear()
        self.addCleanup(recorder.get.cache_clear)
        self.context = testing.make_context()

    def load_driver(self, text=PLUGINS, name='backup.py'):
        """Return the driver, with its chooser."""
        path = self.folder / name
        path.write_text(text)
        self.flags('nova_ext', plugin_files=[str(path)])
        loaded = drivers.load(
            ['FilterScheduler', 'BackupDriver'],
            testing.FakeFacts(reported=REPORTED),
        )
        topic_chooser.provide_choosers(loaded)
        return loaded['backup']

    def decision(self):
        """Return the only recorded decision."""
        self.assertTrue(recorder.get().flush(60))
        (decision,) = reader.find(
            self.record, self.context.request_id
        ).decisions
        return decision

    def test_choice(self):
        """Return the best first, with the sentence of the record."""
        choice = self.load_driver().chooser.choose(
            self.context, {'size_gb': 2, 'password': 'secret'}, 2
        )
        self.assertEqual(['b-2', 'b-1'], choice.hosts)
        self.assertEqual(
            'b-2, b-1 chosen from 2 of 3 hosts: 1 has no 2 GB (RoomFilter)',
            choice.reason,
        )
        decision = self.decision()
        self.assertEqual(
            (d.PLACED, 'backup', 2, 'BackupDriver', 'user'),
            (decision.outcome, decision.topic, decision.wanted,
             decision.by['driver'], decision.user_id),
        )
        self.assertEqual(
            {'size_gb': 2, 'password': '***'}, decision.request
        )
        self.assertNotIn('secret', self.record.read_text())
        self.assertEqual(12, len(decision.by['configuration']))

    def test_none(self):
        """Raise an error that says why, as the record does."""
        error = self.assertRaises(
            scheduling_errors.NoHostError,
            self.load_driver().chooser.choose, self.context, {'size_gb': 99},
        )
        self.assertEqual(
            '0/3 hosts: 3 has no 99 GB (RoomFilter)', str(error)
        )
        self.assertEqual(d.NO_VALID_HOST, self.decision().outcome)

    def test_broken(self):
        """Fail the request where a filter raises, and name it."""
        log = self.useFixture(fixtures.FakeLogger('nova_ext'))
        error = self.assertRaises(
            errors.PluginError,
            self.load_driver().chooser.choose, self.context, {},
        )
        self.assertEqual('filter RoomFilter raised KeyError', str(error))
        self.assertIn("KeyError: 'size_gb'", log.output)
        decision = self.decision()
        self.assertEqual(
            (d.FAILED, str(error)), (decision.outcome, decision.message)
        )

    def test_not_recorded(self):
        """Record nothing where the record is off."""
        self.flags('nova_ext_record', enabled=False)
        self.load_driver().chooser.choose(self.context, {'size_gb': 2})
        self.assertTrue(recorder.get().flush(60))
        self.assertFalse(self.record.exists())

    def test_apart_from_compute(self):
        """Keep them out of Nova."""
        self.load_driver()
        names = {
            cls.__name__
            for cls in (*filters.all_filters(), *weights.all_weighers())
        }
        self.assertIn('ComputeFilter', names)
        self.assertNotIn('RoomFilter', names)
        self.assertNotIn('FreeWeigher', names)

    def test_refusal(self):
        """Refuse a filter with a policy."""
        error = self.assertRaises(
            errors.ConfigurationError, self.load_driver, PLUGINS.replace(
                'class RoomFilter(plugin.Filter):',
                'class RoomFilter(plugin.Filter):\n'
                '    policy = "nova_ext:stats_hint"',
            ), 'other.py',
        )
        self.assertIn('RoomFilter', str(error))
        self.assertIn('a policy holds for topic compute alone', str(error))
