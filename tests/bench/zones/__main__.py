"""Ask 50 zones with 100,000 hosts for offers of 1,000 servers.

Then ask roots with more and more child zones for one batch, which says what
each child zone takes. It ends with 1 where a check of ``simulation.check``
fails. Run it with ``tox -e bench`` or ``python -m tests.bench.zones``.
"""

import argparse
import logging
import sys
import tempfile

from nova_ext.core.rpc.offers import MAX_SLOTS
from tests.bench.zones import simulation, tree
from tests.bench.zones.simulation import Simulation

ZONES, HOSTS, SERVERS = 50, 2000, 1000
#: Child zones of a root, and hosts of each.
WIDE, FEW = (16, 64, 256), 200


def main():
    """Run all forms.

    :returns: the exit status.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        '--wide', type=int, nargs='*', default=WIDE,
        help='numbers of child zones of one root',
    )
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    print(
        ' zones depth  hosts servers questions returns tokens  '
        'MB of root MB of all MB memory      s root s'
    )
    runs = [
        (ZONES, HOSTS, SERVERS, {}),
        *((count + 1, FEW, MAX_SLOTS, {'children': (count,)})
          for count in arguments.wide),
    ]
    for zones, host_count, servers, shape in runs:
        with tempfile.TemporaryDirectory() as folder, Simulation(
            folder, zones, host_count, **shape
        ) as simulated:
            # Which is slower when its memory is traced.
            timed, traced = (
                simulated.plan(servers, measure_memory=traced)
                for traced in (False, True)
            )
        for result in (timed, traced):
            simulation.check(simulated, servers, result)
        _print(simulated, servers, timed, traced)
    print(
        'The offers are those of one zone with all hosts, asked for one '
        'server after the other.'
    )
    return 0


def _print(simulated, servers, timed, traced):
    parents, counts = simulated.parents, timed.counts
    depth = max(tree.measure_depth(parents, zone) for zone in parents)
    below_root = [
        counts[zone] for zone, parent in parents.items()
        if parent == tree.ROOT
    ]
    print(
        f'{len(parents):6} {depth:5} '
        f'{len(parents) * simulated.host_count:6} {servers:7} '
        f'{sum(each.questions for each in counts.values()):9} '
        f'{sum(each.given_back for each in counts.values()):7} '
        f'{timed.tokens:6} '
        f'{sum(each.bytes for each in below_root) / 1e6:11.2f} '
        f'{sum(each.bytes for each in counts.values()) / 1e6:9.2f} '
        f'{traced.memory / 1e6:9.2f} {timed.seconds:6.1f} '
        f'{timed.cpu_s:6.1f}', flush=True,
    )


if __name__ == '__main__':
    sys.exit(main())
