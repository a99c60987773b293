"""Starting the services of a lab and waiting until they serve."""

import contextlib
import subprocess
import time
from collections.abc import Collection, Iterator

from nova_ext.core.progress import Progress
from nova_ext.lab import (
    clouds_yaml,
    config,
    logs,
    phase,
    ports,
    processes,
    states,
)
from nova_ext.lab import place as places
from nova_ext.lab.errors import LabError
from nova_ext.lab.place import Place
from nova_ext.lab.states import State

_POLL_S = 0.05
_PATIENCE_S = 300
_PATIENCE_PER_HOST_S = 3


def start(
    place: Place, state: State, names: Collection[str]
) -> 'Starting':
    """Configure services and start them in the background.

    :param names: if these are not all services, the others keep running,
        and the ports stay, which the catalog names.
    """
    with sockets(place, state, names) as listeners:
        starting = Starting(place, state)
        starting.start(listeners)
    return starting


@contextlib.contextmanager
def sockets(
    place: Place, state: State, names: Collection[str]
) -> Iterator[ports.Sockets]:
    """Listening sockets for services, and their configuration."""
    listeners: ports.Sockets = {}
    everything = set(names) == set(states.SERVICES)
    try:
        for name in names:
            if everything:
                known = state.ports.get(name)
                listeners[name] = ports.listen(known, _taken(place))
            else:
                listeners[name] = ports.listen_again(name, state.ports[name])
            state.ports[name] = listeners[name].getsockname()[1]
        config.write(place, state)
        clouds_yaml.write(place, state)
        yield listeners
    finally:
        ports.close(listeners)


def _taken(place: Place) -> set[int]:
    """Ports that other labs will want back."""
    taken: set[int] = set()
    for other in places.every():
        if other.name != place.name:
            taken.update(states.ports(other))
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

    def start(self, listeners: ports.Sockets) -> None:
        """Start a service on each listening socket."""
        for name, listener in listeners.items():
            self._log_starts[name] = logs.begin(self._place.log(name))
            child = processes.start(self._place, name, listener)
            self._children[name] = child
            self._state.processes[name] = processes.record(child)
            states.save(self._place, self._state)

    def wait(self, name: str, progress: Progress) -> None:
        """Wait until a service serves.

        :raises LabError: when any of the started services ended.
        """
        patience = _PATIENCE_S + _PATIENCE_PER_HOST_S * len(self._state.hosts)
        deadline = time.monotonic() + patience
        while True:
            self._check(progress)
            now = phase.read(self._place, name, self._children[name].pid)
            if now.ready:
                return
            progress.detail(now.text)
            if time.monotonic() > deadline:
                raise LabError(
                    f'{name} is still {now.text} after {patience} s; '
                    f'log: {self._place.log(name)}'
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
