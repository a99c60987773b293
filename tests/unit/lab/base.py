"""Create labs on disk, and serve applications."""

import signal
from pathlib import Path

import fixtures
import testtools

from nova_ext.lab.process.web import Web
from nova_ext.lab.services import layout
from nova_ext.lab.state import lab_state, paths, ports
from nova_ext.lab.state.hosts import LabHost

#: Names of the ports that services inherit; Nova's in both forms of a lab.
ENDPOINTS = list(dict.fromkeys(
    row.port for row in layout.TABLE if row.port
))
#: Ports that no lab takes, while others run on this machine.
PORTS = {name: number for number, name in enumerate(ENDPOINTS, 1)}
#: The services of both forms, in order; Nova's are others in each.
BESIDE_NOVA = [
    row.name for row in layout.TABLE
    if row.brokers == lab_state.BROKERS and not row.matches(layout.NOVA)
    and row.is_needed is None
]


class LabTestCase(testtools.TestCase):
    """Give a test a home for labs and a cache, and a terminal's signals."""

    def setUp(self):
        """Point the lab's two folders into a temporary one."""
        super().setUp()
        # nohup and a shell's background jobs ignore some.
        for number, handler in (
            (signal.SIGHUP, signal.SIG_DFL),
            (signal.SIGINT, signal.default_int_handler),
        ):
            self.addCleanup(
                signal.signal, number, signal.signal(number, handler)
            )
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        for variable, name in (
            ('NOVA_EXT_LAB_HOME', 'home'), ('XDG_CACHE_HOME', 'cache')
        ):
            self.useFixture(fixtures.EnvironmentVariable(
                variable, str(self.folder / name)
            ))

    def new_lab(self, name='one', **changes):
        """Return the folder and state of a lab that has been up."""
        lab = paths.locate(name)
        lab.create()
        state = lab_state.create([LabHost('cmp-1'), LabHost('cmp-2', vcpus=2)])
        state.ports = dict(PORTS)
        state.ready = True
        for field, value in changes.items():
            setattr(state, field, value)
        lab_state.save(lab, state)
        return lab, state


class Served(fixtures.Fixture):
    """Serve a WSGI application on a real socket, in a test."""

    def __init__(self, application):
        super().__init__()
        self._application = application

    def _setUp(self):  # noqa: N802  the name that fixtures call
        listener = ports.listen(None)
        self.url = f'http://127.0.0.1:{listener.getsockname()[1]}'
        self.web = Web(self._application, listener, threads=2)
        self.web.start()
        self.addCleanup(self.web._server.close)
