"""Time deciding one server: Nova's filters and weighers, and the engine's.

Both decide for the same hosts, turn by turn, with Nova's default filters and
weighers, without a database, placement or log lines. Seconds are the
processor's. Run it with
``tox -e bench`` or ``python -m tests.bench.decision``.
"""

import logging
import random
import statistics
import sys
import time

import numpy as np
from nova import conf as nova_conf
from nova import objects
from nova.scheduler import filters, host_manager, manager, weights

from nova_ext.engine import decide, rank
from nova_ext.engine.host_table import HostTable
from nova_ext.scheduler.mirror.plugins import nova_plugins
from tests.differential import clouds

SIZES = (100, 1_000, 10_000)
ROUNDS = 7


def main():
    """Measure, and print a line for each size.

    :returns: the exit status: 1 where the two decide differently.
    """
    nova_conf.CONF([], default_config_files=[])
    objects.register_all()
    logging.disable(logging.INFO)
    agree = True
    for size in SIZES:
        figures = measure(size, ROUNDS)
        print(describe(size, figures), flush=True)
        agree &= figures['agree']
    print('The same decisions.' if agree else 'THE DECISIONS DIFFER.')
    return int(not agree)


def measure(size, rounds):
    """Let both decide, turn by turn.

    :returns: milliseconds, the ratio of the medians, and whether the two
        agree, and find room on each host.
    """
    stock, engine = [], []
    bench = Bench(size)
    agree = True
    for number in range(rounds):
        seconds, expected = _time(bench.ask_nova, number)
        stock.append(1000 * seconds)
        seconds, answer = _time(bench.ask_engine, number)
        engine.append(1000 * seconds)
        agree &= expected == bench.name(answer) and len(expected) == size
    return {
        'stock_ms': stock, 'engine_ms': engine, 'agree': agree,
        'times': statistics.median(stock) / statistics.median(engine),
        'read_ms': 1000 * _time(bench.read, 0)[0],
    }


def describe(size, figures):
    """Return what was measured as a line."""
    return (
        f'{size:6} hosts: Nova {_describe(figures["stock_ms"])}, the engine '
        f'{_describe(figures["engine_ms"])}: '
        f'{figures["times"]:.0f}×; reading all columns '  # noqa: RUF001
        f'{figures["read_ms"]:.0f} ms'
    )


class Bench:
    """Hold hosts of one number.

    :param size: number of hosts.
    """

    def __init__(self, size):
        # Hosts were seen once, and the slowest rounds take minutes.
        nova_conf.CONF.set_override('service_down_time', 86400)
        generator = clouds.Generator(size)
        self.states = generator.make_busy_hosts(size)
        self.spec = generator.make_plain_spec()
        self.manager = manager.SchedulerManager.__new__(
            manager.SchedulerManager
        )
        hosts = host_manager.HostManager.__new__(host_manager.HostManager)
        hosts.filter_handler = filters.HostFilterHandler()
        hosts.weight_handler = weights.HostWeightHandler()
        enabled = nova_conf.CONF.filter_scheduler.enabled_filters
        classes = {cls.__name__: cls for cls in filters.all_filters()}
        hosts.enabled_filters = [classes[name]() for name in enabled]
        hosts.weighers = [cls() for cls in weights.all_weighers()]
        self.manager.host_manager = hosts
        self.columns = self.read(0)

    def read(self, _):
        """Read all columns; return them."""
        hosts = self.manager.host_manager
        table = HostTable(nova_plugins.make_readers(hosts.weighers))
        for state in self.states:
            table.put(state)
        return table.freeze()

    def ask_nova(self, seed):
        """Return the hosts as Nova ranks them."""
        random.seed(seed)
        ranked = self.manager._get_sorted_hosts(self.spec, self.states, 0)
        return [state.host for state in ranked]

    def ask_engine(self, seed):
        """Return the rows as the engine ranks them."""
        hosts = self.manager.host_manager
        placing = decide.place(
            self.columns, np.arange(len(self.states)),
            nova_plugins.make_filters(hosts.enabled_filters, self.spec, 0),
            nova_plugins.make_weighers(hosts.weighers, self.spec),
            rank.Draw(seed),
        )
        return placing.rows

    def name(self, rows):
        """Return the hosts of rows."""
        return [self.columns.keys[row][0] for row in rows.tolist()]


def _time(ask, seed):
    began = time.process_time()
    answer = ask(seed)
    return time.process_time() - began, answer


def _describe(milliseconds):
    return (
        f'{statistics.median(milliseconds):.2f} ms '
        f'({min(milliseconds):.1f} to {max(milliseconds):.1f})'
    )


if __name__ == '__main__':
    sys.exit(main())
