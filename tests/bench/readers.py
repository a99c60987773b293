"""Measure what the readers of mirrors take of a real placement.

Placement is a process under uwsgi, over HTTP, with MariaDB where there is one.
One, three and six readers, each as on a machine of its own, begin to load the
providers of a cloud. Run it with ``python -m tests.bench.readers``.
"""

import contextlib
import sys
import tempfile
import threading
import time
from pathlib import Path

from nova_ext.scheduler.mirror.cloud_reader import PLACEMENT_SHARE
from nova_ext.scheduler.mirror.providers.pace import Pace
from nova_ext.scheduler.mirror.providers.provider_file import ProviderFile
from nova_ext.scheduler.mirror.providers.provider_reader import ProviderReader
from tests.bench.select import cloud, placement_client, schedulers, services

READERS = (1, 3, 6)
HOSTS = 1000
#: Seconds of each measurement, and of a turn: the default of mirror_refresh_s.
LONG_S, TURN_S = 60, 10


class Machine:
    """Read as the worker of one machine does.

    :param path: of its file.
    :param client: of placement.
    :param readers: how many machines there are.
    """

    def __init__(self, path, client, readers):
        self.file = ProviderFile(path)
        self._pace = Pace(PLACEMENT_SHARE, lambda: readers)
        self._reader = ProviderReader(self.file, lambda: client, self._pace)
        self._thread = threading.Thread(target=self._run)

    def start(self):
        """Begin to read."""
        self._thread.start()

    def stop(self):
        """End, and wait for it."""
        self._pace.end()
        self._thread.join()

    def count(self):
        """Return how many providers were read."""
        with self.file.open() as file:
            return len(file.list_known())

    def _run(self):
        while not self._pace.ended:
            began = time.monotonic()
            self._reader.read({}, 60, TURN_S)
            while not self._pace.ended and time.monotonic() < began + TURN_S:
                time.sleep(0.1)


def measure(placement, client, count, folder):
    """Let some machines read for a while.

    :returns: placement's part of a core, and providers a second.
    """
    machines = [
        Machine(Path(folder, f'{count}-{number}.db'), client, count)
        for number in range(count)
    ]
    before, began = placement.measure_cpu_s(), time.monotonic()
    for each in machines:
        each.start()
    time.sleep(LONG_S)
    taken = placement.measure_cpu_s() - before
    lasted = time.monotonic() - began
    for each in machines:
        each.stop()
    return taken / lasted, sum(each.count() for each in machines) / lasted


def main():
    """Measure, and print a line for each number of readers."""
    with (
        contextlib.ExitStack() as stack,
        tempfile.TemporaryDirectory(prefix='nova-ext-bench-') as folder,
    ):
        database = services.start_database(stack, folder)
        placement = services.Placement(folder, database.get_url('placement'))
        schedulers.configure(folder, database.get_url, placement.url)
        rows = cloud.Cloud(database.get_url)
        stack.callback(rows.close)
        rows.migrate()
        stack.callback(placement.stop)
        placement.start()
        rows.prepare_placement()
        rows.grow(HOSTS)
        client = placement_client.Client(placement.url)
        for count in READERS:
            share, speed = measure(placement, client, count, folder)
            print(
                f'{count} readers: {100 * share:.1f} % of a core of '
                f'placement\'s, {speed:.1f} providers a second together',
                flush=True,
            )


if __name__ == '__main__':
    sys.exit(main())
