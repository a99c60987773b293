"""How long it takes to fill 10,000 hosts.

Nova's default filters are asked of each host again for each server that is
placed on it. What placement and the databases take before that is Nova's,
and not measured here. Run it with ``python -m tests.bench.capacity``.
"""

import sys
import time
from types import SimpleNamespace

from nova.scheduler import filters as nova_filters
from nova.scheduler import manager as nova_manager

from nova_ext.bench import novas
from nova_ext.scheduler import capacity, copied, options, recording

HOSTS = 10_000
#: Servers for which each host has room.
ROOM = 10
MOST_S = 30.0


def survey():
    """Hosts as a request for one server leaves them, and what they have."""
    hosts, spec = novas.hosts(HOSTS), novas.request({}, {})
    takes = {'VCPU': 1, 'MEMORY_MB': 512}
    for host in hosts:
        host.allocation_candidates = [
            {'allocations': {host.uuid: {'resources': takes}}}
        ]
    return SimpleNamespace(
        hosts=[copied.of(host) for host in hosts], spec=spec,
        placement=SimpleNamespace(summaries={
            host.uuid: {'resources': {
                'VCPU': {'capacity': 32, 'used': 32 - ROOM},
                'MEMORY_MB': {'capacity': 65536, 'used': 0},
            }} for host in hosts
        }),
        host_manager=SimpleNamespace(enabled_filters=_enabled()),
        _consume_selected_host=(
            nova_manager.SchedulerManager._consume_selected_host
        ),
    )


def main():
    """Fill them once.

    :returns: the exit status.
    """
    novas.prepare()
    made = survey()
    began = time.monotonic()
    filling = capacity.filled(made, '')
    spent = time.monotonic() - began
    placed = sum(filling.placed.values())
    print(f'{placed} servers placed on {HOSTS} hosts in {spent:.1f} s')
    return int(spent > MOST_S or placed != ROOM * HOSTS)


def _enabled():
    classes = {cls.__name__: cls for cls in nova_filters.all_filters()}
    return [
        recording.filter_class(classes[name])()
        for name in options.CONF.filter_scheduler.enabled_filters
    ]


if __name__ == '__main__':
    sys.exit(main())
