"""Run parts of the scheduler next to a ticking greenlet.

Only for a process of its own, which eventlet has patched first.
"""

import json
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import eventlet
from eventlet import patcher

from nova_ext.core.decision import decision as d
from nova_ext.record import writer
from nova_ext.scheduler.explainers.reason import Reason
from nova_ext.scheduler.plugins.plugin_mode import open_requests
from nova_ext.scheduler.trace.attempt import AttemptTrace
from nova_ext.scheduler.trace.trace import Stages
from nova_ext.scheduler.what_if.simulate import capacity
from nova_ext.testing import make_host, make_request
from tests.unit.record import samples

HOSTS = 1000


def serve():
    """Do what lines of stdin say, each in a process that is forked for it.

    After what it prints comes its status. No greenlet runs in this process,
    so that each has a hub of its own.
    """
    for line in sys.stdin:
        what, *args = json.loads(line)
        process = os.fork()
        if not process:
            globals()[what](*args)
            return
        _, status = patcher.original('os').waitpid(process, 0)
        print('ended', os.waitstatus_to_exitcode(status), flush=True)


def explain(path):
    """Print how often the ticker ticks while rejections are explained.

    Each takes a while, so that a tick is due at every pause.
    """
    ticks = []
    eventlet.spawn(_tick, lambda: ticks.append(True))

    def reasons():
        for _ in range(HOSTS):
            _work(0.0003)
            yield Reason('down')

    def make():
        before = len(ticks)
        attempt.finish(every_host=False)
        print(len(ticks) - before)
        return samples.failure(hosts=HOSTS, attempts=[
            d.Attempt(samples.SERVER, 0, HOSTS, attempt.attempt.steps)
        ])

    hosts = [make_host(str(number)) for number in range(HOSTS)]
    attempt = AttemptTrace(make_request(), 0, hosts, Stages().lap)
    attempt.add_step('AFilter', 'filter', hosts, [], lambda _: reasons)
    _record(path, make)


def wait(path):
    """Print a line with each tick once a decision waits for the file."""
    def make():
        eventlet.spawn(_tick, lambda: print('tick', flush=True))
        return samples.failure()

    _record(path, make)


def fill():
    """Print the turns of what fills hosts, and of another greenlet."""
    eventlet.spawn(_tick, lambda: print('other'), 0)
    simulation = capacity.CapacitySimulation.__new__(
        capacity.CapacitySimulation
    )
    simulation._simulation = SimpleNamespace(give_way=lambda: None)
    for host in simulation._pace(['a', 'b', 'c'], 1):
        print(host)


def leave():
    """Print whether a request is open as it runs, and once it has ended.

    It runs in a greenlet of a pool, which then does something else.
    """
    ended = []

    def decide(spec_obj):
        request = _Request(spec_obj)
        open_requests.add(request)
        for _ in range(2):
            time.sleep(3 * open_requests.INTERVAL_S)
            print('closed' if request.closed else 'open')
        ended.append(request)

    pool = eventlet.GreenPool(1)
    pool.spawn_n(decide, object())
    pool.spawn_n(time.sleep, 3600)
    while not ended or open_requests.count():
        time.sleep(0.01)
    print('closed' if ended[0].closed else 'open')


class _Request:
    closed = False

    def __init__(self, spec):
        self.spec = spec

    def give_up(self, seconds):
        """Nothing runs too long."""

    def close(self):
        self.closed = True


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
