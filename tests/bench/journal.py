"""Measure what the journal adds to the processor time of a scheduler.

Whole requests are sent to schedulers on the cloud of ``tests.bench.select``:
placement over HTTP, Nova's tables in a database. Each scheduler is a process
of its own: a stock nova-scheduler with the lines of plugin mode, ours without
a mirror, and ours with one. It answers each request twice, with the journal on
and off in turn, and three hosts change from one request to the next. For the
schedulers' clock ten requests come a minute. Time is that of the
whole process, with the threads that record and write the journal. The last
lines say how large the journal becomes. Run it with ``tox -e bench`` or
``python -m tests.bench.journal``; ``--quick`` has 100 hosts. It exits with 1
where the journal costs more than it may.
"""

import contextlib
import datetime
import gc
import itertools
import logging
import multiprocessing
import os
import signal
import statistics
import sys
import tempfile
import time
import traceback
from pathlib import Path

import sqlalchemy as sa
from oslo_utils import timeutils, uuidutils

from nova_ext.journal.reader import JournalReader
from nova_ext.journal.writer import EPOCH_S, list_files
from nova_ext.scheduler.base import options
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.journal import journal
from nova_ext.scheduler.plugins.plugin_mode import open_requests
from tests.bench.select import (
    cloud,
    loading,
    placement_client,
    schedulers,
    services,
    specs,
)

#: Hosts, and pairs of each mode.
PAIRS = {100: 40, 1000: 30, 10_000: 12}
#: With the mirror there are so many times as many: one request differs from
#: the next by more than the journal adds.
MIRRORED_TIMES = 5
QUICK_PAIRS = {100: 12}
#: Hosts that change from one request to the next, and seconds between these.
#: A row that is read within five seconds of a change is compared as a whole.
CHANGED, SECONDS = 3, 6
#: What all requests boot, as most of a cloud's do.
IMAGE = uuidutils.generate_uuid()
#: Requests that are not counted: a minute's.
WARM_UP = 10
#: The part of a request's time, and the milliseconds of a mirrored one, that
#: the journal may add.
MOST_PART, MOST_MIRRORED_MS = 0.05, 2.0
#: Lines of plugin mode, as the documentation has them.
PLUGIN_MODE = {
    ('filter_scheduler', 'available_filters'): [
        'nova_ext.scheduler.filters.all_filters',
    ],
    ('filter_scheduler', 'weight_classes'): [
        'nova_ext.scheduler.weights.all_weighers',
        'nova.scheduler.weights.affinity.ServerGroupSoftAffinityWeigher',
        'nova.scheduler.weights.affinity.ServerGroupSoftAntiAffinityWeigher',
    ],
}
#: Placement is read before each tenth pair, for so many seconds: its list of
#: 10,000 providers takes longer than a pair, and reading all of them minutes.
READ_EACH, READING_S = 10, 1
#: Seconds until a request is recorded and written, at most.
END_S = 120


def make_stock(client, hosts):
    """Return a stock nova-scheduler in plugin mode."""
    schedulers.override(PLUGIN_MODE)
    return schedulers.Scheduler(
        'stock', schedulers.StockManager(client), client
    )


def make_ours(client, hosts):
    """Return our scheduler without a mirror."""
    schedulers.override({('nova_ext', 'mirror'): 'off'})
    schedulers.report.PLACEMENTCLIENT = client
    return schedulers.Scheduler(
        'ours', schedulers.our_manager.SchedulerManager(), client
    )


def make_mirrored(client, hosts):
    """Return our scheduler with a mirror, which this bench refreshes."""
    schedulers.override({('nova_ext', 'mirror_max_age_s'): 3600})
    schedulers.report.PLACEMENTCLIENT = loading.LoadingClient(client, hosts)
    manager = schedulers.our_manager.SchedulerManager()
    manager._mirror.refresh()
    schedulers.report.PLACEMENTCLIENT = client
    return schedulers.Scheduler('ours', manager, client)


MIRRORED = 'with the mirror'
MODES = {
    'plugin mode': make_stock, 'scheduler mode': make_ours,
    MIRRORED: make_mirrored,
}


class Worker:
    """Run one scheduler in this process, and measure it.

    :param folder: has the configuration; takes the journal.
    :param url: of placement.
    :param cell_url: of the database that has the hosts.
    """

    def __init__(self, mode, folder, url, cell_url, hosts):
        schedulers.read_configuration(folder)
        self.journal = Path(folder) / f'journal {mode} {len(hosts)}'
        schedulers.override({
            ('nova_ext_record', 'file'): f'{self.journal} decisions',
        })
        options.register('nova_ext_journal')
        options.CONF.set_override(
            'directory', str(self.journal), group='nova_ext_journal'
        )
        self._hosts = hosts
        self._engine = sa.create_engine(cell_url)
        self._nodes = sa.Table(
            'compute_nodes', sa.MetaData(), autoload_with=self._engine
        )
        self._turn = 0
        timeutils.set_time_override(timeutils.utcnow())
        self._make_old()
        self._scheduler = MODES[mode](placement_client.Client(url), hosts)
        self._scheduler.know_servers(hosts)
        self._mirror = getattr(self._scheduler.manager, '_mirror', None)

    def measure(self, pairs):
        """Return processor seconds of requests, by whether it is on."""
        took = {False: [], True: []}
        # The first ones fill caches, and write all hosts.
        for turn in range(-WARM_UP, pairs):
            self._change_hosts()
            if self._mirror is not None and not turn % READ_EACH:
                self._mirror.refresh(READING_S)
            for enabled in sorted(took, reverse=bool(turn % 2)):
                if turn >= 0:
                    took[enabled].append(self._ask(enabled))
                elif enabled:
                    self._ask(enabled)
        if self._mirror is not None:
            described = self._mirror.describe()
            if described['fallbacks']:
                raise RuntimeError(f'Nova decided: {described["fallbacks"]}')
        return took

    def _ask(self, enabled):
        options.CONF.set_override('journal', enabled, group='nova_ext')
        if self._mirror is not None:
            self._mirror.refresh(0)
        spec, server = specs.make_spec(), uuidutils.generate_uuid()
        spec.image.id = IMAGE
        gc.collect()
        began = time.process_time()
        hosts = self._scheduler.select(spec, [server])
        ends = time.monotonic() + END_S
        while open_requests.count() and time.monotonic() < ends:
            time.sleep(0.01)
        recorder.get().flush(END_S)
        if enabled:
            journal.get().flush(END_S)
        spent = time.process_time() - began
        if not hosts:
            raise RuntimeError('no valid host')
        self._scheduler.forget([server])
        return spent

    def _make_old(self):
        """Say of all hosts that they have not changed for an hour.

        The clock of the scheduler before was ahead of this one's.
        """
        with self._engine.begin() as connection:
            connection.execute(sa.update(self._nodes).values(
                updated_at=timeutils.utcnow() - datetime.timedelta(hours=1)
            ))

    def _change_hosts(self):
        """Change some hosts, as their compute services report."""
        timeutils.advance_time_seconds(SECONDS)
        nodes = self._nodes
        with self._engine.begin() as connection:
            for _ in range(CHANGED):
                self._turn += 1
                host = self._hosts[self._turn * 37 % len(self._hosts)]
                connection.execute(
                    sa.update(nodes).where(nodes.c.id == host.id).values(
                        free_ram_mb=nodes.c.free_ram_mb - 1,
                        updated_at=timeutils.utcnow(),
                    )
                )


def work(pipe, pairs, *arguments):
    """Measure in a process of its own; send a text where it failed."""
    try:
        worker = Worker(*arguments)
        pipe.send((worker.measure(pairs), measure_files(worker.journal)))
    except Exception:
        pipe.send(traceback.format_exc())
    pipe.close()
    # Threads of Nova's may never end.
    os._exit(0)


def run(pairs, *arguments):
    """Measure one mode; return seconds and sizes."""
    spawning = multiprocessing.get_context('spawn')
    here, there = spawning.Pipe()
    process = spawning.Process(target=work, args=(there, pairs, *arguments))
    process.start()
    there.close()
    try:
        answer = here.recv()
    except BaseException:
        process.kill()
        raise
    process.join(END_S)
    if isinstance(answer, str):
        raise RuntimeError(answer)
    return answer


def measure_files(folder):
    """Return the bytes of the first decision, and of others."""
    ends = []
    for path in list_files(folder):
        reader = JournalReader(path)
        for _ in reader:
            ends.append(reader.size)
        if reader.damage or reader.losses:
            raise RuntimeError(f'{path}: {reader.damage} {reader.losses}')
    return ends[0], statistics.mean(
        end - begin for begin, end in itertools.pairwise(ends)
    )


def get_interval(values):
    """Return a distribution-free interval of the median, of about 95 %."""
    values, spread = sorted(values), int(0.98 * len(values) ** 0.5)
    middle = len(values) // 2
    return (
        values[max(0, middle - spread)],
        values[min(len(values) - 1, middle + spread)],
    )


def report(title, took):
    """Print a line.

    :returns: the request's milliseconds, and what the journal adds to them.
    """
    off = statistics.median(took[False]) * 1e3
    added = [
        (on - off_s) * 1e3
        for on, off_s in zip(took[True], took[False], strict=True)
    ]
    middle, (low, high) = statistics.median(added), get_interval(added)
    print(
        f'{title:30} {off:8.1f} ms, the journal adds {middle:6.2f} ms '
        f'({low:.2f} to {high:.2f}), {middle / off:5.1%}', flush=True,
    )
    return off, middle


def report_size(whole, each):
    """Print how much is written in a day."""
    epochs = 86400 / EPOCH_S
    print(
        f'{"":30} all hosts {whole / 1024:.1f} KiB, a decision '
        f'{each / 1024:.2f} KiB', *(
            f'{rate} boots a minute: '
            f'{(1440 * rate * each + epochs * whole) / 2 ** 20:.1f} MB a day'
            for rate in (1, 10)
        ), sep='; ', flush=True,
    )


def main(words):
    """Print the figures; return 1 where the journal costs too much."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit('ended'))
    logging.getLogger().setLevel(logging.ERROR)
    fair = True
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(prefix='nova-ext-bench-')
        )
        database = services.start_database(stack, folder)
        placement = services.Placement(
            folder, database.get_url('placement')
        )
        schedulers.configure(folder, database.get_url, placement.url)
        rows = cloud.Cloud(database.get_url)
        stack.callback(rows.close)
        rows.migrate()
        stack.callback(placement.stop)
        placement.start()
        rows.prepare_placement()
        for hosts, pairs in (
            QUICK_PAIRS if '--quick' in words else PAIRS
        ).items():
            rows.grow(hosts)
            for mode in MODES:
                times = MIRRORED_TIMES if mode == MIRRORED else 1
                took, sizes = run(
                    pairs * times, mode, folder, placement.url,
                    database.get_url('nova_cell1'), rows.hosts,
                )
                off, added = report(f'{hosts} hosts, {mode}', took)
                report_size(*sizes)
                fair &= added <= (
                    MOST_MIRRORED_MS if mode == MIRRORED
                    else MOST_PART * off
                )
    return int(not fair)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
