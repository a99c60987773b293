"""Starting the services of a lab and waiting until they serve."""

import contextlib
import subprocess
import time
from collections.abc import Collection, Iterator

from nova_ext.core.base import atomic_file
from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import logs, processes, running
from nova_ext.lab.services import clouds_yaml, layout
from nova_ext.lab.services.layout import Service
from nova_ext.lab.state import lab_state, phase, ports
from nova_ext.lab.state import paths as places
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import Place

_POLL_S = 0.05
_PATIENCE_S = 300
_PATIENCE_PER_HOST_S = 3


def start(
    place: Place, state: State, chosen: Collection[Service]
) -> 'Starting':
    """Configure services and start them in the background.

    :param chosen: if these are not all services, the others keep running,
        and the ports stay, which they know.
    """
    with sockets(place, state, chosen) as listeners:
        starting = Starting(place, state)
        for service in chosen:
            starting.start(service, listeners)
    return starting


@contextlib.contextmanager
def sockets(
    place: Place, state: State, chosen: Collection[Service]
) -> Iterator[ports.Sockets]:
    """Listening sockets on the ports of services, which are configured."""
    listeners: ports.Sockets = {}
    everything = len(chosen) == len(layout.services(state))
    names = [
        name for service in chosen
        for name in (*service.own_ports, service.port) if name
    ]
    try:
        for name in names:
            known = state.ports.get(name)
            if everything or known is None:
                listeners[name] = ports.listen(known, _taken(place))
            else:
                listeners[name] = ports.listen_again(name, known)
            state.ports[name] = listeners[name].getsockname()[1]
        configure(place, state)
        clouds_yaml.write(place, state)
        yield listeners
    finally:
        ports.close(listeners)


def configure(place: Place, state: State) -> None:
    """Make every service's folders, and write its files anew."""
    for service in layout.services(state):
        for name in service.folders:
            (place.folder / name).mkdir(exist_ok=True)
        files = service.configure(place, state) if service.configure else {}
        for name, text in files.items():
            path = place.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_file.write(path, text, mode=0o600)


def _taken(place: Place) -> set[int]:
    """Ports that other labs will want back."""
    taken: set[int] = set()
    for other in places.every():
        if other.name != place.name:
            taken.update(lab_state.ports(other))
    return taken


class Starting:
    """Services that were started and do not all serve yet.

    :param place: the lab.
    :param state: receives the ports and processes, and is saved.
    """

    def __init__(self, place: Place, state: State) -> None:
        self._place = place
        self._state = state
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._log_starts: dict[str, int] = {}

    def start(self, service: Service, listeners: ports.Sockets) -> None:
        """Start a service.

        :param listeners: it is handed that of its port; those on the
            ports that it opens itself are closed.
        """
        name = service.name
        self._log_starts[name] = logs.begin(self._place.log(name))
        for port in service.own_ports:
            listeners[port].close()
        child = processes.start(
            self._place, service, listeners.get(service.port or '')
        )
        self._children[name] = child
        self._state.processes[name] = processes.record(child)
        lab_state.save(self._place, self._state)

    def wait(self, service: Service, progress: Progress) -> None:
        """Wait until a service serves.

        :raises LabError: when any of the started services ended.
        """
        with progress.step(service.name):
            self._wait(service, progress)

    def _wait(self, service: Service, progress: Progress) -> None:
        patience = _PATIENCE_S + _PATIENCE_PER_HOST_S * len(self._state.hosts)
        deadline = time.monotonic() + patience
        while True:
            self._check(progress)
            now = running.phase(self._place, self._state, service)
            if now.ready:
                return
            progress.detail(now.text)
            if time.monotonic() > deadline:
                raise LabError(
                    f'{service.name} is still {now.text} after {patience} s; '
                    f'log: {self._place.log(service.name)}'
                )
            time.sleep(_POLL_S)

    def _check(self, progress: Progress) -> None:
        for name, child in self._children.items():
            if child.poll() is None:
                continue
            why = phase.read(self._place, name, child.pid).error
            log = self._place.log(name)
            if why is None:
                for line in logs.telling_lines(log, self._log_starts[name]):
                    progress.say(f'   {line}')
                why = f'it ended with status {child.returncode}'
            raise LabError(f'{name} did not start: {why}; log: {log}')
