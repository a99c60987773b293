"""Make decisions of a journal again, by Nova's filters and weighers."""

import fixtures
from nova import context, objects, test
from nova.objects import base as nova_base
from nova.servicegroup import api as servicegroup

from nova_ext.core.decision.decision import FAILED, NO_VALID_HOST, PLACED
from nova_ext.journal.model import JournalAttempt, JournalClaim
from nova_ext.scheduler.journal import inputs
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.what_if.replay import configuration, journal_claims
from nova_ext.scheduler.what_if.replay.aggregate_changes import AggregateChange
from nova_ext.scheduler.what_if.replay.gaps import (
    Gaps,
    RefusedQueries,
    UnknownFactError,
)
from nova_ext.scheduler.what_if.replay.host_states import HostStates
from nova_ext.scheduler.what_if.replay.replayer import Replayer
from tests.functional import novas
from tests.functional import replay_facts as facts


class ReplayTestCase(test.NoDBTestCase):
    """A process that replays."""

    def setUp(self):
        """Leave no trace for other tests."""
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            'nova.objects.base.NovaObject.indirection_api', None
        ))
        self.addCleanup(traced.stop_tracing_instances)
        self.gaps = Gaps()


class HostStatesTest(ReplayTestCase):
    """Host states are as they were."""

    def setUp(self):
        """A host with whatever a host can have."""
        super().setUp()
        self.state = novas.host_state(
            'cmp-1', node='node-1', servers=['one', 'two'],
            aggregates=[objects.Aggregate(
                id=1, uuid=novas.uuid_of('fast'), name='fast',
                hosts=['cmp-1'], metadata={'ssd': 'true'},
            )], stats={'num_instances': '2', 'failed_builds': '1'},
        )
        self.state.numa_topology = objects.NUMATopology(cells=[
            objects.NUMACell(
                id=0, cpuset={0, 1}, pcpuset={2, 3}, memory=512,
                cpu_usage=0, memory_usage=0, pinned_cpus=set(),
                siblings=[{2}, {3}], mempages=[],
                network_metadata=objects.NetworkMetadata(
                    physnets=set(), tunneled=False
                ), socket=0,
            )
        ])
        self.state.pci_stats.pools = [{
            'vendor_id': '8086', 'product_id': '1', 'numa_node': 0,
            'count': 2, 'dev_type': 'type-PCI',
        }]

    def make(self, *states, changes=()):
        """Return host states that went through a journal."""
        made = HostStates(self.gaps, changes)
        return list(made.make(facts.to_facts(*(states or [self.state]))))

    def test_same(self):
        """Every attribute that Nova has is there."""
        (state,) = self.make()
        for name, value in vars(self.state).items():
            if name in ('updated', 'service', 'pci_stats', 'instances',
                        'aggregates', 'numa_topology', 'metrics'):
                continue
            self.assertEqual(value, getattr(state, name), name)
        self.state.numa_topology.obj_reset_changes(recursive=True)
        state.numa_topology.obj_reset_changes(recursive=True)
        self.assertEqual(
            self.state.numa_topology.obj_to_primitive(),
            state.numa_topology.obj_to_primitive(),
        )
        self.assertEqual(self.state.pci_stats.pools, state.pci_stats.pools)
        self.assertEqual(list(self.state.instances), list(state.instances))
        (aggregate,) = state.aggregates
        self.assertEqual({'ssd': 'true'}, aggregate.metadata)
        self.assertEqual({}, self.gaps.facts)

    def test_own_copies(self):
        """What one decision takes, the next one has again."""
        hosts = facts.to_facts(self.state)
        made = HostStates(self.gaps)
        (first,) = made.make(hosts)
        spec = novas.request_spec(context.get_admin_context())
        first.consume_from_request(spec)
        first.instances['three'] = None
        first.pci_stats.pools[0]['count'] = 0
        first.limits['numa_topology'] = 1
        (second,) = made.make(hosts)
        self.assertEqual(self.state.free_ram_mb, second.free_ram_mb)
        self.assertEqual(list(self.state.instances), list(second.instances))
        self.assertEqual(2, second.pci_stats.pools[0]['count'])
        self.assertEqual({}, second.limits)

    def test_services(self):
        """A service is up if it was, whatever the clock says."""
        self.flags(service_down_time=10 ** 9)
        up, down = self.make(
            self.state,
            novas.host_state(
                'cmp-2', service={'last_seen_up': facts.long_ago()}
            ),
        )
        group = servicegroup.API()
        self.assertTrue(group.service_is_up(up.service))
        self.assertFalse(group.service_is_up(down.service))

    def test_changed_aggregates(self):
        """A key is removed or set, of one aggregate by name."""
        for change, metadata in (
            (AggregateChange('fast', 'ssd'), {}),
            (AggregateChange('fast', 'x', 'y'), {'ssd': 'true', 'x': 'y'}),
            (AggregateChange('slow', 'ssd'), {'ssd': 'true'}),
        ):
            (state,) = self.make(changes=[change])
            self.assertEqual(metadata, state.aggregates[0].metadata)

    def test_unknown(self):
        """What is asked for and is not there is noted."""
        (state,) = self.make()
        self.assertRaises(AttributeError, lambda: state.temperature)
        RefusedQueries(self.gaps).install()
        server = next(iter(state.instances.values()))
        self.assertRaises(UnknownFactError, lambda: server.user_id)
        self.assertEqual(
            ['temperature of hosts', 'Instance.user_id'],
            list(self.gaps.facts),
        )
        self.assertIsNotNone(nova_base.NovaObject.indirection_api)


class ReplayerTest(ReplayTestCase):
    """Decisions by Nova's own code."""

    def setUp(self):
        """Three hosts, of which the last one is the best."""
        super().setUp()
        self.flags(
            group='filter_scheduler',
            available_filters=['nova.scheduler.filters.all_filters'],
            enabled_filters=['ComputeFilter'],
            weight_classes=['nova.scheduler.weights.all_weighers'],
        )
        self.spec = novas.request_spec(context.get_admin_context())
        self.hosts = facts.to_facts(*(
            novas.host_state(f'cmp-{number}', free_ram_mb=1024 * number)
            for number in (1, 2, 3)
        ))
        self.keys = [(host.host, host.node) for host in self.hosts]

    def decide(self, **fields):
        """Decide again."""
        return Replayer('plugin').decide(
            facts.make_decision(self.spec, self.hosts, **fields)
        )

    def test_ranking(self):
        """The best host and its alternates."""
        replayed = self.decide()
        self.assertEqual(PLACED, replayed.outcome, replayed.error)
        self.assertEqual(
            [self.keys[::-1]], [list(offer) for offer in replayed.chosen]
        )
        self.assertEqual((), tuple(replayed.gaps))

    def test_refused_claim(self):
        """What placement refused then, it refuses again."""
        claims = [
            JournalClaim(self.spec.instance_uuid, 'cmp-3', False),
            JournalClaim(self.spec.instance_uuid, 'cmp-2', True),
        ]
        self.assertEqual(
            (self.keys[1],), self.decide(claims=claims).first_hosts
        )

    def ask_for_three(self):
        """Ask for three servers, which RAMWeigher alone tells apart."""
        self.spec.num_instances = 3
        self.spec.flavor.memory_mb = 1
        self.flags(
            group='filter_scheduler', cpu_weight_multiplier=0.0,
            disk_weight_multiplier=0.0, io_ops_weight_multiplier=0.0,
        )

    def test_answers(self):
        """A host answers each claim as it did, whatever it had free."""
        _, two, three = self.keys
        servers = [novas.uuid_of(name) for name in ('a', 'b', 'c')]
        self.ask_for_three()
        for claims, free, hosts in (
            # It had room for all, and others took it after the first one.
            (('cmp-3', True, False), 9, (three, two, two)),
            # It was freed meanwhile.
            (('cmp-3', True, True), 1, (three, three, two)),
            # It refused once.
            (('cmp-3', False, True), 9, (two, three, three)),
        ):
            host, *answers = claims
            replayed = self.decide(
                servers=servers,
                candidates=facts.make_candidates(self.hosts, free),
                claims=[
                    JournalClaim(server, host, claimed)
                    for server, claimed in zip(servers, answers, strict=False)
                ],
            )
            self.assertEqual(hosts[:2], replayed.first_hosts[:2], claims)
            self.assertEqual([], list(replayed.gaps))

    def test_unseen_room(self):
        """In plugin mode claims that were granted need no room."""
        servers = [novas.uuid_of(name) for name in ('a', 'b')]
        self.spec.num_instances = 2
        claims = [
            JournalClaim(servers[0], 'cmp-3', True),
            JournalClaim(servers[1], 'cmp-2', True),
        ]
        unseen = {
            **facts.make_candidates(self.hosts), 'provider_summaries': {},
        }
        fields = {'servers': servers, 'candidates': unseen}
        self.assertEqual((), self.decide(claims=claims, **fields).gaps)
        self.assertEqual(
            (journal_claims.FREE,),
            self.decide(claims=claims[:1], **fields).gaps,
        )

    def test_mirrored(self):
        """Hosts have the room that the mirror knew, and no more."""
        one, _, three = self.keys
        servers = [novas.uuid_of(name) for name in ('a', 'b', 'c')]
        self.ask_for_three()
        replayed = self.decide(
            servers=servers, candidates=None, mirrored=True, room=[3, 3, 2],
            claims=[JournalClaim('', 'cmp-2', False)],
            options={'return_objects': True, 'return_alternates': True},
        )
        self.assertEqual((three, three, one), replayed.first_hosts)
        # A host that is full, or that others took, is no alternate.
        self.assertEqual(
            [[three], [three], [one]],
            [list(offer) for offer in replayed.chosen],
        )
        self.assertEqual((), replayed.gaps)
        replayed = self.decide(
            servers=servers, candidates=None, mirrored=True,
        )
        self.assertEqual((journal_claims.FREE,), replayed.gaps)

    def test_several_servers(self):
        """A host takes as many as placement had room for."""
        servers = [novas.uuid_of(name) for name in ('a', 'b', 'c')]
        self.ask_for_three()
        for free, hosts in ((1, self.keys[::-1]), (9, [self.keys[2]] * 3)):
            replayed = self.decide(
                servers=servers,
                candidates=facts.make_candidates(self.hosts, free),
            )
            self.assertEqual(tuple(hosts), replayed.first_hosts)

    def test_seed(self):
        """The seed of then draws the host of then."""
        self.flags(group='filter_scheduler', host_subset_size=3)
        drawn = {
            self.decide(attempts=[JournalAttempt(
                0, self.spec.instance_uuid, seed, 3, []
            )]).first_hosts for seed in range(20)
        }
        self.assertEqual(3, len(drawn))
        again = {
            self.decide(attempts=[JournalAttempt(
                0, self.spec.instance_uuid, 7, 3, []
            )]).first_hosts for _ in range(3)
        }
        self.assertEqual(1, len(again))

    def test_no_seed(self):
        """The host of then is taken if it could be drawn."""
        self.flags(group='filter_scheduler', host_subset_size=2)
        for then, now in ((1, 1), (2, 2)):
            replayed = self.decide(destinations=[[self.keys[then]]])
            self.assertEqual((self.keys[now],), replayed.first_hosts)
            self.assertEqual(
                {0: {*self.keys[1:]}},
                {0: {*replayed.equal[0]}},
            )
        replayed = self.decide(destinations=[[self.keys[0]]])
        self.assertIn(replayed.first_hosts[0], self.keys[1:])
        # With evidence on both: the one of then weighs less.
        (said,) = replayed.evidence[:1]
        self.assertIn(self.keys[0], said.weights)

    def test_none(self):
        """No candidate is no host; so is a filter that rejects all."""
        empty = {**facts.make_candidates([]), 'allocation_requests': []}
        replayed = self.decide(candidates=empty)
        self.assertEqual(NO_VALID_HOST, replayed.outcome)
        self.flags(
            group='filter_scheduler', enabled_filters=['IsolatedHostsFilter'],
            isolated_hosts=['cmp-1', 'cmp-2', 'cmp-3'],
            isolated_images=['other'],
        )
        replayed = self.decide(destinations=[[self.keys[2]]])
        self.assertEqual(NO_VALID_HOST, replayed.outcome)
        (said,) = replayed.evidence
        self.assertEqual('IsolatedHostsFilter', said.ended.stage)
        self.assertEqual([self.keys[2]], list(said.rejected))

    def test_query(self):
        """A weigher that queries a database has none, and that is said."""
        self.flags(
            group='filter_scheduler', image_props_weight_multiplier=1.0,
            weight_classes=[
                'nova.scheduler.weights.image_props.ImagePropertiesWeigher',
            ],
        )
        replayed = self.decide()
        self.assertEqual(FAILED, replayed.outcome)
        self.assertIn('CellMapping.get_by_uuid()', replayed.gaps)


class MaskedTest(ReplayTestCase):
    """What is masked may be missing."""

    def test_cell(self):
        """Nothing that decides reads where a cell's database is."""
        self.assertEqual(
            ['image.x of the request, which is masked'],
            inputs.list_masked([
                'requested_destination.cell.transport_url',
                'requested_destination.cell.database_connection', 'image.x',
            ], {}, ()),
        )


class ConfigurationTest(ReplayTestCase):
    """The configuration of a journal is read as it was."""

    def test_lines(self):
        """Lists, repeated options, booleans and dollars are kept."""
        lines = list(configuration._write({
            'DEFAULT': {'host': 'a$b', 'config_file': ['/x'], 'debug': None},
            'filter_scheduler': {
                'available_filters': ['a', 'b'],
                'enabled_filters': ['A', 'B'],
                'shuffle_best_same_weighed_hosts': True,
            },
            'database': {'connection': '***'},
        }, frozenset(['database.connection'])))
        self.assertEqual([
            '[DEFAULT]', 'host = a$$b', '[filter_scheduler]',
            'available_filters = a', 'available_filters = b',
            'enabled_filters = A, B',
            'shuffle_best_same_weighed_hosts = True', '[database]',
        ], lines)

    def test_differences(self):
        """Options that change the query are named."""
        group = {'max_placement_results': 1000}
        names = configuration.QUERY_OPTIONS
        self.assertEqual(
            [], configuration.list_differences({'scheduler': group}, names)
        )
        self.flags(group='scheduler', max_placement_results=5)
        self.assertEqual(
            ['[scheduler] max_placement_results'],
            configuration.list_differences({'scheduler': group}, names),
        )
