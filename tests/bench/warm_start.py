"""Measure how soon a mirror that begins with the file of another is loaded.

It also tells by how much the memory of the process grows meanwhile.

The file has a row of each provider, as after a restart. Nova, placement and
their databases (SQLite) are in one process, without HTTP. Run it with
``python -m tests.bench.warm_start``.
"""

import gc
import os
import sys
import time
import unittest
from pathlib import Path

import tests.bench.untraced  # noqa: F401  before all of Nova

# isort: split
from nova import context, objects

from nova_ext.scheduler.mirror import mirror
from tests.bench import crowd
from tests.bench.select.hosts import describe_numa
from tests.functional import base

SIZES = (1_000, 10_000)


def read_memory():
    """Return how much memory this process holds, in MiB."""
    gc.collect()
    pages = int(Path('/proc/self/statm').read_text().split()[1])
    return pages * os.sysconf('SC_PAGE_SIZE') / 2 ** 20


class WarmStartBench(base.CloudTestCase):
    """Run one compute service, with copies of it in the databases."""

    hosts = ('cmp',)
    available_filters = (base.STOCK_FILTERS,)
    weight_classes = (base.STOCK_WEIGHERS,)
    enabled_filters = ('ComputeFilter', 'ImagePropertiesFilter')
    size = SIZES[0]

    def configure(self):
        """Count each host as up."""
        self.flags(service_down_time=3600)
        self.flags(group='nova_ext', mirror='on', mirror_refresh_s=3600)

    def runTest(self):  # noqa: N802  unittest's name
        """Load a mirror, and print how long it took."""
        first = self.scheduler._mirror
        first.refresh()
        first.stop()
        self.set_topology()
        crowd.multiply('cmp', self.size)
        crowd.fill_file(first, self.placement)
        second = mirror.Mirror(
            self.scheduler.host_manager,
            lambda: self.scheduler.placement_client,
        )
        self.addCleanup(second.stop)
        held = read_memory()
        began, cpu = time.monotonic(), time.process_time()
        second.start()
        while second.snapshot is None or (
            second.snapshot.read_at < began
        ):
            self.assertLess(time.monotonic(), began + 600)
            time.sleep(0.02)
        took, cpu = time.monotonic() - began, time.process_time() - cpu
        print(
            f'{self.size:6} hosts: loaded after {took:.1f} s, {cpu:.1f} s of '
            f'the processor, placement among them; '
            f'{read_memory() - held:.0f} MiB more in memory', flush=True,
        )
        self.assertEqual(self.size, len(second.snapshot.hosts))

    def set_topology(self):
        """Give the host a NUMA topology, which copies get, too."""
        admin = context.get_admin_context()
        mapping = objects.HostMapping.get_by_host(admin, 'cmp')
        with context.target_cell(admin, mapping.cell_mapping) as in_cell:
            node = objects.ComputeNode.get_first_node_by_host_for_old_compat(
                in_cell, 'cmp'
            )
            node.numa_topology = describe_numa()
            node.save()


def main():
    """Run all sizes.

    :returns: the exit status.
    """
    suite = unittest.TestSuite()
    for size in SIZES:
        suite.addTest(
            type(f'WarmStart{size}', (WarmStartBench,), {'size': size})()
        )
    result = unittest.TextTestRunner(verbosity=0).run(suite)
    return int(not result.wasSuccessful())


if __name__ == '__main__':
    sys.exit(main())
