"""Measure what recording adds to Nova's own filtering and weighing.

Nova's default filters and all of its weighers run over the same hosts in
turn: unrecorded, with the record switched off, and recorded in summary. Each
round measures all of them, so that a busy moment hits all alike. Then the same
where one filter rejects every host, and the record tells why. Run it with
``tox -e bench``; it exits with 1 where recording costs more than it may.
"""

import gc
import logging
import os
import pathlib
import statistics
import sys
import tempfile
import time

from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights

from nova_ext.core.base.mode import Mode
from nova_ext.drivers.filter import FilterScheduler
from nova_ext.scheduler.base import options
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.cycle.effects import LiveEffects, TracedRequest
from nova_ext.scheduler.plugins import traced
from tests.bench import nova_hosts

HOSTS = 1000
ROUNDS = int(os.environ.get('NOVA_EXT_BENCH_ROUNDS', '60'))
#: Share of stock's time that a recorded request may take more: where hosts
#: are filtered and weighed, and where one filter rejects them all, when about
#: half a millisecond for any number of hosts counts for more. With the record
#: switched off, whatever becomes of the hosts.
MOST, MOST_REJECTED, MOST_OFF = 0.05, 0.10, 0.02


class Scheduler:
    """Run Nova's filter and weigh code over some classes."""

    def __init__(self, filters, weighers):
        self._filters = [cls() for cls in filters]
        self._weighers = [cls() for cls in weighers]
        self._filter_handler = nova_filters.HostFilterHandler()
        self._weight_handler = nova_weights.HostWeightHandler()

    def sorted_hosts(self, hosts, spec):
        """Return the hosts that pass, best first."""
        passed = self._filter_handler.get_filtered_objects(
            self._filters, hosts, spec
        )
        weighed = self._weight_handler.get_weighed_objects(
            self._weighers, passed, spec
        )
        return [each.obj for each in weighed]


def stock():
    """Return a scheduler of Nova's own classes."""
    return Scheduler(_enabled(), nova_weights.all_weighers())


def recorded():
    """Return a scheduler of the same classes, traced."""
    return Scheduler(
        map(traced.trace_filter_class, _enabled()),
        map(traced.trace_weigher_class, nova_weights.all_weighers()),
    )


def _enabled():
    names = options.CONF.filter_scheduler.enabled_filters
    every = {cls.__name__: cls for cls in nova_filters.all_filters()}
    return [every[name] for name in names]


def ask(scheduler, hosts, spec):
    """Decide one request as our manager does, around Nova's code."""
    current = cycle.Cycle(Mode.SCHEDULER, spec, [spec.instance_uuid])
    with cycle.running(current), TracedRequest(
        spec._context, current, FilterScheduler, LiveEffects()
    ):
        opened = current.trace
        if opened is not None:
            opened.begin_attempt(0, hosts)
        ranking = scheduler.sorted_hosts(hosts, spec)
        if opened is not None:
            opened.attempt.end_weighing(ranking, None)
            opened.attempt.end(ranking)


def race(hosts, spec):
    """Return the processor seconds of each, round by round, by name.

    :returns: those of the request's thread, and of the whole process.
    """
    plain, ours = stock(), recorded()
    ways = {
        'stock': (False, lambda: plain.sorted_hosts(hosts, spec)),
        'off': (False, lambda: ask(ours, hosts, spec)),
        'summary': (True, lambda: ask(ours, hosts, spec)),
    }
    took = {name: [] for name in ways}
    cpu = {name: [] for name in ways}
    for turn in range(ROUNDS):
        # None of them always comes after the same one.
        names = sorted(ways, reverse=bool(turn % 2))
        for name in names:
            enabled, way = ways[name]
            options.CONF.set_override(
                'enabled', enabled, group='nova_ext_record'
            )
            gc.collect()
            spent, begun = time.process_time(), time.thread_time()
            way()
            took[name].append(time.thread_time() - begun)
            recorder.get().flush(10)
            cpu[name].append(time.process_time() - spent)
    return took, cpu


def main():
    """Print the medians and their ratios to stock's."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    root.addHandler(logging.NullHandler())
    nova_hosts.prepare()
    # The hosts' last heartbeat is that of their making.
    options.CONF.set_override('service_down_time', 10 ** 6)
    spec = nova_hosts.make_request()
    unmet = nova_hosts.make_request(**{'capabilities:stats:none': '1'})
    up, down = nova_hosts.make_hosts(HOSTS), nova_hosts.make_hosts(HOSTS)
    for host in down:
        host.service = {**host.service, 'forced_down': True}
    with tempfile.TemporaryDirectory() as folder:
        options.CONF.set_override(
            'file', str(pathlib.Path(folder) / 'record'),
            group='nova_ext_record',
        )
        fair = [
            report('all of them pass', MOST, *race(up, spec)),
            report('all of them are down', MOST_REJECTED, *race(down, spec)),
            report('all of them lack a capability', MOST_REJECTED,
                 *race(up, unmet)),
        ]
    return int(not all(fair))


def report(case, most, took, cpu):
    """Print one table.

    :param most: share of stock's time that recording may take.
    :returns: whether it takes no more, and next to nothing switched off.
    """
    print(f'{HOSTS} hosts, {case}, {ROUNDS} rounds, medians')
    print(f'{"":8} {"ms":>8} {"to stock":>9} {"all ms":>8} {"to stock":>9}')
    for name in took:
        print(
            f'{name:8} {statistics.median(took[name]) * 1e3:8.2f} '
            f'{_ratio(took, name):9.3f} '
            f'{statistics.median(cpu[name]) * 1e3:8.2f} '
            f'{_ratio(cpu, name):9.3f}'
        )
    limits = {'off': MOST_OFF, 'summary': most}
    over = [
        name for name, share in limits.items()
        if _ratio(took, name) > 1 + share
    ]
    for name in over:
        print(f'{name} takes over {limits[name]:.0%} more than stock')
    return not over


def _ratio(took, name):
    return statistics.median(
        its / stocks
        for its, stocks in zip(took[name], took['stock'], strict=True)
    )


if __name__ == '__main__':
    sys.exit(main())
