"""Serve the API while a MariaDB to which it is connected stands still."""

import signal
from concurrent import futures

from nova_ext.database.database import Database
from tests.unit.api import keystone
from tests.unit.api.test_server import START_S, ServerTestCase
from tests.unit.database import servers

#: What needs the database.
LIST = '/v1/decisions?limit=1'


class FrozenDatabaseTest(ServerTestCase):
    """Stop MariaDB, and let it go on."""

    def setUp(self):
        """Have a Keystone, a MariaDB with the schema, and the API."""
        super().setUp()
        self.mariadb = servers.MariaDB()
        self.addCleanup(self.mariadb.remove)
        self.mariadb.prepare()
        Database(self.mariadb.url).sync()
        self.port = self.serve(
            'waitress-serve', '[keystone_authtoken]\n'
            f'www_authenticate_uri = http://keystone/\n'
            f'{keystone.start(self).options}'
            f'[nova_ext_database]\nconnection = {self.mariadb.url}\n',
        )

    def get(self, path):
        """Return the status of a request; None without an answer."""
        return self.ask(self.port, path, START_S, **{'X-Auth-Token': 'known'})

    def test_frozen(self):
        """Answer what needs no database, and the rest with 503 in time."""
        self.assertEqual(200, self.get(LIST))
        process = self.mariadb.process
        process.send_signal(signal.SIGSTOP)
        try:
            # At once: on the kept connection, and on a new one.
            with futures.ThreadPoolExecutor(2) as pool:
                statuses = [*pool.map(self.get, [LIST] * 2)]
            others = [self.get(path) for path in (
                '/', '/healthcheck', '/v1/openapi.json', '/v1/nothing',
            )]
        finally:
            process.send_signal(signal.SIGCONT)
        self.assertEqual([503, 503], statuses)
        self.assertEqual([200, 200, 200, 404], others)
        self.assertEqual(200, self.get(LIST))
