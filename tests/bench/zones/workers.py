"""Start the processes that serve zones, and speak with them."""

import contextlib
import itertools
import secrets
import subprocess
import sys
from pathlib import Path

from nova_ext.zones import registry
from tests.bench.zones import tree
from tests.bench.zones.worker import Control


class Workers:
    """Serve a tree of zones by several processes.

    :param folder: for what they write.
    :param parents: see :func:`tests.bench.zones.tree.list_parents`.
    :param host_count: of each zone.
    :param count: of processes.
    """

    def __init__(self, folder, parents, host_count, count):
        self._stack = contextlib.ExitStack()
        self._parents = parents
        #: Seed and number of hosts, by zone.
        self.zones = {
            name: (seed, host_count) for seed, name in enumerate(parents)
        }
        with contextlib.ExitStack() as stack:
            programs = [
                stack.enter_context(_Program(folder / str(number)))
                for number in range(count)
            ]
            self._workers = [program.connect() for program in programs]
            self._stack = stack.pop_all()
        self._by_zone = dict(zip(parents, itertools.cycle(self._workers)))
        self.url = self._workers[0].get_url()

    def __enter__(self):
        """Return itself."""
        return self

    def __exit__(self, *error):
        """End the processes."""
        self._stack.close()

    def start(self, database):
        """Start all zones but the root.

        :param database: of the root.
        :returns: the UUID of each zone, by name.
        """
        found = {}
        for worker in self._workers:
            found |= worker.start({
                name: numbers for name, numbers in self.zones.items()
                if self._by_zone[name] is worker
            })
        children = {}
        for name, parent in self._parents.items():
            if parent is not None:
                children.setdefault(parent, []).append((name, *found[name]))
        tree.register(database, children.pop(tree.ROOT))
        for worker in self._workers:
            worker.connect({
                name: of_zone for name, of_zone in children.items()
                if self._by_zone[name] is worker
            })
        return {
            **{name: uuid for name, (_, uuid) in found.items()},
            tree.ROOT: registry.get_own_uuid(database),
        }

    def make_offers(self, context, question):
        """Answer in place of the root's own schedulers."""
        return self._by_zone[tree.ROOT].make_offers(tree.ROOT, question)

    def take_counts(self):
        """Return what each zone was sent, and the number of tokens."""
        counts, tokens = {}, 0
        for worker in self._workers:
            of_zones, given = worker.take_counts()
            counts |= of_zones
            tokens += given
        return counts, tokens

    def list_held(self):
        """Return the request ids of held room, by the UUID of the zone."""
        return {
            uuid: ids for worker in self._workers
            for uuid, ids in worker.list_held().items()
        }


class _Program:
    """Run a worker."""

    def __init__(self, folder):
        folder.mkdir()
        self._key = secrets.token_hex()
        self._process = subprocess.Popen(
            [
                sys.executable, '-W', 'ignore', '-m',
                'tests.bench.zones.worker', str(folder),
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            cwd=Path(__file__).parents[3],
        )
        self._process.stdin.write(f'{self._key}\n')
        self._process.stdin.flush()

    def __enter__(self):
        """Return itself."""
        return self

    def __exit__(self, *error):
        """End it by the end of its input."""
        self._process.stdin.close()
        self._process.stdout.close()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def connect(self):
        """Wait until it serves; return what calls it."""
        port = int(self._process.stdout.readline() or 0)
        if not port:
            raise RuntimeError('a worker ended before it served')
        Control.register('worker')
        control = Control(('127.0.0.1', port), self._key.encode())
        control.connect()
        return control.worker()
