"""Read tables of hosts and requests."""

from pathlib import Path

import fixtures
import testtools

from nova_ext.journal import tables
from nova_ext.journal.table_rows import TableError

HOSTS = 'name,vcpus,memory_mb,disk_gb'
REQUESTS = 'when,vcpus,memory_mb'


class TablesTestCase(testtools.TestCase):
    """Write a table, and read it."""

    def setUp(self):
        """Have a folder."""
        super().setUp()
        self.path = Path(self.useFixture(fixtures.TempDir()).join('t.csv'))

    def write(self, *lines):
        """Write a table."""
        self.path.write_text('\n'.join(lines) + '\n', encoding='utf-8')

    def assert_refused(self, read, wanted):
        """Reading the table fails with one line that names the file."""
        error = self.assertRaises(TableError, read, self.path)
        text = str(error)
        self.assertTrue(text.startswith(f'{self.path}: '), text)
        self.assertIn(wanted, text)
        self.assertNotIn('\n', text)


class HostsTest(TablesTestCase):
    """Tables of hosts."""

    def test_least(self):
        """A host needs a name and what it has."""
        self.write(HOSTS, 'a,8,16384,100', '', 'b, 4 ,8192,0')
        first, second = tables.read_hosts(self.path)
        self.assertEqual('a', first.name)
        self.assertEqual(8, first.amounts['vcpus'])
        self.assertEqual(0, first.amounts['reserved_memory_mb'])
        self.assertEqual({1.0}, set(first.ratios.values()))
        self.assertEqual(4, second.amounts['vcpus'])

    def test_all(self):
        """Ratios, what is reserved and used, aggregates, resources, traits."""
        self.write(
            f'{HOSTS},cpu_allocation_ratio,reserved_memory_mb,vcpus_used,'
            f'zone,aggregate:rack,resource:CUSTOM_GPU,traits',
            'a,8,16384,100,4.0,512,2,west,7,4,HW_A;CUSTOM_B',
            'b,8,16384,100,,,,,,0,',
        )
        host, other = tables.read_hosts(self.path)
        self.assertEqual(4.0, host.ratios['cpu_allocation_ratio'])
        self.assertEqual(512, host.amounts['reserved_memory_mb'])
        self.assertEqual(2, host.amounts['vcpus_used'])
        self.assertEqual(
            {'availability_zone': 'west', 'rack': '7'}, host.aggregates
        )
        self.assertEqual({'CUSTOM_GPU': 4}, host.resources)
        self.assertEqual({'HW_A', 'CUSTOM_B'}, host.traits)
        self.assertEqual(({}, {}), (other.aggregates, other.resources))

    def test_refused(self):
        """A bad row is one line with file, row and column."""
        for lines, wanted in (
            ((HOSTS, 'a,8,1,1', 'b,x,1,1'),
             "row 3, column vcpus: 'x' is no whole number"),
            ((HOSTS, 'a,0,1,1'), 'row 2, column vcpus'),
            ((HOSTS, ',1,1,1'), 'row 2, column name'),
            ((HOSTS, 'a,1,1,1', 'a,1,1,1'), "row 3, column name: 'a'"),
            ((HOSTS, 'a\0b,1,1,1'),
             r"row 2, column name: 'a\x00b' has a control character"),
            ((HOSTS, 'a,1,1'), 'row 2 has 3 cells'),
            ((f'{HOSTS},ram_allocation_ratio', 'a,1,1,1,0'),
             'row 2, column ram_allocation_ratio'),
            ((f'{HOSTS},ram_allocation_ratio', 'a,1,1,1,much'),
             'row 2, column ram_allocation_ratio'),
            ((f'{HOSTS},reserved_vcpus', 'a,1,1,1,2'),
             'row 2, column reserved_vcpus'),
            ((f'{HOSTS},resource:GPU', 'a,1,1,1,2'), 'row 1: resource:GPU'),
            ((f'{HOSTS},colour', 'a,1,1,1,2'), "no column 'colour'"),
            ((f'{HOSTS},aggregate:', 'a,1,1,1,2'), "no column 'aggregate:'"),
            ((f'{HOSTS},name', 'a,1,1,1,2'), 'names column name twice'),
            (('name,vcpus', 'a,1'), 'names no column memory_mb'),
            ((HOSTS,), 'no rows'), (('',), 'names no column'),
            ((HOSTS, '"a'), 'no CSV'),
        ):
            self.write(*lines)
            self.assert_refused(tables.read_hosts, wanted)

    def test_numa_nodes(self):
        """Each NUMA node has processors and MiB; the host has their sum."""
        self.write(f'{HOSTS},numa_nodes', 'a,6,300,1,2:100; 4:200', 'b,1,1,1,')
        host, other = tables.read_hosts(self.path)
        self.assertEqual([(2, 100), (4, 200)], host.numa_nodes)
        self.assertEqual([], other.numa_nodes)
        for cell, wanted in (
            ('2:100;4', 'is no VCPUS:MEMORY_MB'), ('6:300;', 'is no VCPUS'),
            ('2:100;3:200', 'has 5 vcpus, and the host 6'),
            ('2:100;4:100', 'has 200 memory_mb, and the host 300'),
        ):
            self.write(f'{HOSTS},numa_nodes', f'a,6,300,1,{cell}')
            self.assert_refused(tables.read_hosts, wanted)

    def test_no_file(self):
        """A file that is not there, or no text."""
        self.assert_refused(tables.read_hosts, 'No such file')
        self.path.write_bytes(b'\xff\xfe\x00')
        self.assert_refused(tables.read_hosts, 'no CSV in UTF-8')


class RequestsTest(TablesTestCase):
    """Tables of requests."""

    def test_order(self):
        """They come in the order of their times, whatever writes these."""
        self.write(
            f'{REQUESTS},until,count,group,policy,extra_spec:a:b',
            '1970-01-01T00:00:20,1,2,,,,,', '5,1,2,10.5,3,g,affinity,x',
            '1970-01-01T01:00:00+01:00,1,2,,,,,',
        )
        requests = tables.read_requests(self.path)
        self.assertEqual(
            [(4, 0.0), (3, 5.0), (2, 20.0)],
            [(request.row, request.when) for request in requests],
        )
        request = requests[1]
        self.assertEqual(10.5, request.until)
        self.assertEqual(3, request.count)
        self.assertEqual(('g', 'affinity'), (request.group, request.policy))
        self.assertEqual({'a:b': 'x'}, request.extra_specs)

    def test_refused(self):
        """A bad row is one line with file, row and column."""
        for lines, wanted in (
            ((REQUESTS, 'noon,1,1'), 'row 2, column when'),
            ((REQUESTS, 'nan,1,1'), 'row 2, column when'),
            ((REQUESTS, '-1,1,1'), 'row 2, column when'),
            ((REQUESTS, '9999-06-01,1,1'), 'row 2, column when'),
            ((REQUESTS, ',1,1'), "row 2, column when: '' is empty"),
            ((f'{REQUESTS},until', '5,1,1,5'), 'row 2, column until'),
            ((f'{REQUESTS},count', '5,1,1,0'), 'row 2, column count'),
            ((f'{REQUESTS},group', '5,1,1,g'), 'row 2, column policy'),
            ((f'{REQUESTS},policy', '5,1,1,affinity'),
             'row 2, column group'),
            ((f'{REQUESTS},group,policy', '5,1,1,g,affinity', '6,1,1,,',
              '7,1,1,g,anti-affinity'),
             "row 4, column policy: 'anti-affinity' is not affinity"),
            ((f'{REQUESTS},resource:CUSTOM_A', '5,1,1,-1'),
             'row 2, column resource:CUSTOM_A'),
        ):
            self.write(*lines)
            self.assert_refused(tables.read_requests, wanted)
