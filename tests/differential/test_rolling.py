"""The engine decides a rolling day as Nova's own filters and weighers do."""

from pathlib import Path

import fixtures
import testtools

from tests import table_day
from tests.unit import forked

HOSTS, REQUESTS = 6, 40
SEED = 11
#: The engine leaves a request to Nova if a filter looks at candidates.
FILTER = '''
from nova.scheduler import filters


class CandidateFilter(filters.BaseHostFilter, filters.CandidateFilterMixin):
    def host_passes(self, host_state, spec_obj):
        return True
'''
#: Processes that decide are copies of the program, in place of new ones.
PROGRAM = f"""
import multiprocessing
context = multiprocessing.get_context('fork')
multiprocessing.get_context = lambda _: context
{forked.call('nova_ext.cmd.main:main', 'nova-ext')}
"""


def run(*words, timeout):
    """Run nova-ext in a process that has imported much already."""
    return forked.run(PROGRAM, *words, timeout=timeout)


class RollingTest(testtools.TestCase):
    """One day, decided twice."""

    def test_day(self):
        """All servers have the same hosts, and the same are refused."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'candidate_filter.py').write_text(FILTER)
        available = (
            'nova.scheduler.filters.all_filters\n'
            'available_filters = candidate_filter.CandidateFilter'
        )
        document, status = table_day.replay(
            folder, table_day.Day(SEED, HOSTS, REQUESTS).write(folder),
            '--config-file',
            table_day.write_configuration(folder / 'engine.conf'),
            '--against', table_day.write_configuration(
                folder / 'nova.conf', available_filters=available,
                filters=(*table_day.FILTERS, 'CandidateFilter'),
            ), '--plugins', str(folder),
        )
        engine, nova = document['configurations']
        self.assertEqual(REQUESTS, sum(nova['by_nova'].values()))
        self.assertLess(sum(engine['by_nova'].values()), REQUESTS / 2)
        self.assertEqual(engine['decisions'], nova['decisions'])
        self.assertEqual(engine['cloud'], nova['cloud'])
        self.assertEqual({'same': REQUESTS}, nova['transitions'])
        self.assertEqual(0, status)
        self.assertLess(0, engine['refused'])


class NumaTest(testtools.TestCase):
    """Servers take the NUMA nodes that Nova's filter gives them."""

    def test_day(self):
        """A host with room enough in all has too little in each node."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'hosts.csv').write_text(
            'name,vcpus,memory_mb,disk_gb,numa_nodes\n'
            'a,8,8192,0,4:4096;4:4096\n'
        )
        (folder / 'requests.csv').write_text(
            'when,until,vcpus,memory_mb,extra_spec:hw:numa_nodes\n'
            '0,10,3,3072,1\n1,,3,3072,1\n2,,2,2048,1\n3,5,2,2048,2\n'
            '11,,4,1024,1\n12,,1,1024,1\n'
        )
        document, _ = table_day.replay(
            folder, (folder / 'hosts.csv', folder / 'requests.csv'),
            '--config-file', table_day.write_configuration(
                folder / 'with.conf',
                filters=('ComputeFilter', 'NUMATopologyFilter'),
            ), '--against', table_day.write_configuration(
                folder / 'without.conf', filters=('ComputeFilter',),
            ), run=run,
        )
        placed = [
            [decision['outcome'] == 'placed' for decision in day['decisions']]
            for day in document['configurations']
        ]
        self.assertEqual([True, True, False, True, True, True], placed[0])
        self.assertEqual([True, True, True, False, False, True], placed[1])
