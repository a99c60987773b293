"""Tables become a journal that Nova's filters can read."""

import tempfile
import uuid
from pathlib import Path
from types import SimpleNamespace

import testtools
from nova import objects

from nova_ext.journal import tables
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.table_rows import TableError
from nova_ext.scheduler.what_if.replay import imported
from nova_ext.scheduler.what_if.replay.rolling import rolling_cloud


class ImportedTest(testtools.TestCase):
    """Two hosts, and one request."""

    def setUp(self):
        """Have a folder, and hosts with and without NUMA nodes."""
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.hosts = self.folder / 'hosts.csv'
        self.hosts.write_text(
            'name,vcpus,memory_mb,disk_gb,numa_nodes\n'
            'a,6,3072,0,2:1024;4:2048\nb,1,1,0,\n'
        )

    def read(self, *rows):
        """Write a journal of requests; return its decisions."""
        requests = self.folder / 'requests.csv'
        requests.write_text('\n'.join([
            'when,until,vcpus,memory_mb,count,extra_spec:hw:numa_nodes', *rows,
        ]))
        path = self.folder / 'day.journal'
        imported.write(
            path, tables.read_hosts(self.hosts),
            tables.read_requests(requests), lambda number: None,
        )
        return list(JournalReader(path))

    def read_server(self, nodes):
        """Return the decision on a server with so many NUMA nodes."""
        return self.read(f'0,,2,2048,1,{nodes}')[0]

    def test_hosts(self):
        """A host has cells with its processors and its memory, unused."""
        first, other = self.read_server('').hosts
        self.assertIsNone(other.values['numa_topology'])
        topology = objects.NUMATopology.obj_from_primitive(
            first.values['numa_topology']
        )
        self.assertEqual(
            [({0, 1}, 1024, 0), ({2, 3, 4, 5}, 2048, 0)], [
                (cell.cpuset, cell.memory, cell.memory_usage)
                for cell in topology.cells
            ],
        )

    def test_request(self):
        """A server has the cells that its extra specs ask for."""
        def read_cells(nodes):
            topology = self.read_server(nodes).spec['nova_object.data'][
                'numa_topology'
            ]
            return topology and len(topology['nova_object.data']['cells'])

        self.assertIsNone(read_cells(''))
        self.assertEqual(1, read_cells('1'))
        self.assertEqual(2, read_cells('2'))

    def test_refused(self):
        """A flavor that Nova would refuse is one line."""
        error = self.assertRaises(TableError, self.read_server, 'x')
        self.assertIn('row 2 of the requests: ', str(error))
        self.assertNotIn('\n', str(error))

    def test_ended(self):
        """A request names the servers that ended, once, the earliest first."""
        decisions = self.read(
            '0,30,1,1,1,', '1,20,1,1,2,', '2,,1,1,1,', '3,5,1,1,1,',
            '19,31,1,1,1,', '30,40,1,1,1,', '50,60,1,1,1,',
        )
        numbers = {
            server: number for number, each in enumerate(decisions)
            for server in each.servers
        }
        self.assertEqual(
            [[], [], [], [], [3], [1, 1, 0], [4, 5]], [
                [numbers[server] for server in each.ended]
                for each in decisions
            ],
        )

    def test_unchanged(self):
        """All requests have the hosts of the first; it has the providers."""
        first, *others = self.read('0,,1,1,1,', '1,,1,1,1,', '2,,1,1,1,')
        self.assertEqual(['a', 'b'], [host.host for host in first.hosts])
        self.assertEqual(2, len(first.providers))
        for each in others:
            self.assertEqual(first.hosts, each.hosts)
            self.assertEqual([], each.providers)


class ConsumeTest(testtools.TestCase):
    """A server takes its room within the limits of NUMATopologyFilter."""

    def setUp(self):
        """Have Nova's objects."""
        super().setUp()
        objects.register_all()

    def consume(self, topology):
        """Take a server's room; return the host state's limits then."""
        view = SimpleNamespace(
            num_io_ops=0, instances={}, limits={}, cpu_allocation_ratio=2.0,
            ram_allocation_ratio=1.5,
        )
        seen = []
        view.consume_from_request = lambda spec: seen.append(view.limits)
        rolling_cloud.consume(
            view, str(uuid.uuid4()), SimpleNamespace(numa_topology=topology)
        )
        return seen[0]

    def test_limits(self):
        """They are the host's allocation ratios."""
        self.assertEqual({}, self.consume(None))
        limits = self.consume('some')['numa_topology']
        self.assertEqual(2.0, limits.cpu_allocation_ratio)
        self.assertEqual(1.5, limits.ram_allocation_ratio)
