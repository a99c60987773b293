"""Run schedulers in several processes, as the workers of a nova-scheduler.

Each has the same schedulers. Mirrors tell each other of claims through queues,
which stand in for the message bus.
"""

import multiprocessing
import os
import threading
import time
import traceback

from nova_ext.scheduler.claims.claim_broadcaster import (
    ClaimBroadcaster,
)
from tests.bench.select import asking, schedulers

#: Seconds that a worker may take to end.
STOP_S = 30


class Workers:
    """Start workers, and hand requests to them.

    :param count: how many.
    :param folder: with the configuration of schedulers.configure().
    :param url: of placement.
    :param hosts: those of the cloud.
    :param filters: enabled ones.
    """

    def __init__(self, count, folder, url, hosts, filters):
        context = multiprocessing.get_context('spawn')
        told = [context.Queue() for _ in range(count)]
        self._pipes, self._processes = [], []
        for number in range(count):
            here, there = context.Pipe()
            process = context.Process(
                target=_work, daemon=True,
                args=(number, folder, url, hosts, filters, there, told),
            )
            process.start()
            there.close()
            self._pipes.append(here)
            self._processes.append(process)
        # The first one reads placement, and the others what it read.
        for pipe in self._pipes:
            _receive(pipe)

    def ask(self, method, *arguments):
        """Have all workers do something, at once.

        :param method: name of a method of _Worker.
        :param arguments: lists with an argument for each worker.
        :returns: what each one returned.
        """
        for number, pipe in enumerate(self._pipes):
            pipe.send((method, [each[number] for each in arguments]))
        return [_receive(pipe) for pipe in self._pipes]

    def split(self, values):
        """Share values out: a list for each worker."""
        count = len(self._pipes)
        return [values[number::count] for number in range(count)]

    def repeat(self, value):
        """Return the same for each worker."""
        return [value] * len(self._pipes)

    def stop(self):
        """End them."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(STOP_S)
            if process.is_alive():
                process.kill()
                process.join()


def start(count, *arguments):
    """Start workers.

    :returns: a WorkersScheduler for each of schedulers.make_all.
    """
    started = Workers(count, *arguments)
    return [
        WorkersScheduler(name, started)
        for name in ('stock', 'tuned', 'mirror')
    ]


class WorkersScheduler:
    """Run one of the managers, in all workers.

    :param name: of a schedulers.Scheduler.
    """

    def __init__(self, name, workers):
        self.name = name
        self.is_fast = name == 'mirror'
        self._workers = workers
        self._placed = []

    def ask(self, requests):
        """Send the requests of clients, each client to one worker.

        :returns: an Outcome.
        """
        shares = self._workers.split(requests)
        self._placed = [
            [uuid for some in share for _, uuids in some for uuid in uuids]
            for share in shares
        ]
        outcome = asking.Outcome()
        for each in self._workers.ask(
            'ask', self._workers.repeat(self.name), shares
        ):
            outcome.add(each)
        return outcome

    def configure(self, values):
        """Set options, by group and name."""
        self._workers.ask('configure', self._workers.repeat(values))

    def describe_mirror(self):
        """Return what the workers' mirrors do, as Mirror.describe does."""
        first, *others = self._workers.ask('describe_mirror')
        for other in others:
            first['decided'] += other['decided']
            first['age_s'] = max(first['age_s'], other['age_s'])
            for reason, count in other['fallbacks'].items():
                first['fallbacks'][reason] = (
                    first['fallbacks'].get(reason, 0) + count
                )
        return first

    def forget(self, uuids):
        """Delete the allocations of the servers that were asked for last."""
        self._workers.ask(
            'forget', self._workers.repeat(self.name), self._placed
        )

    def stop(self):
        """End the workers."""
        self._workers.stop()


class _Worker:
    """Do what is asked of a worker."""

    def __init__(self, made):
        self._schedulers = {each.name: each for each in made}

    def ask(self, name, requests):
        """Send requests; return the Outcome."""
        began = time.process_time()
        outcome = self._schedulers[name].ask(requests)
        outcome.cpu_s = time.process_time() - began
        return outcome

    def configure(self, values):
        """Set options, by group and name."""
        schedulers.override(values)

    def describe_mirror(self):
        """Return what the mirror does."""
        return self._schedulers['mirror'].describe_mirror()

    def forget(self, name, uuids):
        """Delete the servers' allocations."""
        self._schedulers[name].forget(uuids)

    def stop(self):
        """End the mirror's threads."""
        for each in self._schedulers.values():
            each.stop()


def _work(number, folder, url, hosts, filters, pipe, told):
    """Run a worker until its pipe is closed."""
    try:
        schedulers.read_configuration(folder)
        schedulers.override({
            ('nova_ext_record', 'file'): f'{folder}/decisions-{number}',
            ('filter_scheduler', 'enabled_filters'): filters,
        })

        def cast(context, method, **arguments):
            for queue in told:
                queue.put(arguments)

        made = schedulers.make_all(url, hosts, ClaimBroadcaster(cast))
        worker = _Worker(made)
        mirror = made[-1].manager._mirror
        threading.Thread(
            target=_take_claims, args=(mirror, told[number]), daemon=True
        ).start()
        pipe.send((None, None))
    except Exception:
        pipe.send((traceback.format_exc(), None))
        return
    try:
        while True:
            method, arguments = pipe.recv()
            try:
                pipe.send((None, getattr(worker, method)(*arguments)))
            except Exception:
                pipe.send((traceback.format_exc(), None))
    except (EOFError, KeyboardInterrupt):
        worker.stop()
    # Other threads of Nova's may never end.
    os._exit(0)


def _take_claims(mirror, told):
    while True:
        mirror.take_claims(**told.get())


def _receive(pipe):
    error, answer = pipe.recv()
    if error:
        raise RuntimeError(error)
    return answer
