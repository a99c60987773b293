"""A scheduler's own journal is rolled: the day as it would have gone."""

import json
import subprocess
import sys
from pathlib import Path

import fixtures

from nova_ext.scheduler.journal import journal
from tests import table_day
from tests.functional import base, mirrored, programs, test_rolling

#: Seconds for which a busy machine may decide.
PATIENCE_S = 900
#: Any seed draws a day. This one fills the cloud, and empties a part of it.
SEED = 1


class JournalDayTest(mirrored.MirroredTestCase, test_rolling.RollingTest):
    """Four hosts of four sizes, and a mirror that decides."""

    hosts = tuple(table_day.Day(SEED, 4, 0).sizes)
    manager = base.OUR_MANAGER
    available_filters = (base.STOCK_FILTERS,)
    weight_classes = (base.STOCK_WEIGHERS,)
    enabled_filters = table_day.FILTERS

    def configure(self):
        """Have a mirror, and a journal."""
        self.day = table_day.Day(SEED, 4, 12)
        mirrored.MirroredTestCase.configure(self)
        test_rolling.RollingTest.configure(self)
        self.journal = Path(self.useFixture(fixtures.TempDir()).path)
        self.flags(journal=True, group='nova_ext')
        self.flags(directory=str(self.journal), group='nova_ext_journal')
        journal.get.cache_clear()
        self.addCleanup(journal.get.cache_clear)
        self.addCleanup(lambda: journal.get().flush(60))

    def settle(self):
        """Wait until everybody knows what hosts have, the mirror too."""
        super().settle()
        self.mirror.refresh()

    def replay(self, *words, journals=None):
        """Run nova-ext replay --rolling; return status and document."""
        self.assertTrue(journal.get().flush(60))
        done = programs.run(
            'replay', *(journals or [self.journal]), '--rolling', '-f',
            'json', *words, timeout=PATIENCE_S,
        )
        self.assertNotIn('Traceback', done.stderr)
        self.assertIn(done.returncode, (0, 3, 4), done.stderr)
        return done.returncode, json.loads(done.stdout)

    def assert_verified(self, document):
        """Assert that no decision came out otherwise."""
        verification = document['verification']
        self.assertEqual([], verification['differences'])
        self.assertEqual([], verification['partial_differences'])
        self.assertEqual(0, verification['not_replayable'], verification)
        return verification

    def test_day(self):
        """The same configuration decides the same; another as fresh boots."""
        recorded = self.run_day()
        status, document = self.replay('--verify')
        verification = self.assert_verified(document)
        self.assertEqual((0, len(recorded)), (status, verification['exact']))
        other = table_day.write_configuration(self.folder / 'b.conf', **{
            **test_rolling.OPTIONS, 'ram_weight_multiplier': -1.0,
        })
        status, document = self.replay('--config-file', other)
        self.assert_verified(document)
        own, changed = document['configurations']
        self.assertEqual(
            recorded, [each['hosts'] for each in own['decisions']]
        )
        self.settle()
        self.check_cloud(own['cloud'])
        for placed in self.alive.values():
            for server in placed:
                self._delete_server(server)
        self.alive = {}
        self.settle()
        for flavor in self.api.get_flavors():
            if flavor['name'] in table_day.FLAVORS:
                self.admin_api.delete_flavor(flavor['id'])
        # Nobody knows when a server had ended that was refused.
        refused = {
            number for number, placed in enumerate(recorded) if not placed
        }
        self.day.requests = [
            request._replace(ended=tuple(set(request.ended) - refused))
            for request in self.day.requests
        ]
        self.flags(journal=False, group='nova_ext')
        self.flags(group='filter_scheduler', ram_weight_multiplier=-1.0)
        # A mirror reads multipliers with its hosts.
        self.scheduler_service.stop()
        self.scheduler_service = self.start_service('scheduler')
        fresh = self.run_day()
        self.assertNotEqual(recorded, fresh)
        self.assertEqual(
            fresh, [each['hosts'] for each in changed['decisions']]
        )
        self.settle()
        self.check_cloud(changed['cloud'])


class MovesTest(JournalDayTest):
    """Servers that move and end, and one that nobody journals."""

    test_day = None

    def configure(self):
        """Have nova-compute tell of servers."""
        super().configure()
        self.flags(group='filter_scheduler', track_instance_changes=True)

    def boot(self, *args, **kwargs):
        """Boot from the mirror of now."""
        self.mirror.refresh()
        return super().boot(*args, **kwargs)

    def export(self):
        """Scrub the journal; return the folder."""
        self.assertTrue(journal.get().flush(60))
        new = self.folder / 'scrubbed'
        programs.run(
            'journal', 'export', self.journal, '--scrub', '--to', new,
            timeout=PATIENCE_S,
        ).check_returncode()
        return new

    def test_moves(self):
        """Boots, moves, deletions, refusals: all come out as they were."""
        huge = self._create_flavor(memory_mb=2 ** 20)
        first, second, third = (self.boot() for _ in range(3))
        self.boot_many(2)
        # As another scheduler places it.
        self.flags(journal=False, group='nova_ext')
        other = self.boot()
        self.flags(journal=True, group='nova_ext')
        self.mirror.refresh()
        self.act(first, 'migrate')
        first = self._wait_for_state_change(first, 'VERIFY_RESIZE')
        self.boot(flavorRef=huge, expected_state='ERROR')
        self.act(first, 'confirmResize')
        self._wait_for_state_change(first, 'ACTIVE')
        for server in (second, other):
            self._delete_server(server)
        known = self.scheduler.host_manager._instance_info
        self.wait_for(lambda: not any(
            server['id'] in info['instances']
            for server in (second, other) for info in known.values()
        ), 'the scheduler knows that servers are gone')
        self.boot()
        self.act(third, 'rebuild', {'imageRef': third['image']['id']})
        self._wait_for_state_change(third, 'ACTIVE')
        status, document = self.replay('--verify')
        verification = self.assert_verified(document)
        self.assertEqual(0, status)
        self.assertLessEqual(7, verification['exact'], verification)
        self.assertEqual(0, self.replay(
            '--verify', journals=[self.export()]
        )[0])
        _, document = self.replay(
            '--set', 'filter_scheduler.ram_weight_multiplier=-1.0'
        )
        own, changed = document['configurations']
        # A server of then is gone, in the replay, too.
        self.assertEqual(
            own['cloud']['servers'], changed['cloud']['servers']
        )
        self.assertEqual(5, own['cloud']['servers'])
        self.assertEqual(0, sum(
            change['exactness'] == 'not replayable'
            for change in changed['changes']
        ))

    def ask(self, *words):
        """Ask the journal; return the document."""
        self.assertTrue(journal.get().flush(60))
        done = subprocess.run(
            [Path(sys.executable).with_name('nova-ext'), *words, '--journal',
             self.journal, '-f', 'json'],
            capture_output=True, text=True, timeout=PATIENCE_S,
        )
        self.assertEqual(0, done.returncode, done.stderr)
        document = json.loads(done.stdout)
        self.assertNotIn('partial', ' '.join(document['notes']))
        return document

    def test_as_of(self):
        """Another flavor goes where the last one went, and is counted."""
        small, large = (
            self._create_flavor(
                name=name, vcpu=1, memory_mb=memory_mb, disk=0, ephemeral=0,
            ) for name, memory_mb in (('small', 509), ('large', 6007))
        )
        first = self.host_of(self.boot(flavorRef=small))
        last = self.boot(flavorRef=large)
        document = self.ask('simulate', '--flavor', 'small')
        (chosen,) = document['decision']['chosen'].values()
        self.assertEqual(self.host_of(last), chosen[0])
        document = self.ask('capacity', '--flavor', 'large')
        # The last one saw the first one alone.
        self.assertEqual({
            host: (
                size.memory_mb - table_day.RESERVED_MB
                - 509 * (host == first)
            ) // 6007 for host, size in self.day.sizes.items()
        }, {
            host: servers['least']
            for host, servers in document['hosts'].items()
        })
