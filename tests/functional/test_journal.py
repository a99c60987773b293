"""The journal holds what Nova's filters got, and what came of it."""

import os
from pathlib import Path

import fixtures

from nova_ext.journal import writer
from nova_ext.journal.reader import JournalReader
from nova_ext.scheduler.journal import journal
from tests.functional import base
from tests.functional.mirrored import MirroredTestCase


class JournalTestCase(base.CloudTestCase):
    """A cloud whose scheduler keeps a journal."""

    def configure(self):
        """Turn the journal on."""
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        self.flags(journal=True, group='nova_ext')
        self.flags(directory=str(self.folder), group='nova_ext_journal')
        journal.get.cache_clear()
        self.addCleanup(journal.get.cache_clear)
        self.addCleanup(lambda: journal.get().flush(60))
        #: What the first filter got: copies, by decision.
        self.seen = []

    def watch(self):
        """See what the first filter gets."""
        manager = self.scheduler.host_manager
        filter_hosts = manager.get_filtered_hosts

        def watch(hosts, spec, index=0):
            hosts = list(hosts)
            if index == 0:
                self.seen.append([
                    {**vars(host), 'instances': list(host.instances)}
                    for host in hosts
                ])
            return filter_hosts(hosts, spec, index)

        self.useFixture(fixtures.MonkeyPatch(
            f'{type(manager).__module__}.HostManager.get_filtered_hosts',
            lambda _, *args: watch(*args),
        ))

    def read_journal(self):
        """Return the reader of the only file, and its decisions."""
        self.assertTrue(journal.get().flush(60))
        (path,) = writer.list_files(self.folder)
        reader = JournalReader(path)
        return reader, list(reader)


class JournalTest(JournalTestCase):
    """Boots of a scheduler in scheduler mode."""

    def boot(self, **kwargs):
        """Boot a server; return it."""
        return self._create_server(networks='none', **kwargs)

    def test_holds_what_filters_got(self):
        """Hosts in order, with the values that the first filter saw."""
        self.watch()
        first = self.boot()
        second = self.boot()
        reader, decisions = self.read_journal()
        self.assertEqual([], list(reader.damage))
        self.assertEqual(
            [[first['id']], [second['id']]],
            [decision.servers for decision in decisions],
        )
        for seen, decision in zip(self.seen, decisions, strict=True):
            self.assertEqual(
                [(host['host'], host['nodename'], host['uuid'])
                 for host in seen],
                [(host.host, host.node, host.uuid)
                 for host in decision.hosts],
            )
            for name in ('free_ram_mb', 'vcpus_used', 'free_disk_mb',
                         'num_instances', 'instances', 'stats', 'cpu_info',
                         'supported_instances', 'hypervisor_version'):
                self.assertEqual(
                    [host[name] for host in seen],
                    [host.values[name] for host in decision.hosts], name,
                )
            self.assertTrue(all(
                host.values['service']['up'] for host in decision.hosts
            ))
            self.assertEqual([], list(decision.missing))
            self.assertEqual('placed', decision.outcome)
        self.assertEqual(
            [first['OS-EXT-SRV-ATTR:host'], second['OS-EXT-SRV-ATTR:host']],
            [decision.destinations[0][0][0] for decision in decisions],
        )
        self.assertEqual(os.getpid(), reader.process.pid)
        self.assertIn('ComputeFilter', [
            plugin.name for plugin in reader.process.plugins
        ])
        mode = self.folder.glob('*.journal').__next__().stat().st_mode
        self.assertEqual(0o640, mode & 0o777)


class MirroredJournalTest(JournalTestCase, MirroredTestCase):
    """Boots that the mirror decides."""

    def configure(self):
        """Configure both."""
        MirroredTestCase.configure(self)
        JournalTestCase.configure(self)

    def test_holds_hosts_of_mirror(self):
        """The states that were ranked, as the mirror read them."""
        (server,), decision = self.place()
        self.assert_decided(decision)
        states = {
            state.host: state for state in self.mirror.snapshot.hosts.states
        }
        self.place(refresh=False)
        _, (first, second) = self.read_journal()
        self.assertTrue(first.mirrored)
        self.assertEqual([], list(first.missing))
        self.assertEqual(sorted(states), sorted(
            host.host for host in first.hosts
        ))
        for host in first.hosts:
            state = states[host.host]
            for name in ('free_ram_mb', 'vcpus_used', 'num_instances',
                         'stats', 'cpu_info', 'supported_instances',
                         'hypervisor_type'):
                self.assertEqual(getattr(state, name), host.values[name])
            self.assertTrue(host.values['service']['up'])
            self.assertIsNone(host.values['numa_topology'])
        chosen = server['OS-EXT-SRV-ATTR:host']
        self.assertEqual(chosen, first.destinations[0][0][0])
        self.assertIsNotNone(first.attempts[0].seed)
        # Nothing was read since, so the host does not show the claim.
        self.assertEqual(
            {state.host: state.vcpus_used for state in states.values()},
            {host.host: host.values['vcpus_used'] for host in second.hosts},
        )


class StockJournalTest(JournalTestCase):
    """Boots of a stock nova-scheduler with our lines."""

    manager = None
    weight_classes = (base.STOCK_WEIGHERS, base.OUR_WEIGHERS)

    def test_holds_what_filters_got(self):
        """Hosts that reached the filters, and where servers went."""
        self.watch()
        self.disable('cmp-3')
        server = self.boot({'requested_host': 'cmp-2'})
        self.boot({'requested_host': 'cmp-9'}, expected_state='ERROR')
        self.decisions()  # the last one ends with the next request
        reader, decisions = self.read_journal()
        self.assertEqual('plugin', reader.process.mode)
        self.assertEqual(
            [[server['id']], 'placed'],
            [decisions[0].servers, decisions[0].outcome],
        )
        self.assertEqual(
            [host['host'] for host in self.seen[0]],
            [host.host for host in decisions[0].hosts],
        )
        self.assertEqual(
            [host['free_ram_mb'] for host in self.seen[0]],
            [host.values['free_ram_mb'] for host in decisions[0].hosts],
        )
        self.assertNotIn('cmp-3', [host.host for host in decisions[0].hosts])
