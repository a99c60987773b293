"""Open and close the decisions of a scheduler's journal."""

import dataclasses
import datetime

import testtools
from nova import objects
from oslo_utils import uuidutils

from nova_ext.core.decision.fallback import Fallback
from nova_ext.core.request.operation import Operation
from nova_ext.journal.columns import HostWriter, JournaledHosts
from nova_ext.journal.model import (
    JournalAttempt,
    JournalClaim,
    JournalDecision,
    JournalProvider,
)
from nova_ext.journal.tables import TableHost
from nova_ext.scheduler.base import options
from nova_ext.scheduler.journal import host_values, kept_hosts
from nova_ext.scheduler.what_if.replay import imported, imported_specs
from nova_ext.scheduler.what_if.replay.gaps import Gaps, UnknownFactError
from nova_ext.scheduler.what_if.replay.rolling.journal_day import JournalDay

ONE, TWO, THREE = (uuidutils.generate_uuid() for _ in range(3))
A, B, C = ('a', 'a'), ('b', 'b'), ('c', 'c')
RATIOS = {
    f'{name}_allocation_ratio': 1.0 for name in ('cpu', 'ram', 'disk')
}


class Cloud:
    """Hold hosts of eight processors, and what is on them."""

    def __init__(self):
        self.used = {'a': [], 'b': [], 'c': []}
        self._decoded = JournaledHosts()
        self._writer = HostWriter()
        self._packer = host_values.HostPacker()
        self.uuids = {}

    def make_facts(self):
        """Return hosts as a journal has them now."""
        states = []
        for name, servers in self.used.items():
            state = imported._make_state(TableHost(name, {
                'vcpus': 8, 'memory_mb': 8192, 'disk_gb': 100,
                'reserved_vcpus': 0, 'reserved_memory_mb': 0,
                'reserved_disk_gb': 0, 'vcpus_used': 2 * len(servers),
                'memory_mb_used': 1024 * len(servers), 'disk_gb_used': 0,
            }, RATIOS), {})
            state.num_instances = len(servers)
            state.instances = dict.fromkeys(servers)
            self.uuids[name] = state.uuid
            states.append(state)
        kept = kept_hosts.keep(states)
        packed = self._packer.pack(
            kept, 60.0, kept.at + datetime.timedelta(milliseconds=1)
        )
        return self._decoded.decode(self._writer.encode(
            packed.keys, packed.hosts, packed.aggregates
        ))

    def make_providers(self):
        """Return providers as a journal has them now."""
        return [
            JournalProvider(self.uuids[name], {
                'VCPU': [8, 0, 1.0, 1, 8, 1],
                'MEMORY_MB': [8192, 0, 1.0, 1, 8192, 1],
            }, {
                'VCPU': 2 * len(servers), 'MEMORY_MB': 1024 * len(servers),
            }, [], []) for name, servers in self.used.items()
        ]


def make_spec(server=ONE, **fields):
    """Return a request for two processors."""
    return objects.RequestSpec(**{
        'instance_uuid': server, 'num_instances': 1, 'project_id': 'p',
        'flavor': objects.Flavor(
            name='f', flavorid='f', vcpus=2, memory_mb=1024, root_gb=0,
            ephemeral_gb=0, swap=0, extra_specs={},
        ), 'image': None, 'numa_topology': None, 'pci_requests': None,
        'instance_group': None, 'ignore_hosts': None, 'is_bfv': False,
        'requested_resources': [], 'requested_destination': None,
        'request_level_params': objects.RequestLevelParams(),
        **fields,
    })


class JournalDayTest(testtools.TestCase):
    """Three hosts; the server was placed on a."""

    def setUp(self):
        """Have a day."""
        super().setUp()
        objects.register_all()
        options.register_all()
        self.cloud = Cloud()
        self.gaps = Gaps()
        self.day = JournalDay(self.gaps, (), ())
        self.time = 100.0

    def make(self, was=A, server=ONE, **fields):
        """Return the next decision."""
        self.time += 10
        known = self.cloud.make_facts()
        return JournalDecision(**{
            'id': 1, 'request_id': 'r', 'time': self.time, 'worker': 'w',
            'operation': Operation.FIRST_BOOT.value, 'context': {},
            'spec': {}, 'servers': [server], 'options': {}, 'hosts': known,
            'candidates': None, 'attempts': [], 'claims': [],
            'destinations': [[was]] if was else [],
            'outcome': 'placed' if was else 'no valid host', 'mirrored': True,
            'known': known, 'providers': self.cloud.make_providers(),
            **fields,
        })

    def open(self, decision, spec=None):
        """Open a decision; return its opening."""
        return self.day.open(decision, spec or make_spec())

    def place(self, decision, host, spec=None):
        """Open a decision, and place its server."""
        spec = spec or make_spec()
        self.open(decision, spec)
        claims = {decision.servers[0]: (host, {
            self.cloud.uuids[host[0]]: {'VCPU': 2, 'MEMORY_MB': 1024},
        })} if host else {}
        self.day.close(decision, spec, claims)

    def read(self, opening):
        """Return processors in use, servers and those of providers."""
        snapshot = opening.snapshot
        found = {}
        for state in snapshot.hosts.states:
            free = snapshot.providers.get_free([state.uuid], ['VCPU'], {})
            found[state.host] = (
                state.vcpus_used, state.num_instances,
                sorted(state.instances), 8 - free[state.uuid]['VCPU'],
            )
        return found

    def test_same(self):
        """What was decided is what the journal shows later."""
        self.place(self.make(), A)
        self.cloud.used['a'] = [ONE]
        opening = self.open(self.make(B, TWO))
        self.assertEqual((2, 1, [ONE], 2), self.read(opening)['a'])
        self.assertEqual(['a', 'b', 'c'], [
            opening.snapshot.hosts.states[row].host
            for row in opening.snapshot.order
        ])
        self.assertFalse(self.day.shifts)
        self.assertEqual([], list(self.gaps.facts))
        self.day.close(self.make(B, TWO), make_spec(TWO), {
            TWO: (B, {self.cloud.uuids['b']: {'VCPU': 2}}),
        })
        self.assertEqual([ONE, TWO], sorted(
            self.day.servers, key=[ONE, TWO].index
        ))
        self.assertEqual([False, False, True], [
            is_empty for _, is_empty in self.day.list_free()
        ])
        self.day.release(TWO)
        self.assertEqual([ONE], self.day.servers)
        self.assertEqual([False, True, True], [
            is_empty for _, is_empty in self.day.list_free()
        ])
        self.assertEqual(6, next(self.day.list_free())[0]['VCPU'])
        self.assertEqual(2, len(self.day.make_views(
            opening.snapshot.order[:2]
        )))

    def test_elsewhere(self):
        """It takes room where the replay has it, until it ends."""
        self.place(self.make(), B)
        # Its own decision's cloud does not show it where it was.
        self.assertEqual([(8, True), (6, False), (8, True)], [
            (free['VCPU'], is_empty) for free, is_empty in self.day.list_free()
        ])
        # Placement knows it at once; hosts do once the host of then does.
        found = self.read(self.open(self.make(None, TWO)))
        self.assertEqual((0, 0, [], -2), found['a'])
        self.assertEqual((0, 0, [], 2), found['b'])
        self.cloud.used['a'] = [ONE]
        for _ in range(2):
            found = self.read(self.open(self.make(None, TWO)))
            self.assertEqual((0, 0, [], 0), found['a'])
            self.assertEqual((2, 1, [ONE], 2), found['b'])
        self.cloud.used['a'] = []
        found = self.read(self.open(self.make(None, TWO)))
        self.assertEqual((0, 0, [], 0), found['a'])
        self.assertEqual((0, 0, [], 0), found['b'])

    def test_refused(self):
        """A server that has no host any more, and one that has one now."""
        self.place(self.make(), None)
        self.cloud.used['a'] = [ONE]
        found = self.read(self.open(self.make(None, TWO)))
        self.assertEqual((0, 0, [], 0), found['a'])
        self.place(self.make(None, TWO, mirrored=False, fallback='no_host'),
                   C, make_spec(TWO))
        found = self.read(self.open(self.make(None, THREE)))
        self.assertEqual((2, 1, [TWO], 2), found['c'])
        self.day.release(TWO)
        self.day.release(TWO)
        found = self.read(self.open(self.make(None, THREE)))
        self.assertEqual((0, 0, [], 0), found['c'])

    def test_hosts_go(self):
        """A host that is gone is not shown."""
        self.open(self.make())
        del self.cloud.used['b']
        self.assertEqual({'a', 'c'}, set(self.read(self.open(self.make()))))

    def test_own_claims(self):
        """Where own claims are weighed, hosts show them at once."""
        self.day = JournalDay(self.gaps, (), (), weighs_own=True)
        self.place(self.make(), B)
        found = self.read(self.open(self.make(None, TWO)))
        self.assertEqual((2, 1, [ONE], 2), found['b'])
        found = self.read(self.open(self.make(None, TWO, worker='other')))
        self.assertEqual((0, 0, [], 2), found['b'])

    def test_moves(self):
        """A server that moves leaves the host where the replay has it."""
        self.place(self.make(), B)
        self.cloud.used['a'] = [ONE]
        self.open(self.make(None, TWO))
        spec = make_spec(ignore_hosts=['a'])
        self.open(self.make(C, operation=Operation.MOVE.value), spec)
        self.assertEqual(['b'], spec.ignore_hosts)
        self.assertIn('would have moved', next(iter(self.gaps.facts)))
        rebuild = self.make(A, operation=Operation.REBUILD.value)
        self.assertRaises(UnknownFactError, self.open, rebuild)
        self.place(self.make(B, TWO), None, make_spec(TWO))
        self.cloud.used['b'] = [TWO]
        self.open(self.make(None, uuidutils.generate_uuid()))
        self.assertRaises(UnknownFactError, self.open, self.make(
            C, TWO, operation=Operation.MOVE.value
        ))

    def test_groups(self):
        """A group is on the hosts where the replay has its members."""
        three = uuidutils.generate_uuid()
        self.cloud.used['a'] = [three]
        self.place(self.make(), B)
        for members, hosts in (
            ([ONE], ['b']), ([ONE, three], ['a', 'b']), ([], ['a']),
        ):
            spec = make_spec(TWO, instance_group=objects.InstanceGroup(
                members=members, hosts=['a'],
            ))
            self.open(self.make(None, TWO), spec)
            self.assertEqual(hosts, spec.instance_group.hosts)
        self.open(self.make(None, TWO), make_spec(
            TWO, instance_group=objects.InstanceGroup(members=[ONE])
        ))

    def test_by_nova(self):
        """As it stood, until a server is elsewhere."""
        answer = {'allocation_requests': [{'allocations': {
            'p': {'resources': {'VCPU': 1}},
        }}], 'provider_summaries': {}, 'version': '1'}
        fields = {
            'mirrored': False, 'fallback': 'numa_topology',
            'candidates': answer,
        }
        opening = self.open(self.make(**fields))
        self.assertIs(answer, opening.answer)
        self.assertEqual(Fallback.NUMA_TOPOLOGY, opening.off)
        self.assertEqual(3, len(opening.hosts))
        self.place(self.make(), B)
        opening = self.open(self.make(None, TWO, **fields))
        self.assertIsNone(opening.answer)
        self.assertEqual(Fallback.NUMA_TOPOLOGY, opening.off)
        self.assertIn('Nova decided', next(iter(self.gaps.facts)))
        opening = self.open(self.make(None, TWO, **{
            **fields, 'fallback': 'no_host',
        }))
        self.assertIsNone(opening.off)
        opening = self.open(self.make(None, TWO, **{
            **fields, 'fallback': '',
        }))
        self.assertIsNone(opening.off)
        opening = self.open(self.make(
            None, TWO, **fields | {'operation': Operation.REBUILD.value}
        ))
        self.assertEqual(3, len(opening.hosts))
        self.day.close(
            self.make(operation=Operation.REBUILD.value), make_spec(), {}
        )
        self.assertEqual(1, len(list(self.day.shifts)))
        self.assertRaises(UnknownFactError, self.open, self.make(
            None, TWO, **fields | {'known': ()}
        ))

    def test_draws_and_claims(self):
        """Seeds of then, and claims that were refused."""
        attempts = [
            JournalAttempt(index, '', seed, 1, [])
            for index, seed in ((0, 7), (1, 8), (1, 9), (2, None))
        ]
        self.open(self.make())
        opening = self.open(self.make(
            attempts=attempts, claims=[
                JournalClaim(ONE, 'a', False), JournalClaim(ONE, 'b', True),
            ], held={'p': {'VCPU': 1}}, excluded=['q'],
        ))
        self.assertEqual({0: [7], 1: [8, 9]}, opening.seeds)
        self.assertEqual(
            {(ONE, self.cloud.uuids['a'])}, opening.refused
        )
        self.assertEqual(
            ({'p': {'VCPU': 1}}, {'q'}),
            (opening.held.amounts, opening.held.refused),
        )

    def test_claim_of_then(self):
        """From placement's answer, or what the request asks for."""
        decision = self.make(candidates={'allocation_requests': [
            {'allocations': {'other': {'resources': {}}}},
            {'allocations': {
                imported_specs.make_uuid('host', 'a'): {
                    'resources': {'VCPU': 9},
                },
            }},
        ]})
        self.place(decision, None)
        (shift,) = self.day.shifts
        self.assertEqual(
            {self.cloud.uuids['a']: {'VCPU': 9}}, shift.journal_claim
        )
        self.day.release(ONE)
        self.place(dataclasses.replace(decision, candidates=None), None)
        (shift,) = self.day.shifts
        self.assertEqual(
            {self.cloud.uuids['a']: {'VCPU': 2, 'MEMORY_MB': 1024}},
            shift.journal_claim,
        )
        self.day.release(ONE)
        self.place(self.make(('gone', 'gone')), B)
        (shift,) = self.day.shifts
        self.assertEqual({}, shift.journal_claim)
