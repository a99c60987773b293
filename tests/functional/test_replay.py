"""What is decided again is what was decided, and what fresh boots show."""

import json
import subprocess
import sys
from pathlib import Path

from nova_ext.scheduler.base import options
from nova_ext.scheduler.journal import journal
from tests.functional import programs
from tests.functional.test_journal import JournalTestCase

#: Seconds for which a busy machine may decide.
PATIENCE_S = 600
STOCK = (
    'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    'AggregateInstanceExtraSpecsFilter', 'SpecifiedHostFilter',
)


class ReplayTestCase(JournalTestCase):
    """Journals decisions, and has them made again in other processes."""

    hosts = tuple(f'cmp-{number}' for number in range(1, 6))
    enabled_filters = STOCK

    def configure(self):
        """Have room for many servers."""
        super().configure()
        self.flags(group='quota', instances=-1, cores=-1, ram=-1)

    def write_configuration(self, name, **filter_scheduler):
        """Write a configuration that differs from the scheduler's."""
        group = options.CONF.filter_scheduler
        values = {
            'available_filters': self.available_filters,
            'weight_classes': self.weight_classes,
            'enabled_filters': group.enabled_filters, **filter_scheduler,
        }
        lines = ['[filter_scheduler]']
        for option, value in values.items():
            is_list = isinstance(value, list | tuple)
            text = ','.join(value) if is_list else value
            lines.append(f'{option} = {text}')
        path = self.folder / name
        path.write_text('\n'.join(lines) + '\n')
        return str(path)

    def replay(self, *words, journals=None):
        """Run nova-ext replay; return its exit status and its document."""
        self.assertTrue(journal.get().flush(60))
        done = programs.run(
            'replay', *(journals or [self.folder]), '--processes', '1', '-f',
            'json', *words, timeout=PATIENCE_S,
        )
        self.assertNotIn('Traceback', done.stderr)
        self.assertIn(done.returncode, (0, 3, 4), done.stderr)
        return done.returncode, json.loads(done.stdout)

    def assert_verified(self, document, at_least):
        """Assert that exact decisions came out as they were.

        :param at_least: how many are exact.
        """
        verification = document['verification']
        self.assertEqual([], verification['differences'])
        self.assertGreaterEqual(
            verification['exact'], at_least, verification['missing']
        )


class VerifyTest(ReplayTestCase):
    """Under the same configuration nothing differs."""

    def test_day(self):
        """Boots, several at once, groups, moves, refusals, a host down."""
        group = self.api.post_server_groups(
            {'name': 'g', 'policy': 'anti-affinity'}
        )
        servers = [self.boot() for _ in range(3)]
        self.boot_many(3)
        for _ in range(2):
            self.boot({'group': group['id']})
        self.boot({'requested_host': 'cmp-2'})
        self.boot({'requested_host': 'none'}, expected_state='ERROR')
        flavor = self._create_flavor(memory_mb=2 ** 20)
        self.boot(flavorRef=flavor, expected_state='ERROR')
        self.act(servers[0], 'migrate')
        self._wait_for_state_change(servers[0], 'VERIFY_RESIZE')
        self.disable('cmp-4')
        self.take_down('cmp-5')
        self.boot()
        status, document = self.replay('--verify')
        verification = document['verification']
        self.assertEqual(0, status, verification)
        self.assert_verified(document, at_least=9)
        self.assertEqual([], verification['partial_differences'])
        self.assertEqual(0, verification['not_replayable'], verification)


class ShuffledTest(ReplayTestCase):
    """The same, where chance decides."""

    def configure(self):
        """Draw one of the best three."""
        super().configure()
        self.flags(
            group='filter_scheduler', shuffle_best_same_weighed_hosts=True,
            host_subset_size=3,
        )

    def test_day(self):
        """Boots, of which each draws its hosts."""
        for _ in range(4):
            self.boot()
        self.boot_many(3)
        status, document = self.replay('--verify')
        self.assertEqual(0, status, document['verification'])
        self.assert_verified(document, at_least=5)


class ChangedTest(ReplayTestCase):
    """A replay says what a fresh boot from the same state shows."""

    def configure(self):
        """Have nothing but memory weigh."""
        super().configure()
        self.flags(
            group='filter_scheduler', io_ops_weight_multiplier=0.0,
            disk_weight_multiplier=0.0, cpu_weight_multiplier=0.0,
        )
        self.same = {
            'io_ops_weight_multiplier': 0.0, 'disk_weight_multiplier': 0.0,
            'cpu_weight_multiplier': 0.0,
        }

    def boot_again(self, flag=None, change=lambda: None, **server):
        """Boot one more server, from the same state as the last one.

        :param flag: options to set before.
        :param change: changes what no option says.
        """
        self.assertTrue(journal.get().flush(60))
        self.flags(group='filter_scheduler', **(flag or {}))
        journal.get.cache_clear()  # as after a restart
        change()
        filters = options.CONF.filter_scheduler.enabled_filters
        manager = self.scheduler.host_manager
        manager.enabled_filters = manager._choose_host_filters(filters)
        return self.boot(**server)

    def boot_and_delete(self, **server):
        """Boot a server and delete it; return its request's ID and host."""
        created = self.boot(**server)
        host = self.host_of(created)
        action = self.api.api_get(
            f'/servers/{created["id"]}/os-instance-actions'
        ).body['instanceActions'][-1]
        self._delete_server(created)
        return action['request_id'], host

    def test_multiplier(self):
        """A negative multiplier packs, as fresh boots do."""
        self.boot()  # one host has less free than the others
        request, before = self.boot_and_delete()
        after = self.host_of(
            self.boot_again({'ram_weight_multiplier': -1.0})
        )
        self.assertNotEqual(before, after)
        path = self.write_configuration(
            'new.conf', ram_weight_multiplier=-1.0, **self.same
        )
        _, document = self.replay('--config-file', path)
        self.assert_verified(document, at_least=2)
        change = self.find(document, request)
        self.assertEqual(
            ('other_host', before, after, 'RAMWeigher weighs otherwise',
             'exact'), (
                change['transition'], change['before'], change['after'],
                change['cause'], change['exactness'],
            ),
        )
        self.assertIn('RAMWeigher', change['detail'])

    def test_filter(self):
        """A filter that rejects all leaves none, and status 3 says so."""
        request, before = self.boot_and_delete()
        isolated = {
            'enabled_filters': [*STOCK, 'IsolatedHostsFilter'],
            'isolated_hosts': [before], 'isolated_images': ['other'],
        }
        after = self.host_of(self.boot_again(isolated))
        self.assertNotEqual(before, after)
        path = self.write_configuration('new.conf', **isolated, **self.same)
        none = self.write_configuration('none.conf', **{
            **isolated, 'isolated_hosts': self.hosts,
        }, **self.same)
        status, document = self.replay(
            '--config-file', path, '--against', none
        )
        change = self.find(document, request)
        self.assertEqual(
            (before, after), (change['before'], change['after'])
        )
        self.assertIn('(IsolatedHostsFilter)', change['cause'])
        self.assertEqual(3, status)
        lost = self.find(document, request, 1)
        self.assertEqual(
            ('placed_none', before, None),
            (lost['transition'], lost['before'], lost['after']),
        )

    def test_aggregate_key(self):
        """Without the key that a flavor asks for, no host is left."""
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': 'fast', 'availability_zone': None}}
        )
        self.add_to_aggregate(aggregate['id'], 'cmp-3')
        self.set_metadata(aggregate, 'true')
        flavor = self._create_flavor(extra_spec={
            'aggregate_instance_extra_specs:ssd': 'true',
        })
        request, before = self.boot_and_delete(flavorRef=flavor)
        self.assertEqual('cmp-3', before)
        self.boot_again(
            change=lambda: self.set_metadata(aggregate, None),
            flavorRef=flavor, expected_state='ERROR',
        )
        status, document = self.replay('--aggregate-unset', 'fast:ssd')
        self.assertEqual(3, status)
        change = self.find(document, request)
        self.assertEqual('placed_none', change['transition'])
        self.assertIn('AggregateInstanceExtraSpecsFilter', change['cause'])
        groups = document['configurations'][0]['groups']['aggregate']
        self.assertEqual(['fast'], [group['aggregate'] for group in groups])
        status, document = self.replay('--aggregate-set', 'fast:ssd=true')
        (gained,) = document['configurations'][0]['changes']
        self.assertEqual(
            ('none_placed', None, 'cmp-3'),
            (gained['transition'], gained['before'], gained['after']),
        )

    def test_query(self):
        """Where placement would be asked something else, it is partial."""
        self.boot()
        path = self.folder / 'new.conf'
        self.write_configuration('new.conf', **self.same)
        path.write_text(
            f'{path.read_text()}[scheduler]\n'
            'enable_isolated_aggregate_filtering = true\n'
        )
        _, document = self.replay('--config-file', str(path))
        (configuration,) = document['configurations']
        self.assertEqual({'partial': 1}, configuration['exactness'])

    def test_missing_plugin(self):
        """A filter that is not there is named in one line."""
        self.boot()
        path = self.write_configuration('new.conf', enabled_filters=['None'])
        self.assertTrue(journal.get().flush(60))
        done = subprocess.run(
            [Path(sys.executable).with_name('nova-ext'), 'replay',
             self.folder, '--config-file', path, '--processes', '1'],
            capture_output=True, text=True, timeout=PATIENCE_S,
        )
        self.assertEqual(1, done.returncode)
        last = done.stderr.strip().splitlines()[-1]
        self.assertIn(
            'enabled_filters = None: no such filter', last
        )

    def find(self, document, request, number=0):
        """Return what became of a request."""
        (change,) = [
            change for change in document['configurations'][number]['changes']
            if change['request_id'] == request
        ]
        return change

    def set_metadata(self, aggregate, value):
        """Set the key, and wait until the scheduler knows."""
        self.admin_api.post_aggregate_action(
            aggregate['id'], {'set_metadata': {'metadata': {'ssd': value}}}
        )
        known = self.scheduler.host_manager.aggs_by_id
        self.wait_for(
            lambda: known[aggregate['id']].metadata.get('ssd') == value,
            f'ssd is {value}',
        )
