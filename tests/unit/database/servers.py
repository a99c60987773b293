"""Run the distribution's database servers, one for each test class.

They listen on sockets in a folder of their own: on no port or network, and
beside no service that a package may have started.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import sqlalchemy as sa

DEADLINE_S = 120
DATABASE = 'nova_ext'

#: Where Debian keeps servers that are on nobody's PATH.
_FOLDERS = ('/usr/sbin', '/usr/lib/postgresql/*/bin')


class Server:
    """Run one server, which can be killed and started again.

    ``admin_url`` leads to ``admin_database``, there from the beginning;
    ``ending`` is the signal that ends it in order.
    """

    package = ''
    programs: tuple[str, ...] = ()
    admin_url = ''
    admin_database = ''
    ending = signal.SIGTERM

    def __init__(self):
        missing = [name for name in self.programs if not _program(name)]
        if missing:
            raise unittest.SkipTest(
                f'{missing[0]} is not installed: apt-get install '
                f'{self.package}'
            )
        self.folder = Path(tempfile.mkdtemp(prefix='nova-ext-db-'))
        self.process = None

    @property
    def url(self):
        """Return the URL of the database for decisions."""
        return self.admin_url.replace('/ADMIN', f'/{DATABASE}')

    def prepare(self):
        """Create the server's files, start it, and create a database."""
        self.initialize()
        self.start()
        self._execute(f'CREATE DATABASE {DATABASE}')

    def start(self):
        """Start it, and wait until it answers."""
        self.process = self._popen(*self.command())
        deadline = time.monotonic() + DEADLINE_S
        while True:
            try:
                return self._execute('SELECT 1')
            except sa.exc.OperationalError:
                if time.monotonic() > deadline:
                    raise
                if self.process.poll() is not None:
                    # Children of a killed PostgreSQL live on for a moment,
                    # and no other one starts beside them.
                    self.process = self._popen(*self.command())
                time.sleep(0.1)

    def kill(self):
        """End it at once, as a crash would."""
        self.process.kill()
        self.process.wait()

    def remove(self):
        """End it, with all that it wrote."""
        if self.process is not None:
            self.process.send_signal(self.ending)
            self.process.wait(DEADLINE_S)
        shutil.rmtree(self.folder)

    def _popen(self, *words, **how):
        with (self.folder / 'log').open('ab') as log:
            return subprocess.Popen(
                [*self.prefix(), _program(words[0]), *words[1:]],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                cwd=self.folder, **how,
            )

    def _run(self, *words):
        process = self._popen(*words)
        if process.wait(DEADLINE_S):
            raise AssertionError((self.folder / 'log').read_text())

    def prefix(self):
        """Return the command that runs a program as an accepted user."""
        return []

    def _execute(self, statement):
        url = self.admin_url.replace('/ADMIN', f'/{self.admin_database}')
        engine = sa.create_engine(url, isolation_level='AUTOCOMMIT')
        with engine.connect() as connection:
            connection.execute(sa.text(statement))
        engine.dispose()


class MariaDB(Server):
    """Run MariaDB, as Debian has it."""

    package = 'mariadb-server'
    programs = ('mariadbd', 'mariadb-install-db')

    @property
    def admin_url(self):
        """Return the URL of its first user, who needs no password here."""
        return (
            f'mysql+pymysql://root@localhost/ADMIN?charset=utf8mb4&'
            f'unix_socket={self.folder}/socket'
        )

    def initialize(self):
        """Create its own tables."""
        self._run(
            'mariadb-install-db', '--no-defaults', *self._where(),
            '--auth-root-authentication-method=normal', '--skip-test-db',
        )

    def command(self):
        """Return the command that starts it."""
        return (
            'mariadbd', '--no-defaults', *self._where(), '--skip-networking',
            f'--socket={self.folder}/socket',
            f'--pid-file={self.folder}/pid',
        )

    def _where(self):
        user = ['--user=root'] if not os.geteuid() else []
        return [*user, f'--datadir={self.folder}/data']


class PostgreSQL(Server):
    """Run PostgreSQL, as Debian has it, and not as root."""

    package = 'postgresql'
    programs = ('postgres', 'initdb')
    admin_database = 'postgres'
    ending = signal.SIGINT  # SIGTERM waits for the clients

    @property
    def admin_url(self):
        """Return the URL of its first user, who needs no password here."""
        return f'postgresql+psycopg2://tester@/ADMIN?host={self.folder}'

    def initialize(self):
        """Create its own tables."""
        if not os.geteuid():
            shutil.chown(self.folder, 'nobody', 'nogroup')
        self._run(
            'initdb', '-D', f'{self.folder}/data', '-U', 'tester',
            '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync',
        )

    def command(self):
        """Return the command that starts it."""
        return (
            'postgres', '-D', f'{self.folder}/data', '-k', str(self.folder),
            '-c', 'listen_addresses=',
        )

    def prefix(self):
        """Return the command that makes root nobody."""
        if os.geteuid():
            return []
        return [
            'setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups',
        ]


def _program(name):
    """Return a program's path; None: it is not installed."""
    folders = [
        str(folder) for pattern in _FOLDERS
        for folder in sorted(Path('/').glob(pattern[1:]), reverse=True)
    ]
    path = os.pathsep.join([*folders, os.environ.get('PATH', os.defpath)])
    return shutil.which(name, path=path)
