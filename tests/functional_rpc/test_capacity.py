"""How many more servers fit, and how many do."""

import fixtures
from nova.scheduler import filters as nova_filters
from testtools import testcase

from nova_ext import client
from nova_ext.core.rpc.capacity import ServerRange
from tests.functional import base
from tests.functional_rpc import what_if


class CapacityTest(what_if.WhatIfTestCase):
    """Small hosts of 10 processors, 8 GiB and 1 TiB, in two zones."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3')
    enabled_filters = (
        'ComputeFilter', 'SpecifiedHostFilter', 'NumInstancesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )

    def configure(self):
        """Processors are overcommitted."""
        super().configure()
        self.flags(initial_cpu_allocation_ratio=2.0)

    def setUp(self):
        """Put two of the hosts into a zone, and a server on one of them."""
        super().setUp()
        self.aggregate('rack', 'cmp-1', 'cmp-2', availability_zone='west')
        self.boot({'requested_host': 'cmp-1'})

    def aggregate(self, name, *hosts, **metadata):
        """Make an aggregate, which Nova mirrors in placement."""
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': name}}
        )
        self.admin_api.post_aggregate_action(
            aggregate['id'], {'set_metadata': {'metadata': metadata}}
        )
        for host in hosts:
            self.add_to_aggregate(aggregate['id'], host)

    def fill(self, flavor, at_most, **body):
        """Boot servers until none fits any more.

        :param at_most: servers that fit, as was told.
        :returns: servers by host.
        """
        body['flavorRef'] = self.create_flavor(flavor)
        found = dict.fromkeys(self.hosts, 0)
        for _ in range(at_most):
            found[self.host_of(self.boot(**body))] += 1
        self.boot(expected_state='ERROR', **body)
        return {host: count for host, count in found.items() if count}

    def assert_fits(self, flavor, expected, full, **asked):
        """What is told fits, by host, and nothing beyond it.

        :param asked: fields of the request.
        """
        room = self.capacity(flavor, **asked)
        total = sum(expected.values())
        self.assertEqual(ServerRange(total, total), room.total)
        self.assertEqual(
            {host: ServerRange(n, n) for host, n in expected.items()},
            room.hosts,
        )
        self.assertEqual(full, room.full)
        self.assertEqual(expected, self.fill(flavor, total, **asked))
        self.assertEqual(
            ServerRange(0, 0), self.capacity(flavor, **asked).total
        )

    def test_memory(self):
        """The server that is there takes room from one more."""
        self.assert_fits(
            self.flavor(memory_mb=3840),
            {'cmp-2': 2, 'cmp-3': 2, 'cmp-1': 1}, {'MEMORY_MB': 3},
        )

    @testcase.attr('slow')
    def test_processors(self):
        """Placement's ratio counts."""
        self.assert_fits(
            self.flavor(vcpus=10, memory_mb=64),
            {'cmp-2': 2, 'cmp-3': 2, 'cmp-1': 1}, {'VCPU': 3},
        )

    @testcase.attr('slow')
    def test_zone(self):
        """Of the hosts of a zone."""
        self.assert_fits(
            self.flavor(root_gb=500, memory_mb=1024),
            {'cmp-1': 2, 'cmp-2': 2}, {'DISK_GB': 2},
            availability_zone='west',
        )

    def test_filter(self):
        """A filter can be what runs out first; none can be tried, too.

        Where nothing fits, the decision tells why.
        """
        self.flags(group='filter_scheduler', max_instances_per_host=3)
        small = self.flavor(memory_mb=64)
        room = self.capacity(small)
        self.assertEqual(ServerRange(8, 8), room.total)
        self.assertEqual({'NumInstancesFilter': 3}, room.full)
        self.assertEqual(
            {'west': ServerRange(5, 5), 'nova': ServerRange(3, 3)}, room.zones
        )
        self.assertEqual({'rack': ServerRange(5, 5)}, room.aggregates)
        without = client.Changes(filters=['ComputeFilter'])
        self.assertLess(8, self.capacity(small, without).total.least)
        none = self.capacity(hints={'requested_host': 'cmp-9'})
        self.assertEqual(ServerRange(0, 0), none.total)
        self.assertEqual(
            ['requested_host is cmp-9'], [
                rejection.reason
                for step in none.decision.attempts[0].steps
                for rejection in step.rejections
            ],
        )

    def test_empty(self):
        """As many as fitted before there were servers, by filters, too."""
        flavor = self.flavor(memory_mb=3840)
        for _ in range(2):
            self.boot(flavorRef=self.create_flavor(flavor))
        self.assertEqual(ServerRange(3, 3), self.capacity(flavor).total)
        room = self.capacity(flavor, is_empty=True)
        self.assertFalse(room.unknown)
        self.assertEqual(
            ({host: ServerRange(2, 2) for host in self.hosts},
             {'west': ServerRange(4, 4), 'nova': ServerRange(2, 2)}),
            (room.hosts, room.zones),
        )
        self.disable('cmp-3')
        self.flags(group='filter_scheduler', max_instances_per_host=1)
        room = self.capacity(flavor, is_empty=True)
        self.assertEqual(
            {'cmp-1': ServerRange(1, 1), 'cmp-2': ServerRange(1, 1)},
            room.hosts,
        )
        pinned = self.flavor(extra_specs={'hw:cpu_policy': 'dedicated'})
        room = self.capacity(pinned, is_empty=True)
        self.assertTrue(room.unknown)
        self.assertIn('not known of a NUMA', room.decision.message)

    def group(self, policy, **rules):
        """A server group."""
        return self.api.post_server_groups(
            {'name': policy, 'policy': policy, **rules}
        )['id']

    def test_anti_affinity(self):
        """As many of the group a host as its rule lets, wherever."""
        group = self.group('anti-affinity')
        self.boot({'group': group})
        room = self.capacity(hints={'group': group})
        self.assertEqual(ServerRange(2, 2), room.total)
        self.assertEqual({'ServerGroupAntiAffinityFilter': 2}, room.full)
        pairs = self.group('anti-affinity', rules={'max_server_per_host': 2})
        self.assertEqual(
            ServerRange(6, 6), self.capacity(hints={'group': pairs}).total
        )

    def test_affinity(self):
        """All of a group go where its first one went."""
        group = self.group('affinity')
        half = self.flavor(memory_mb=3840)
        room = self.capacity(half, hints={'group': group})
        self.assertEqual((ServerRange(2, 2), False), (
            room.total, room.sampled
        ))
        # Of equal hosts, another one comes first in another scheduler.
        self.assertEqual(
            {'cmp-1': ServerRange(0, 0), 'cmp-2': ServerRange(0, 2),
             'cmp-3': ServerRange(0, 2)},
            room.hosts,
        )
        self.boot({'group': group, 'requested_host': 'cmp-1'})
        room = self.capacity(half, hints={'group': group})
        self.assertEqual({'cmp-1': ServerRange(1, 1)}, room.hosts)


class ChanceTest(CapacityTest):
    """Equal hosts are shuffled, of which one holds less."""

    for _name in dir(CapacityTest):
        if _name.startswith('test_'):
            locals()[_name] = None

    def configure(self):
        """Any of all hosts is the first."""
        super().configure()
        self.flags(group='filter_scheduler', host_subset_size=3)

    @testcase.attr('slow')
    def test_range(self):
        """Where the first goes, all of a group go; who knows where.

        The order is of no account where hosts have nothing in common.
        """
        room = self.capacity(
            self.flavor(memory_mb=3840),
            hints={'group': self.group('affinity')},
        )
        self.assertEqual(ServerRange(1, 2), room.total)
        self.assertEqual(
            {'cmp-1': ServerRange(0, 1), 'cmp-2': ServerRange(0, 2),
             'cmp-3': ServerRange(0, 2)},
            room.hosts,
        )
        self.assertFalse(room.sampled)
        room = self.capacity(self.flavor(memory_mb=3840))
        self.assertEqual(ServerRange(5, 5), room.total)
        self.assertFalse(room.sampled)

    def test_sample(self):
        """Chance may take others than those that were tried as the first."""
        group = self.group('affinity')
        for starts, sampled in ((1, True), (2, True), (3, False)):
            self.useFixture(fixtures.MonkeyPatch(
                'nova_ext.scheduler.what_if.simulate.capacity.MAX_FIRST_HOSTS',
                starts,
            ))
            room = self.capacity(
                self.flavor(memory_mb=3840), hints={'group': group}
            )
            self.assertEqual(sampled, room.sampled, starts)


class EmptiestFilter(nova_filters.BaseHostFilter):
    """Passes the hosts with the fewest servers alone: it compares them."""

    def filter_all(self, hosts, spec):
        """Compare all hosts of a request."""
        hosts = list(hosts)
        fewest = min((host.num_instances for host in hosts), default=0)
        return [host for host in hosts if host.num_instances == fewest]


class ComparingTest(CapacityTest):
    """A filter of another package compares hosts."""

    for _name in dir(CapacityTest):
        if _name.startswith('test_'):
            locals()[_name] = None

    available_filters = (
        base.OUR_FILTERS, f'{__name__}.EmptiestFilter',
    )
    enabled_filters = ('ComputeFilter', 'EmptiestFilter')

    def test_sample(self):
        """It is said to be a sample; of a forced host no filter counts."""
        room = self.capacity()
        self.assertEqual(
            (True, ['EmptiestFilter']), (room.sampled, room.comparing)
        )
        room = self.capacity(availability_zone='nova:cmp-3')
        self.assertEqual((False, []), (room.sampled, room.comparing))
