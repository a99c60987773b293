"""Hosts are packed again where they changed, and not else."""

import copy
import datetime

import testtools
from nova import objects
from oslo_utils import timeutils

from nova_ext.scheduler.journal import host_values, kept_hosts, plain_values
from tests.bench import nova_hosts
from tests.bench.select import hosts

KEY = ('a', 'a', 'u', 'c')


def make_topology():
    """Return a topology, as Nova parses it for each request."""
    return objects.NUMATopology.obj_from_db_obj(hosts.describe_numa())


class TopologiesTest(testtools.TestCase):
    """Topologies are compared field by field."""

    def setUp(self):
        """Have two that are equal."""
        super().setUp()
        nova_hosts.prepare()
        self.one, self.other = make_topology(), make_topology()

    def are_equal(self):
        """Compare them."""
        return plain_values.are_equal_topologies(self.one, self.other)

    def test_equal(self):
        """Two that are parsed from one text; texts; none."""
        self.assertTrue(self.are_equal())
        for one, other, wanted in (
            ('x', 'x', True), ('x', 'y', False), (None, None, True),
            (self.one, None, False), (self.one, 'x', False),
        ):
            self.assertIs(
                wanted, plain_values.are_equal_topologies(one, other)
            )

    def test_different(self):
        """Use, pages, networks, cells; a field that is not set."""
        def use(cell):
            cell.cpu_usage = 3

        def use_pages(cell):
            cell.mempages[0].used = 7

        def connect(cell):
            cell.network_metadata.tunneled = True

        def forget(cell):
            del cell._obj_socket

        for change in (use, use_pages, connect, forget):
            self.other = make_topology()
            change(self.other.cells[1])
            self.assertFalse(self.are_equal(), change.__name__)
        self.other = make_topology()
        self.other.cells = self.other.cells[:1]
        self.assertFalse(self.are_equal())


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
        pack = host_values._pack_attribute
        self.patch(host_values, '_pack_attribute', lambda name, value: (
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
        values = self.packer.pack_host(KEY, kept.values[0], kept.at)
        return values, list(self.packed)

    def test_young_row(self):
        """What is equal is not packed, though the row may have changed."""
        first, packed = self.pack()
        self.assertIn('numa_topology', packed)
        again, packed = self.pack()
        self.assertIs(first, again)
        self.assertEqual([], packed)
        topology = make_topology()
        topology.cells[0].cpu_usage = 5
        changed, packed = self.pack(numa_topology=topology)
        self.assertEqual(['numa_topology'], packed)
        self.assertNotEqual(first, changed)
        _, packed = self.pack(numa_topology=topology, stats={'a': 'b'})
        self.assertEqual(['stats'], packed)

    def test_old_row(self):
        """What its row has is packed anew where the row changed."""
        self.state.updated -= datetime.timedelta(hours=1)
        first, _ = self.pack()
        again, packed = self.pack()
        self.assertIs(first, again)
        self.assertEqual([], packed)
        _, packed = self.pack(updated=timeutils.utcnow())
        self.assertIn('numa_topology', packed)
        _, packed = self.pack()
        self.assertEqual([], packed)

    def test_instances(self):
        """Servers are facts of their own."""
        first, _ = self.pack()
        changed, packed = self.pack(instances={'new': None})
        self.assertEqual([], packed)
        self.assertEqual(
            {'instances'}, {
                name for name in changed if changed[name] != first[name]
            },
        )
