"""A WSGI application on a real socket, for the length of a test."""

import fixtures

from nova_ext.lab.process.web import Web
from nova_ext.lab.state import ports


class Served(fixtures.Fixture):
    """Serves an application.

    :param application: what to serve.
    """

    def __init__(self, application):
        super().__init__()
        self._application = application

    def _setUp(self):  # noqa: N802  the name that fixtures call
        listener = ports.listen(None)
        self.url = f'http://127.0.0.1:{listener.getsockname()[1]}'
        self.web = Web(self._application, listener, threads=2)
        self.web.start()
        self.addCleanup(self.web._server.close)
