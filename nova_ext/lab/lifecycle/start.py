"""Start the services of a lab and wait until they serve."""

import contextlib
import subprocess
import time
from collections.abc import Collection, Iterator

from nova_ext.core.base import atomic_file
from nova_ext.core.base.progress import Progress
from nova_ext.lab.lifecycle import logs, processes, status
from nova_ext.lab.services import cloud, layout
from nova_ext.lab.services.layout import LabService
from nova_ext.lab.state import lab_state, phase, ports
from nova_ext.lab.state import paths as places
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder

_POLL_S = 0.05
_PATIENCE_S = 300
_PATIENCE_PER_HOST_S = 3


def start(
    lab: LabFolder, state: State, chosen: Collection[LabService]
) -> 'Starting':
    """Configure services and start them in the background.

    :param chosen: the others, if there are any, keep running, and all ports
        stay.
    """
    with open_sockets(lab, state, chosen) as listeners:
        starting = Starting(lab, state)
        for service in chosen:
            starting.start(service, listeners)
    return starting


@contextlib.contextmanager
def open_sockets(
    lab: LabFolder, state: State, chosen: Collection[LabService]
) -> Iterator[ports.Sockets]:
    """Configure services, and listen on their ports."""
    listeners: ports.Sockets = {}
    everything = len(chosen) == len(layout.list_services(state))
    names = [
        name for service in chosen
        for name in (*service.own_ports, service.port) if name
    ]
    try:
        for name in names:
            known = state.ports.get(name)
            if everything or known is None:
                listeners[name] = ports.listen(known, _other_ports(lab))
            else:
                listeners[name] = ports.listen_again(
                    lab.name, name, known
                )
            state.ports[name] = listeners[name].getsockname()[1]
        configure(lab, state)
        cloud.write_clouds_yaml(lab, state)
        yield listeners
    finally:
        ports.close(listeners)


def configure(lab: LabFolder, state: State) -> None:
    """Make the folders of all services, and write their files."""
    for service in layout.list_services(state):
        for name in service.folders:
            (lab.path / name).mkdir(exist_ok=True)
        files = service.configure(lab, state) if service.configure else {}
        for name, text in files.items():
            path = lab.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_file.write(path, text, mode=0o600)


def _other_ports(lab: LabFolder) -> set[int]:
    """Return the ports of other labs, which may be stopped."""
    return {
        port for other in places.list_labs() if other.name != lab.name
        for port in lab_state.read_ports(other)
    }


class Starting:
    """Start services, and wait for each.

    :param state: receives the processes, and is saved.
    """

    def __init__(self, lab: LabFolder, state: State) -> None:
        self._lab = lab
        self._state = state
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._log_starts: dict[str, int] = {}

    def start(self, service: LabService, listeners: ports.Sockets) -> None:
        """Start a service.

        :param listeners: it inherits that of its port; those of ports
            that it opens itself are closed.
        """
        name = service.name
        self._log_starts[name] = logs.rotate(self._lab.log(name))
        for port in service.own_ports:
            listeners[port].close()
        child = processes.start(
            self._lab, self._state, service,
            listeners.get(service.port or ''),
        )
        self._children[name] = child
        self._state.processes[name] = processes.identify(child)
        lab_state.save(self._lab, self._state)

    def wait(self, service: LabService, progress: Progress) -> None:
        """Wait until a service serves.

        :raises LabError: when any of the started services ended.
        """
        patience = _PATIENCE_S + _PATIENCE_PER_HOST_S * len(self._state.hosts)
        deadline = time.monotonic() + patience
        with progress.step(service.name):
            while True:
                self._check(progress)
                now = status.find_phase(self._lab, self._state, service)
                if now.ready:
                    return
                progress.detail(now.text)
                if time.monotonic() > deadline:
                    raise LabError(
                        f'{service.name} is still {now.text} after '
                        f'{patience} s; log: {self._lab.log(service.name)}'
                    )
                time.sleep(_POLL_S)

    def _check(self, progress: Progress) -> None:
        for name, child in self._children.items():
            if child.poll() is None:
                continue
            why = phase.read(self._lab, name, child.pid).error
            log = self._lab.log(name)
            if why is None:
                for line in logs.error_lines(log, self._log_starts[name]):
                    progress.say(f'   {line}')
                why = f'it ended with status {child.returncode}'
            raise LabError(f'{name} did not start: {why}; log: {log}')
