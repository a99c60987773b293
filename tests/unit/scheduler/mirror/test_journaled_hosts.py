"""Pack what the mirror knows for the journal."""

import copy
import datetime
import math
import time
from unittest import mock

import numpy as np
import testtools
from nova import objects
from oslo_utils import timeutils

from nova_ext.core.base.mode import Mode
from nova_ext.engine.host_table import HostTable
from nova_ext.engine.provider_table import ProviderTable
from nova_ext.engine.providers import Demand, Provider
from nova_ext.journal.columns import HostWriter, JournaledHosts
from nova_ext.journal.tables import TableHost
from nova_ext.scheduler.base import options
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.journal.host_values import HostPacker
from nova_ext.scheduler.mirror import journaled_hosts, mirror, snapshot
from nova_ext.scheduler.mirror.deciding.candidates import DecisionInputs
from nova_ext.scheduler.mirror.plugins import nova_plugins
from nova_ext.scheduler.what_if.replay import imported
from tests.unit.scheduler.mirror.deciding import plain_cloud

HELD = Held({'p-b': {'VCPU': 1}}, frozenset(['p-c']))
AMOUNTS = {
    'vcpus': 8, 'memory_mb': 8192, 'disk_gb': 100, 'reserved_vcpus': 0,
    'reserved_memory_mb': 0, 'reserved_disk_gb': 0, 'vcpus_used': 0,
    'memory_mb_used': 0, 'disk_gb_used': 0,
}
RATIOS = {
    f'{name}_allocation_ratio': 1.0 for name in ('cpu', 'ram', 'disk')
}


class MirrorPackerTest(testtools.TestCase):
    """Three hosts."""

    def setUp(self):
        """Have a snapshot of them."""
        super().setUp()
        objects.register_all()
        options.register_all()
        self.states = [
            imported._make_state(TableHost(name, AMOUNTS, RATIOS), {})
            for name in 'abc'
        ]
        self.hosts = HostTable(nova_plugins.make_readers(()))
        self.providers = ProviderTable()
        for state in self.states:
            self.hosts.put(state)
            self.providers.put(Provider(state.uuid, 1, {}, {}))
        self.last = None
        self.packer = journaled_hosts.MirrorPacker(HostPacker())
        self.writer, self.journaled = HostWriter(), JournaledHosts()

    def make_snapshot(self, **fields):
        """Return what is known now."""
        self.last = snapshot.make(
            self.hosts.freeze(), self.providers.freeze(), None,
            time.monotonic(), 'salt', self.last, **fields,
        )
        return self.last

    def pack(
        self, rows=None, down_after_s=60.0, later_s=0, servers=None, **fields
    ):
        """Pack; return the cloud, what is missing, hosts, and ranked ones."""
        snapshot, at = self.make_snapshot(**fields), timeutils.utcnow()
        cloud, missing = self.packer.pack(
            snapshot.hosts, rows, snapshot, HELD, servers, down_after_s, at,
            at + datetime.timedelta(seconds=later_s),
        )
        body = self.writer.encode((), (), {}, cloud.hosts)
        ranked = self.journaled.decode(body)
        self.body = body
        return cloud, missing, self.journaled.decode_known(body), ranked

    def test_hosts(self):
        """All in the mirror's order; of those that were ranked, places."""
        snapshot = self.make_snapshot()
        order = [self.states[row].host for row in snapshot.order]
        cloud, missing, known, ranked = self.pack(snapshot.order[[0, 2]])
        self.assertEqual(order, [facts.host for facts in known])
        self.assertEqual(
            [order[0], order[2]], [facts.host for facts in ranked]
        )
        self.assertEqual([], missing)
        self.assertTrue(known[0].values['service']['up'])
        self.assertIs(snapshot.providers.providers, cloud.providers)
        self.assertIs(snapshot.providers.stamps, cloud.stamps)
        self.assertEqual({'p-b': {'VCPU': 1}}, cloud.held)
        self.assertEqual(['p-c'], cloud.excluded)
        _, _, _, ranked = self.pack(snapshot.order[:0])
        self.assertEqual([], ranked)
        cloud, _, known, _ = self.pack()
        self.assertIsNone(cloud.hosts.ranked)
        self.assertEqual(3, len(known))
        self.assertEqual({}, self.body['columns'])

    def test_changed(self):
        """A state that was replaced, a host that came, servers told of."""
        self.pack()
        changed = copy.copy(self.states[0])
        changed.free_ram_mb -= 1
        self.hosts.put(changed)
        self.pack()
        self.assertEqual(['free_ram_mb'], list(self.body['columns']))
        self.packer.reported['b'] = {'one': None}
        self.packer.reported['gone'] = {}
        _, _, known, _ = self.pack()
        self.assertEqual(['instances'], list(self.body['columns']))
        (host,) = [facts for facts in known if facts.host == 'b']
        self.assertEqual(['one'], host.values['instances'])
        self.hosts.put(imported._make_state(
            TableHost('d', AMOUNTS, RATIOS), {}
        ))
        _, _, known, _ = self.pack()
        self.assertEqual(4, len(known))

    def test_as_many(self):
        """A host that comes as another one goes has values of its own."""
        self.pack()
        gone = self.states.pop()
        self.hosts.remove((gone.host, gone.nodename))
        new = imported._make_state(TableHost('d', AMOUNTS, RATIOS), {})
        new.free_ram_mb = 1
        self.hosts.put(new)
        _, _, known, _ = self.pack()
        self.assertEqual(
            {state.host: state.free_ram_mb for state in [*self.states, new]},
            {facts.host: facts.values['free_ram_mb'] for facts in known},
        )

    def test_copied_servers(self):
        """Servers as they were when hosts were ranked, in their order."""
        snapshot = self.make_snapshot()
        rows = snapshot.order[[2, 0]]
        # Nova's host manager goes on adding to it.
        self.states[rows[0]].instances = {'late': None}
        servers = [('one', 'two'), ()]
        *_, ranked = self.pack(rows, servers=servers)
        self.assertEqual(
            [['one', 'two'], []],
            [facts.values['instances'] for facts in ranked],
        )
        self.pack(rows, servers=servers)
        self.assertEqual({}, self.body['columns'])
        *_, ranked = self.pack(rows, servers=[('two',), ()])
        self.assertEqual(['instances'], list(self.body['columns']))
        self.assertEqual(['two'], ranked[0].values['instances'])

    def test_services(self):
        """One that goes down while a request is decided."""
        self.pack(down_after_s=60.0)
        _, missing, known, _ = self.pack(
            np.arange(3), down_after_s=1000.0, later_s=1001
        )
        self.assertEqual(3, len(missing))
        self.assertIn('was last seen', missing[0])
        _, missing, known, _ = self.pack(down_after_s=-1.0)
        self.assertFalse(any(
            facts.values['service']['up'] for facts in known
        ))
        _, missing, known, _ = self.pack(np.arange(3), down_after_s=None)
        self.assertEqual(([], None), (
            missing, known[0].values['service']['up']
        ))

    def test_unknown_values(self):
        """Attributes that can't be kept, of ranked hosts."""
        self.states[1].odd = object()
        self.hosts.put(self.states[1])
        for rows, expected in (
            (np.array([1]), ['attribute odd of host b']),
            (np.array([0]), []),
        ):
            self.assertEqual(expected, self.pack(rows)[1])
        self.states[1] = copy.copy(self.states[1])
        self.states[1].odd = 1
        self.hosts.put(self.states[1])
        self.assertEqual([], self.pack(np.array([1]))[1])

    def test_old_providers(self):
        """What is too old is no candidate; if many are, all are used."""
        for number in range(30):
            state = imported._make_state(
                TableHost(f'h{number}', AMOUNTS, RATIOS), {}
            )
            self.hosts.put(state)
            self.providers.put(Provider(state.uuid, 1, {}, {}))
        uuid = self.states[0].uuid
        cloud, *_ = self.pack(behind={uuid: -math.inf})
        self.assertEqual(sorted(['p-c', uuid]), cloud.excluded)


class NoteTest(testtools.TestCase):
    """Hand it to the request's journal, if there is one."""

    def setUp(self):
        """Have a request that is journaled."""
        super().setUp()
        options.register_all()
        self.journaled = mock.Mock()
        self.cycle = cycle.Cycle(
            Mode.SCHEDULER, None, journaled=self.journaled
        )
        journaled_hosts._get_packer.cache_clear()
        self.addCleanup(journaled_hosts._get_packer.cache_clear)

    def test_ranked(self):
        """What a ranking began with."""
        words = ('attempt', None, None, None, HELD)
        fields = {'names_servers': False, 'demand': None, 'servers': 1}
        journaled_hosts.note(*words, **fields)
        self.journaled.begin_mirrored.assert_not_called()
        with cycle.running(self.cycle):
            journaled_hosts.note(*words, **fields)
        (attempt, pack, room), _ = self.journaled.begin_mirrored.call_args
        self.assertEqual(('attempt', None), (attempt, room))
        self.assertTrue(callable(pack))

    def test_room(self):
        """How many of several servers each host takes."""
        snapshot = plain_cloud.make_snapshot({'a': 5, 'b': 2, 'c': 0})
        with cycle.running(self.cycle):
            journaled_hosts.note(
                'attempt', snapshot.hosts, snapshot.order, snapshot,
                Held({'b': {'VCPU': 1}}, frozenset()), names_servers=False,
                demand=Demand({'VCPU': 1}), servers=3,
            )
        (_, _, count_room), _ = self.journaled.begin_mirrored.call_args
        self.assertEqual({'a': 3, 'b': 1, 'c': 0}, dict(zip(
            [snapshot.hosts.states[row].host for row in snapshot.order],
            count_room(), strict=True,
        )))

    def test_unranked(self):
        """What the mirror knows, once it is loaded."""
        snapshot = mock.Mock()
        journaled_hosts.note_unranked(self.fail)
        with cycle.running(self.cycle):
            journaled_hosts.note_unranked(lambda: DecisionInputs(None, (), ()))
            self.journaled.set_cloud.assert_not_called()
            journaled_hosts.note_unranked(
                lambda: DecisionInputs(snapshot, (), ())
            )
        self.journaled.set_cloud.assert_called_once()

    def test_servers(self):
        """nova-compute told of servers; without a journal nobody cares."""
        known = {'a': {'instances': {'one': None}, 'updated': True}}
        fake = mock.Mock(_host_manager=mock.Mock(_instance_info=known))
        for enabled, told in ((False, {}), (True, {'a': {'one': None}})):
            options.CONF.set_override('journal', enabled, 'nova_ext')
            self.addCleanup(
                options.CONF.clear_override, 'journal', 'nova_ext'
            )
            for host in ('a', 'b'):
                mirror.Mirror.note_servers(fake, host)
            self.assertEqual(told, journaled_hosts._get_packer().reported)
