"""Hosts are packed again where they changed, and not else."""

import copy
import datetime

import testtools
from nova import objects
from oslo_utils import timeutils

from nova_ext.scheduler.journal import host_values, kept_hosts, packed_host
from tests.bench import nova_hosts
from tests.bench.select import hosts

KEY = ('a', 'a', 'u', 'c')


def make_topology():
    """Return a topology, as Nova parses it for each request."""
    return objects.NUMATopology.obj_from_db_obj(hosts.describe_numa())


class PackTest(testtools.TestCase):
    """One host is packed again and again."""

    def setUp(self):
        """Have a host whose row was written just now."""
        super().setUp()
        nova_hosts.prepare()
        self.state = nova_hosts.make_hosts(1)[0]
        self.state.updated = timeutils.utcnow()
        self.packer = host_values.HostPacker()
        self.packed = []
        pack = packed_host._pack_attribute
        self.patch(packed_host, '_pack_attribute', lambda name, value: (
            self.packed.append(name), pack(name, value)
        )[1])

    def pack(self, **later):
        """Pack it as Nova makes it for another request.

        :returns: the values, and which attributes were packed anew.
        """
        self.packed.clear()
        self.state = copy.copy(self.state)
        self.state.numa_topology = make_topology()
        self.state.stats = dict(self.state.stats)
        self.state.metrics = objects.MonitorMetricList(objects=[])
        for name, value in later.items():
            setattr(self.state, name, value)
        kept = kept_hosts.keep([self.state])
        host = self.packer.pack_host(KEY, kept.values[0], kept.at)
        return host.packed, list(self.packed)

    def find_changes(self, **later):
        """Return which values differ from those of the request before."""
        before, _ = self.pack()
        after, _ = self.pack(**later)
        return {
            name for name in before.keys() | after.keys()
            if before.get(name) != after.get(name)
        }

    def test_young_row(self):
        """What is equal stays, though the row may have changed."""
        first, packed = self.pack()
        self.assertIn('stats', packed)
        again, packed = self.pack()
        self.assertIs(first, again)
        # Nova's objects are compared as they are packed.
        self.assertEqual({'numa_topology', 'metrics'}, set(packed))
        _, packed = self.pack(stats={'a': 'b'})
        self.assertIn('stats', packed)
        self.assertEqual({'stats'}, self.find_changes(stats={'a': 'c'}))

    def test_topology(self):
        """Use, pages, networks, cells; a field that is not set; a text."""
        def use(cell):
            cell.cpu_usage = 3

        def use_pages(cell):
            cell.mempages[0].used = 7

        def connect(cell):
            cell.network_metadata.tunneled = True

        def forget(cell):
            del cell._obj_socket

        for change in (use, use_pages, connect, forget):
            topology = make_topology()
            change(topology.cells[1])
            self.assertEqual({'numa_topology'}, self.find_changes(
                numa_topology=topology
            ), change.__name__)
        topology = make_topology()
        topology.cells = topology.cells[:1]
        for other in (topology, None, '{}'):
            self.assertEqual(
                {'numa_topology'}, self.find_changes(numa_topology=other)
            )

    def test_old_row(self):
        """What its row has is packed anew where the row changed."""
        self.state.updated -= datetime.timedelta(hours=1)
        first, _ = self.pack()
        again, packed = self.pack()
        self.assertIs(first, again)
        self.assertEqual([], packed)
        again, packed = self.pack(updated=timeutils.utcnow())
        self.assertIn('numa_topology', packed)
        self.assertIs(first, again)

    def test_old_row_used(self):
        """What this scheduler took from a host is packed; the row is not."""
        self.state.updated -= datetime.timedelta(hours=1)
        self.pack()
        _, packed = self.pack(free_ram_mb=7)
        self.assertIn('free_ram_mb', packed)
        self.assertNotIn('numa_topology', packed)
        self.assertEqual({'free_ram_mb'}, self.find_changes(free_ram_mb=5))

    def test_instances(self):
        """Servers are facts of their own."""
        self.assertEqual(
            {'instances'}, self.find_changes(instances={'new': None})
        )

    def test_attributes(self):
        """One that a filter of somebody's adds, and one that goes again."""
        self.assertEqual({'rack'}, self.find_changes(rack='r1'))
        del self.state.rack
        packed, _ = self.pack()
        self.assertNotIn('rack', packed)

    def test_lacking(self):
        """What can't be kept is named until it can be."""
        self.pack(rack=object())
        host = self.packer._known[KEY]
        self.assertEqual(['attribute rack of host a'], host.lacking)
        self.pack(stats={'a': 'b'})
        self.assertEqual(
            ['attribute rack of host a'], self.packer._known[KEY].lacking
        )
        self.pack(rack='r1')
        self.assertEqual([], self.packer._known[KEY].lacking)

    def test_service_up(self):
        """Heartbeats of the past and the future; one that becomes too old."""
        began = timeutils.utcnow()
        for seconds, zone, is_up, stays in (
            (-60, None, True, False), (-59, datetime.UTC, True, True),
            (-61, None, False, True), (60, datetime.UTC, True, True),
            (61, None, False, False), (62, None, False, True),
        ):
            at = began + datetime.timedelta(seconds=seconds)
            self.state.service = {
                'host': 'a', 'last_seen_up': at.replace(tzinfo=zone),
            }
            kept = kept_hosts.Kept(
                kept_hosts.keep([self.state]).values, began
            )
            packed = self.packer.pack(
                kept, 60.0, began + datetime.timedelta(seconds=1)
            )
            self.assertIs(is_up, packed.hosts[0]['service_up'], seconds)
            self.assertEqual(not stays, any(
                'was last seen' in each for each in packed.missing
            ), seconds)
        self.state.service = {'host': 'a', 'created_at': began}
        for down_after_s, is_up in ((60.0, True), (None, None)):
            packed = self.packer.pack(
                kept_hosts.keep([self.state]), down_after_s, began
            )
            self.assertIs(is_up, packed.hosts[0]['service_up'])

    def test_aggregates(self):
        """One is packed once, until another object stands for it."""
        one, two = (objects.Aggregate(id=each, hosts=['a']) for each in (1, 2))
        first = self.packer.pack_aggregates([[one]])
        self.assertEqual([2], list(self.packer.pack_aggregates([[two]])))
        again = self.packer.pack_aggregates([[two, one], [one]])
        self.assertIs(first[1], again[1])
        self.assertEqual({1, 2}, set(again))
        other = objects.Aggregate(id=1, hosts=['b'])
        self.assertNotEqual(
            first[1], self.packer.pack_aggregates([[other]])[1]
        )
