"""Run placement as a process under uwsgi, and its database server."""

import contextlib
import os
import subprocess
import sys
import time
import unittest
from pathlib import Path

import psutil
import requests
import sqlalchemy as sa

from nova_ext.lab.state import ports
from tests.unit.database import servers

START_S, STOP_S = 120, 30
#: Of uwsgi; each has threads. Deployers run about one process a core.
PLACEMENT_PROCESSES, PLACEMENT_THREADS = 2, 8
DATABASES = ('nova_api', 'nova_cell0', 'nova_cell1', 'placement')


class MariaDB(servers.MariaDB):
    """Run MariaDB with enough connections, which survives no power cut."""

    name = 'MariaDB'

    def command(self):
        """Return the command that starts it."""
        return (
            *super().command(), '--max-connections=500',
            '--innodb-buffer-pool-size=1G',
            # Seconds; a busy machine takes more than the usual 10.
            '--connect-timeout=120',
            # The disk of this machine is not what is measured.
            '--innodb-flush-log-at-trx-commit=2',
        )

    def prepare(self):
        """Start it, and create the databases."""
        self.initialize()
        self.start()
        for name in DATABASES:
            self._execute(f'CREATE DATABASE {name} CHARACTER SET utf8mb3')

    def get_url(self, database):
        """Return a database's URL."""
        return self.admin_url.replace('/ADMIN', f'/{database}').replace(
            'utf8mb4', 'utf8'
        ) + '&connect_timeout=120'

    def measure_cpu_s(self):
        """Return the processor seconds that it has used."""
        return _measure_cpu_s(self.process.pid)


class SQLite:
    """Keep databases in files, where there is no MariaDB."""

    name = 'SQLite'

    def __init__(self, folder):
        self._folder = folder

    def prepare(self):
        """Do nothing: files come with the first table."""

    def get_url(self, database):
        """Return a database's URL."""
        return f'sqlite:///{self._folder}/{database}.sqlite'

    def measure_cpu_s(self):
        """Return 0: it works in its clients' processes."""
        return 0.0

    def remove(self):
        """Do nothing: the folder goes."""


class Placement:
    """Run placement's own WSGI application over HTTP.

    :param folder: for its configuration and log.
    :param database_url: of its database.
    """

    def __init__(self, folder, database_url):
        self._folder = Path(folder) / 'placement'
        self._folder.mkdir()
        (self._folder / 'placement.conf').write_text(
            '[DEFAULT]\nuse_stderr = true\n'
            '[api]\nauth_strategy = noauth2\n'
            '[placement_database]\n'
            f'connection = {database_url}\nsync_on_startup = true\n'
            'max_pool_size = 20\n'
        )
        self._environment = {
            **os.environ, 'OS_PLACEMENT_CONFIG_DIR': str(self._folder),
        }
        with ports.listen(None) as listener:
            self._port = listener.getsockname()[1]
        self.url = f'http://127.0.0.1:{self._port}'
        self._process = None

    def start(self):
        """Start it, and wait until it answers."""
        with (self._folder / 'log').open('ab') as log:
            self._process = subprocess.Popen(
                [
                    Path(sys.prefix) / 'bin' / 'uwsgi',
                    # Without keep-alive, which would take a thread each.
                    '--add-header', 'Connection: close',
                    '--http-socket', f'127.0.0.1:{self._port}',
                    '--module', 'placement.wsgi.api:application',
                    '--master', '--die-on-term', '--need-app',
                    '--enable-threads', '--disable-logging',
                    '--listen', '100',
                    '--processes', str(PLACEMENT_PROCESSES),
                    '--threads', str(PLACEMENT_THREADS),
                ],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=self._environment,
            )
        deadline = time.monotonic() + START_S
        while not self._answers():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError((self._folder / 'log').read_text()[-3000:])
            time.sleep(0.1)

    def measure_cpu_s(self):
        """Return the processor seconds that it has used."""
        return _measure_cpu_s(self._process.pid)

    def stop(self):
        """End it."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                for child in psutil.Process(self._process.pid).children():
                    child.kill()
                self._process.kill()
                self._process.wait()

    def _answers(self):
        with contextlib.suppress(requests.RequestException):
            return requests.get(self.url, timeout=10).ok
        return False


def start_database(stack, folder):
    """Return a running database server; SQLite where none is installed.

    :param stack: ends it.
    """
    try:
        server = MariaDB()
        stack.callback(server.remove)
    except unittest.SkipTest:
        server = SQLite(folder)
    server.prepare()
    return server


def describe_database(server):
    """Return its name and version."""
    engine = sa.create_engine(server.get_url('placement'))
    with engine.connect() as connection:
        version = '.'.join(map(str, connection.dialect.server_version_info))
    engine.dispose()
    return f'{server.name} {version}'


def _measure_cpu_s(pid):
    process, seconds = psutil.Process(pid), 0.0
    for each in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            times = each.cpu_times()
            seconds += times.user + times.system
    return seconds
