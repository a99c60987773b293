"""Measure what the journal adds to the processor time of a scheduler.

Nova's default filters and all of its weighers run over the same hosts, with
the journal off and on in turn. Each request gets host states of its own, as
Nova makes them, and three hosts change from one to the next. Time is that of
the whole process: of the request and of the thread behind it. Stock's time is
that of filters and weighers alone; to read hosts and ask placement takes
several times as long. For the mirror, its states are shared and only those
that changed are other ones. Run it with ``python -m tests.bench.journal``; it
exits with 1 where it costs a mirrored decision more than it may.
"""

import copy
import datetime
import gc
import itertools
import logging
import os
import pathlib
import statistics
import sys
import tempfile
import time

from nova_ext.core.base.mode import Mode
from nova_ext.drivers.filter import FilterScheduler
from nova_ext.engine.host_table import HostTable
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.writer import EPOCH_S, list_files
from nova_ext.scheduler.base import options
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.cycle.effects import Live
from nova_ext.scheduler.cycle.traced_request import TracedRequest
from nova_ext.scheduler.journal import journal
from nova_ext.scheduler.mirror import journaled_hosts
from nova_ext.scheduler.mirror.plugins import nova_plugins
from tests.bench import nova_hosts, recording

SIZES = tuple(map(
    int, os.environ.get('NOVA_EXT_BENCH_HOSTS', '100,1000,10000').split(',')
))
ROUNDS = int(os.environ.get('NOVA_EXT_BENCH_ROUNDS', '30'))
#: Hosts that change from one request to the next.
CHANGED = 3
#: Milliseconds that the journal may add to a mirrored decision.
MOST_MIRRORED_MS = 2.0


class _Effects(Live):
    """Trace each decision, as for the record, and write none."""

    def is_recorded(self):
        """Say that it is traced."""
        return True

    def record(self, closed):
        """Drop it."""


class _Query:
    """What Nova asks placement for."""

    def to_querystring(self):
        """Return it."""
        return 'resources=VCPU:1,MEMORY_MB:2048,DISK_GB:20&limit=1000'


def make_candidates(hosts):
    """Return placement's answer, as Nova's client does."""
    amounts = {'VCPU': 1, 'MEMORY_MB': 2048, 'DISK_GB': 20}
    traits = [f'COMPUTE_TRAIT_{number}' for number in range(40)]
    return [
        {'allocations': {host.uuid: {'resources': amounts}},
         'mappings': {'': [host.uuid]}} for host in hosts
    ], {
        host.uuid: {
            'resources': {
                'VCPU': {'capacity': 32, 'used': host.vcpus_used},
                'MEMORY_MB': {'capacity': 16384, 'used': host.free_ram_mb},
                'DISK_GB': {'capacity': 100, 'used': 1},
            },
            'traits': traits, 'root_provider_uuid': host.uuid,
            'parent_provider_uuid': None,
        } for host in hosts
    }, '1.36'


class Cloud:
    """Hold hosts, some of which change from one request to the next."""

    def __init__(self, size):
        self.states = nova_hosts.make_hosts(size)
        for state in self.states:
            state.updated -= datetime.timedelta(hours=1)
        self._turn = 0

    def change(self):
        """Change some hosts, as their compute services report."""
        for _ in range(CHANGED):
            self._turn += 1
            number = self._turn * 37 % len(self.states)
            state = self.states[number] = copy.copy(self.states[number])
            state.free_ram_mb = max(0, state.free_ram_mb - 1)
            state.num_instances += 1
            state.instances = {
                **state.instances, f'{self._turn:08}-1111-2222': None,
            }
            state.updated += datetime.timedelta(seconds=1)

    def make_states(self):
        """Return states as Nova makes them for one request."""
        return [copy.copy(state) for state in self.states]


class Mirror:
    """Hold the columns of a cloud."""

    def __init__(self, cloud, weighers):
        self._cloud = cloud
        self._table = HostTable(nova_plugins.make_readers(weighers))
        self._known = [None] * len(cloud.states)
        self.refresh()

    def refresh(self):
        """Read the hosts that changed."""
        for number, state in enumerate(self._cloud.states):
            if state is not self._known[number]:
                self._table.put(state)
        self._known = list(self._cloud.states)
        self.columns = self._table.freeze()
        self.rows = self.columns.classes['aggregates'].argsort(kind='stable')


def decide(spec, states, candidates, choose, mirrored=None):
    """Decide one request as our manager does, around Nova's code."""
    effects = _Effects()
    current = cycle.Cycle(
        Mode.SCHEDULER, spec, [spec.instance_uuid],
        journaled=effects.begin_journal(spec._context, spec, {}),
    )
    with cycle.running(current), TracedRequest(
        spec._context, current, FilterScheduler, effects
    ):
        attempt = current.trace.begin_attempt(0, states)
        journaled = current.journaled
        if journaled is not None:
            journaled.set_plugins(FILTERS, WEIGHERS, FilterScheduler)
            if mirrored is None:
                journaled.add_candidates(_Query(), candidates)
                journaled.begin_attempt(attempt, states)
            else:
                journaled.begin_mirrored(attempt, journaled_hosts.keep(
                    mirrored.columns, mirrored.rows
                ))
        ranking = choose()
        attempt.end_weighing(ranking, 7)
        attempt.end(ranking)
        if journaled is not None:
            journaled.end_attempt(ranking)


def measure(way, rounds):
    """Return the processor seconds of the process, off and on in turn."""
    took = {False: [], True: []}
    for turn in range(rounds):
        for enabled in sorted(took, reverse=bool(turn % 2)):
            options.CONF.set_override('journal', enabled, group='nova_ext')
            prepared = way()
            gc.collect()
            begun = time.process_time()
            prepared()
            if enabled:
                journal.get().flush(60)
            took[enabled].append(time.process_time() - begun)
    return took


def report(title, took):
    """Print a line; return the milliseconds that the journal adds."""
    off = statistics.median(took[False]) * 1e3
    added = sorted(
        (on - off_s) * 1e3
        for on, off_s in zip(took[True], took[False], strict=True)
    )
    # A distribution-free interval of the median.
    spread = int(0.98 * len(added) ** 0.5)
    low = added[max(0, len(added) // 2 - spread)]
    high = added[min(len(added) - 1, len(added) // 2 + spread)]
    middle = statistics.median(added)
    print(
        f'{title:32} off {off:9.2f} ms, the journal adds {middle:7.2f} ms '
        f'({low:.2f} to {high:.2f}), {middle / off:6.1%}', flush=True,
    )
    return middle


def measure_size(size):
    """Measure both modes at one number of hosts."""
    cloud = Cloud(size)
    spec = nova_hosts.make_request()
    scheduler = recording.stock()
    FILTERS[:] = map(type, scheduler._filters)
    WEIGHERS[:] = map(type, scheduler._weighers)

    def ask_nova():
        cloud.change()
        states, candidates = cloud.make_states(), make_candidates(cloud.states)
        return lambda: decide(
            spec, states, candidates,
            lambda: scheduler.sorted_hosts(states, spec),
        )

    mirror = Mirror(cloud, scheduler._weighers)

    def ask_mirror():
        cloud.change()
        mirror.refresh()
        states = cloud.states[:10]
        return lambda: decide(spec, states, None, lambda: states, mirror)

    rounds = max(8, ROUNDS * 1000 // max(1000, size))
    report(f'{size} hosts, Nova decides', measure(ask_nova, rounds))
    journal.get.cache_clear()
    journaled_hosts._get_packer.cache_clear()
    return report(
        f'{size} hosts, the mirror decides', measure(ask_mirror, rounds)
    ) <= MOST_MIRRORED_MS


FILTERS, WEIGHERS = [], []


def measure_files(folder):
    """Print how large the files become, and read them."""
    for path in list_files(folder):
        reader = JournalReader(path)
        ends, sizes, hosts = [], [], 0
        for decision in reader:
            ends.append(reader.size)
            hosts = len(decision.hosts)
        sizes = [end - begin for begin, end in itertools.pairwise(ends)]
        if not sizes:
            continue
        each = statistics.mean(sizes[len(sizes) // 4:])
        epochs = 86400 / EPOCH_S
        print(f'{hosts:6} hosts: whole {ends[0] / 1024:9.1f} KiB, a decision '
              f'{each / 1024:6.2f} KiB' + ''.join(
                  f'; {rate} boots a minute: '
                  f'{(1440 * rate * each + epochs * ends[0]) / 1048576:.1f} '
                  f'MB a day' for rate in (1, 10)
              ), f'damage: {list(reader.damage)}, losses: {reader.losses}',
              flush=True)


def main():
    """Print the figures."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    root.addHandler(logging.StreamHandler())
    logging.getLogger('nova').setLevel(logging.WARNING)
    nova_hosts.prepare()
    options.register_all()
    options.CONF.set_override('service_down_time', 10 ** 6)
    fair = True
    with tempfile.TemporaryDirectory() as folder:
        options.CONF.set_override(
            'directory', folder, group='nova_ext_journal'
        )
        for size in SIZES:
            fair &= measure_size(size)
            journal.get.cache_clear()
            journaled_hosts._get_packer.cache_clear()
        measure_files(pathlib.Path(folder))
    return int(not fair)


if __name__ == '__main__':
    sys.exit(main())
