"""Time the second look at hosts that the mirror is about to claim.

Nova's databases are on SQLite, in this process. What is timed is all that a
request adds: one query, and Nova's filters. Seconds are the processor's.
Run it with ``tox -e bench`` or ``python -m tests.bench.second_look``.
"""

import statistics
import sys
import time
import unittest

import numpy as np
import sqlalchemy as sa

import tests.functional  # noqa: F401  before all of Nova
from nova_ext.engine.provider_columns import Demand
from nova_ext.scheduler.mirror.deciding.second_look import SecondLook
from tests.bench import crowd, nova_hosts
from tests.functional.mirrored import MirroredTestCase

SIZES = (1_000, 10_000)
#: Servers of one request.
SERVERS = (1, 100)
ROUNDS = 30
#: Milliseconds that a server may take.
MOST_MS = 3.0


class SecondLookBench(MirroredTestCase):
    """Run one compute service, with copies of it in the databases."""

    hosts = ('cmp',)
    enabled_filters = (
        'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )

    def runTest(self):  # noqa: N802  unittest's name
        """Look at the hosts of requests, of each size."""
        self.mirror.refresh()
        number = 1
        for size in SIZES:
            self.add_hosts(number, size)
            number = size
            columns = self.mirror.refresh(0).hosts
            self.assertEqual(size, len(columns))
            for servers in SERVERS:
                self.measure(columns, servers)

    def add_hosts(self, before, number):
        """Have so many hosts, of which compute services report servers."""
        self.scheduler.host_manager._instance_info.update({
            host: {'instances': {}, 'updated': True}
            for host in ('cmp', *crowd.multiply('cmp', number, before))
        })

    def measure(self, columns, servers):
        """Print what looking at the hosts of a request takes."""
        # As many as Nova may take, with alternates.
        ahead = servers + 2
        milliseconds, queries = [], []
        sa.event.listen(
            sa.Engine, 'before_cursor_execute',
            listener := lambda *args: queries.append(args[2]),
        )
        self.addCleanup(
            sa.event.remove, sa.Engine, 'before_cursor_execute', listener
        )
        dice = np.random.default_rng(0)
        for _ in range(ROUNDS):
            rows = dice.choice(len(columns), ahead, replace=False)
            look = SecondLook(
                self.mirror._cloud.host_reader.read_again, lambda: None,
                self.mirror._filters, nova_hosts.make_request(),
                Demand({'VCPU': 1}),
            )
            queries.clear()
            began = time.process_time()
            look.look(columns, rows)
            milliseconds.append(1000 * (time.process_time() - began))
            self.assertEqual(1, len([
                query for query in queries if 'compute_nodes' in query
            ]))
            self.assertEqual(set(), look.refused)
        # Other threads of Nova's take some of the processor, too.
        per_server = min(milliseconds) / servers
        print(
            f'{len(columns):6} hosts: {servers:3} servers: '
            f'{statistics.median(milliseconds):.2f} ms '
            f'({min(milliseconds):.2f} to {max(milliseconds):.2f}), '
            f'{per_server:.2f} ms each, one query', flush=True,
        )
        self.assertLess(per_server, MOST_MS)


def main():
    """Measure once.

    :returns: the exit status.
    """
    result = unittest.TextTestRunner().run(SecondLookBench())
    return int(not result.wasSuccessful())


if __name__ == '__main__':
    sys.exit(main())
