"""Time the second look at hosts that the mirror is about to claim.

Nova's databases are on SQLite, in this process. What is timed is all that a
request adds: one query, and what is compared with it; where hosts changed,
another query, and Nova's filters. Seconds are the processor's, of all threads.
Run it with ``tox -e bench`` or ``python -m tests.bench.second_look``.
"""

import logging
import statistics
import sys
import time
import unittest

import numpy as np
import sqlalchemy as sa

import tests.bench.untraced  # noqa: F401  before all of Nova
from nova_ext.engine.providers import Demand
from nova_ext.scheduler.mirror import own_claims
from nova_ext.scheduler.mirror.deciding.second_look import SecondLook
from tests.bench import crowd, nova_hosts
from tests.functional.mirrored import MirroredTestCase

SIZES = (1_000, 10_000)
#: Milliseconds that a request may take, by its number of servers.
MOST_MS = {1: 3.0, 100: 6.0}
ROUNDS = 100


class SecondLookBench(MirroredTestCase):
    """Run one compute service, with copies of it in the databases."""

    hosts = ('cmp',)
    enabled_filters = (
        'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )

    def runTest(self):  # noqa: N802  unittest's name
        """Look at the hosts of requests, of each size."""
        # Nova's fixture formats them all.
        logging.disable(logging.DEBUG)
        self.mirror.refresh()
        number = 1
        for size in SIZES:
            self.add_hosts(number, size)
            number = size
            columns = self.mirror.refresh(0).hosts
            self.assertEqual(size, len(columns))
            for servers in MOST_MS:
                self.measure(columns, servers, queries=1)
            crowd.touch('cmp')
            self.measure(columns, 1, queries=2)

    def add_hosts(self, before, number):
        """Have so many hosts, of which compute services report servers."""
        self.scheduler.host_manager._instance_info.update({
            host: {'instances': {}, 'updated': True}
            for host in ('cmp', *crowd.multiply('cmp', number, before))
        })

    def measure(self, columns, servers, queries):
        """Print what looking at the hosts of a request takes.

        :param queries: how many there are; 2 where all hosts have changed.
        """
        # As many as Nova may take, with alternates.
        ahead = servers + 2
        milliseconds, asked = [], []
        sa.event.listen(
            sa.Engine, 'before_cursor_execute',
            listener := lambda *args: asked.append(args[2]),
        )
        self.addCleanup(
            sa.event.remove, sa.Engine, 'before_cursor_execute', listener
        )
        dice = np.random.default_rng(0)
        for _ in range(ROUNDS):
            rows = dice.choice(len(columns), ahead, replace=False)
            look = SecondLook(
                self.read_again, lambda: None, self.mirror._filters,
                nova_hosts.make_request(), Demand({'VCPU': 1}),
            )
            asked.clear()
            began = time.process_time()
            look.look(columns, rows)
            milliseconds.append(1000 * (time.process_time() - began))
            self.assertEqual(queries, len([
                query for query in asked if 'compute_nodes' in query
            ]))
            self.assertEqual(set(), look.refused)
        print(
            f'{len(columns):6} hosts: {servers:3} servers: '
            f'{statistics.median(milliseconds):.2f} ms '
            f'({min(milliseconds):.2f} to {max(milliseconds):.2f}), '
            f'{("one query", "all changed")[queries - 1]}', flush=True,
        )
        # Other threads of Nova's take some of the processor, too.
        self.assertLess(min(milliseconds), MOST_MS[servers])

    def read_again(self, states):
        """Read hosts as the mirror does that has claimed nothing."""
        read = self.mirror._cloud.host_reader.read_again(states)
        return own_claims.deduct_each(read, {})


def main():
    """Measure once.

    :returns: the exit status.
    """
    result = unittest.TextTestRunner().run(SecondLookBench())
    return int(not result.wasSuccessful())


if __name__ == '__main__':
    sys.exit(main())
