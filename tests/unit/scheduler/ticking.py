"""What the scheduler does beside a ticking greenlet.

Only for a process of its own, which eventlet has patched first.
"""

import sys
import time
from pathlib import Path

import eventlet

from nova_ext.core import decision as d
from nova_ext.record import writer
from nova_ext.scheduler import capacity, copied
from nova_ext.scheduler.explainers.reason import Reason
from nova_ext.scheduler.steps import Steps
from tests.unit.record import samples

HOSTS = 1000


def tell(path):
    """Print how often the ticker ticks while rejected hosts are told.

    Each takes a while, so that a tick is due at every pause.
    """
    ticks = []
    eventlet.spawn(_tick, lambda: ticks.append(True))

    def told():
        for _ in range(HOSTS):
            _work(0.0003)
            yield Reason('down')

    def make():
        before = len(ticks)
        steps.tell(str)
        print(len(ticks) - before)
        return samples.failure(hosts=HOSTS, attempts=[
            d.Attempt(samples.SERVER, 0, HOSTS, steps.made)
        ])

    steps = Steps()
    steps.add('AFilter', 'filter', range(HOSTS), [], lambda gone: told)
    _record(path, make)


def wait(path):
    """Print a line with each tick once a decision waits for the file."""
    def make():
        eventlet.spawn(_tick, lambda: print('tick', flush=True))
        return samples.failure()

    _record(path, make)


def fill():
    """Print the turns of what copies hosts, and of another greenlet."""
    copied.of = lambda host: host
    eventlet.spawn(_tick, lambda: print('other'), 0)
    for host in capacity._politely(['a', 'b', 'c']):
        print(host)


def _record(path, make):
    mine = writer.Writer(samples.conf(Path(path)))
    mine.put(make)
    sys.exit(not mine.flush(60))


def _tick(act, every_s=0.01):
    while True:
        act()
        time.sleep(every_s)


def _work(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
