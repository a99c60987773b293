"""Rehearse losses as Nova's code does, server after server.

Nova's filters, weighers and draw rank copies of host states from which the
earlier moves are taken. The engine ranks columns, and copies what changed.
"""

import copy
import time
import uuid

import fixtures
from nova import exception
from nova.scheduler import utils

from nova_ext.core.decision.fallback import FallbackError
from nova_ext.core.rpc.rehearsal import MoveOutcome, RehearsedMove
from nova_ext.engine.free_resources import FreeResources
from nova_ext.engine.provider_columns import make_columns
from nova_ext.engine.providers import Inventory, Provider
from nova_ext.scheduler.mirror import snapshot
from nova_ext.scheduler.mirror.deciding.candidates import DecisionInputs
from nova_ext.scheduler.what_if.rehearse import column_room, spare_hosts
from nova_ext.scheduler.what_if.rehearse.column_cloud import ColumnCloud
from nova_ext.scheduler.what_if.rehearse.column_requests import ColumnRequest
from nova_ext.scheduler.what_if.rehearse.column_room import ColumnRoom
from nova_ext.scheduler.what_if.rehearse.moved_room import MovedRoom
from nova_ext.scheduler.what_if.rehearse.moved_servers import MovedServer
from tests.differential import clouds, test_engine

_AVX2 = 'HW_CPU_X86_AVX2'
#: Each cloud loses hosts twice, and several servers with each.
COUNT = test_engine.COUNT // 4


class RehearsalTest(test_engine.EngineTest):
    """Compare the engine's rehearsals with those by Nova's code."""

    def setUp(self):
        """Have both draw alike."""
        super().setUp()
        self.seed = 0
        self.useFixture(fixtures.MockPatchObject(
            column_room, 'generate_seed', lambda: self.seed
        ))

    def test_decisions_are_novas(self):
        """Each server goes where Nova's code would send it, or nowhere."""
        outcomes = {True: 0, False: 0, None: 0}
        for seed in range(test_engine.SEED, test_engine.SEED + COUNT):
            for expected, answer in self._rehearse(seed):
                outcomes[None if answer is None else bool(answer)] += 1
                if answer is not None:
                    self.assertEqual(
                        expected, answer, f'NOVA_EXT_DIFFERENTIAL_SEED={seed}'
                    )
        print(f'placed, nowhere, left to Nova: {list(outcomes.values())}')
        total = sum(outcomes.values())
        self.assertGreater(outcomes[True], total / 5)
        self.assertGreater(outcomes[False], total / 20)
        self.assertLess(outcomes[None], total / 3)

    def test_spare(self):
        """So many copies of a host as take what finds none."""
        generator = clouds.Generator(1)
        self.manager.host_manager.enabled_filters = []
        states = generator.make_busy_hosts(3)
        inputs = self._make_inputs(states, {
            state.uuid: (8, used) for state, used
            in zip(states, (8, 7, 8), strict=True)
        })
        cloud = ColumnCloud(inputs, self.manager.host_manager)
        for vcpus, number, copies in ((3, 5, 3), (8, 2, 2), (9, 1, 0)):
            spec = generator.make_plain_spec()
            spec.flavor.vcpus = vcpus
            request = self._make_request(spec)
            left = [
                (self._make_server(spec, 'h0'), request)
                for _ in range(number)
            ]
            spare = spare_hosts.find(cloud, left, ['h0'])
            self.assertEqual(copies, spare.count)
            self.assertEqual(bool(copies), spare.like in ('h1', 'h2'))

    def _rehearse(self, seed):
        """Yield where Nova's code sends each server, and where the engine.

        Nowhere is '', and None a server that the engine leaves to Nova.
        """
        generator = clouds.Generator(seed)
        draw = generator.random
        for name, choices in clouds.OPTIONS.items():
            self.config.config(
                group='filter_scheduler', **{name: draw.choice(choices)}
            )
        self._configure_plugins(draw)
        enabled = draw.sample(self.filters, draw.randrange(6))
        enabled += [
            each for each in self.filters
            if type(each).__name__ == 'ComputeFilter' and each not in enabled
        ]
        self.manager.host_manager.enabled_filters = enabled
        states = generator.make_hosts()
        amounts = {
            state.uuid: (draw.choice((2, 4, 8)), draw.randrange(4))
            for state in states
        }
        avx2 = {state.uuid for state in states if draw.random() < 0.8}
        lost = [
            state.host for state in states if draw.random() < 0.3
        ] or [states[0].host]
        inputs = self._make_inputs(states, amounts, avx2)
        cloud = ColumnCloud(inputs, self.manager.host_manager)
        for _ in range(2):  # each begins from the same snapshot
            yield from self._lose(
                lost, generator, inputs, cloud, amounts, avx2
            )

    def _lose(self, lost, generator, inputs, cloud, amounts, avx2):
        """Lose hosts, as for :meth:`_rehearse`."""
        columns = ColumnRoom(cloud, lost, is_loss=True)
        room = MovedRoom(lost, is_loss=True)
        free = FreeResources({
            provider: {'VCPU': total - used, 'MEMORY_MB': 4096, 'DISK_GB': 99}
            for provider, (total, used) in amounts.items()
        })
        ordered = [
            inputs.snapshot.hosts.states[row] for row in inputs.snapshot.order
        ]
        moved = []
        for server, source_host, spec in self._list_servers(generator, lost):
            self.seed += 1
            request = self._make_request(spec)
            if spec.instance_group is not None:
                spec.instance_group.members = [
                    *spec.instance_group.members, server, *moved[:1]
                ]
            moved.append(server)
            request.set_server(server, [source_host])
            move = RehearsedMove(server, '', '', 'evacuate', source_host)
            theirs = copy.deepcopy(spec)
            room.change_group(theirs)
            hosts = []
            for state in ordered:
                state = _copy_state(state)
                room.change_host(state)
                hosts.append(state)
            demand = {
                'VCPU': spec.flavor.vcpus, 'MEMORY_MB': 512, 'DISK_GB': 1
            }
            wanted = spec.flavor.extra_specs.get(f'trait:{_AVX2}')
            candidates = [
                state for state in hosts
                if not free.find_lacking({state.uuid: demand})
                and (not wanted or state.uuid in avx2)
            ]
            try:
                (_, ranked) = self._ask_nova(
                    candidates, theirs, 0, self.seed
                ) if candidates else (None, [])
            except exception.ComputeHostMetricNotFound:
                self.assertRaises(FallbackError, columns.decide, move, request)
                continue
            expected = ranked[0].host if ranked else ''
            try:
                columns.decide(move, request)
                answer = move.host
                if not answer:
                    self.assertEqual(MoveOutcome.NO_HOST, move.outcome)
                    self.assertRegex(move.reason, r'^0/\d+ hosts?: ')
            except FallbackError:
                answer = None
                move.outcome, move.host = MoveOutcome.NO_HOST, ''
                if ranked:
                    move.outcome, move.host = MoveOutcome.PLACED, expected
                    move.claim = {ranked[0].uuid: demand}
            yield expected, answer
            if answer is not None:
                self.assertEqual(
                    {ranked[0].uuid: demand} if ranked else {}, move.claim
                )
            free.deplete(move.claim)
            columns.take(move, request.spec)
            room.add(move, theirs)

    def _list_servers(self, generator, lost):
        """Yield UUIDs with their host and spec; some have one in common."""
        draw = generator.random
        specs = [generator.make_spec() for _ in range(2)]
        for spec in specs:
            spec.requested_destination = None
        for host in lost:
            for _ in range(draw.randrange(1, 4)):
                yield generator._make_uuid(), host, draw.choice(specs)

    def _make_request(self, spec):
        group = spec.instance_group
        return ColumnRequest(
            spec, utils.ResourceRequest.from_request_spec(spec, True),
            list(group.hosts) if group is not None else [],
        )

    def _make_server(self, spec, host):
        return MovedServer(
            str(uuid.uuid4()), 'web', host, 'active', None, 1, 'p', 'u',
            spec.flavor,
        )

    def _make_inputs(self, states, amounts, avx2=()):
        """Return what the engine decides from.

        :param amounts: vCPUs of each host, and how many of them are used.
        :param avx2: UUIDs of the hosts with a trait.
        """
        self.manager.host_manager._instance_info = {
            state.host: {'updated': True, 'instances': state.instances}
            for state in states
        }
        providers = make_columns([
            Provider(
                state.uuid, 1, {
                    'VCPU': Inventory(amounts[state.uuid][0]),
                    'MEMORY_MB': Inventory(4096), 'DISK_GB': Inventory(99),
                }, {'VCPU': amounts[state.uuid][1]},
                frozenset([_AVX2] if state.uuid in avx2 else []),
            ) for state in states
        ])
        return DecisionInputs(
            snapshot.make(
                self._freeze(states), providers, None, time.monotonic(), 's'
            ), self.manager.host_manager.enabled_filters,
            self.manager.host_manager.weighers,
        )


def _copy_state(state):
    """Return Nova's state with servers of its own."""
    copied = copy.copy(state)
    copied.instances = dict(state.instances)
    return copied
