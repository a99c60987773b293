"""Keep what a lab remembers between commands, in lab.json."""

import dataclasses
import datetime
import json
import secrets
from typing import Any

from nova_ext.core.base import atomic_file
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import LabHost
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.zone import Zone

VERSION = 2
USERS = ('admin', 'demo', 'service', 'broker', 'parent')
#: Secrets that are no user's: of offers, and of the credential with which a
#: parent zone authenticates.
OFFERS, CREDENTIAL = SECRETS = ('offers', 'credential')

#: How Nova's services talk: through memory, or through RabbitMQ.
NONE, RABBIT = BROKERS = ('none', 'rabbit')

#: Options of nova.conf: values by ``GROUP.OPTION``, in the order given.
Settings = dict[str, list[str]]


@dataclasses.dataclass
class Process:
    """Identify a started process, even if its id is used again.

    :param pid: process id.
    :param started: start time as psutil gives it, seconds since 1970.
    """

    pid: int
    started: float


@dataclasses.dataclass
class State:
    """Describe a lab as it was last brought up.

    :param created: ISO 8601 time of the first ``up``.
    :param hosts: its fake computes.
    :param settings: options of nova.conf set by the user.
    :param broker: one of BROKERS.
    :param schedulers: how many; without a broker it has one.
    :param stock_schedulers: how many of them, the last ones, are Nova's own.
    :param ports: port on 127.0.0.1 by name, mostly a service's.
    :param passwords: password by user, and the SECRETS by name.
    :param processes: the processes started last, by service.
    :param ready: whether an ``up`` ever came to its end.
    :param zone: its place among zones; None for a lab alone.
    """

    created: str
    hosts: list[LabHost]
    settings: Settings = dataclasses.field(default_factory=dict)
    broker: str = NONE
    schedulers: int = 1
    stock_schedulers: int = 0
    ports: dict[str, int] = dataclasses.field(default_factory=dict)
    passwords: dict[str, str] = dataclasses.field(default_factory=dict)
    processes: dict[str, Process] = dataclasses.field(default_factory=dict)
    ready: bool = False
    zone: Zone | None = None

    @property
    def stock(self) -> bool:
        """Say whether no scheduler is nova-ext's."""
        return self.stock_schedulers == self.schedulers

    def url(self, service: str, path: str = '') -> str:
        """Return the address of a service."""
        return f'http://127.0.0.1:{self.ports[service]}{path}'


def create(hosts: list[LabHost]) -> State:
    """Return the state of a lab that does not exist yet."""
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    return State(now.isoformat(), hosts, passwords=generate_passwords())


def generate_passwords() -> dict[str, str]:
    """Return new passwords for all users, and new secrets."""
    return {name: secrets.token_urlsafe(18) for name in (*USERS, *SECRETS)}


def save(lab: LabFolder, state: State) -> None:
    """Write the state, readable by its owner alone."""
    document = {'version': VERSION, **dataclasses.asdict(state)}
    atomic_file.write(
        lab.state_file, json.dumps(document, indent=2) + '\n', mode=0o600
    )


def load(lab: LabFolder) -> State:
    """Read the state.

    :raises LabError: when the file is missing, damaged or of another
        version.
    """
    try:
        document = json.loads(lab.state_file.read_text())
        version = document.pop('version')
        if version == VERSION:
            return _parse(document)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LabError(
            f'{lab.state_file} can\'t be read ({type(error).__name__}); '
            f'"nova-ext lab delete --name {lab.name}" first, to begin anew'
        ) from error
    raise LabError(
        f'{lab.state_file} has version {version}, this nova-ext reads '
        f'version {VERSION}; "nova-ext lab delete --name {lab.name}" first, '
        'to begin anew'
    )


def _parse(document: dict[str, Any]) -> State:
    zone = document.get('zone')
    return State(**{
        **document,
        'hosts': [LabHost(**host) for host in document['hosts']],
        'processes': {
            service: Process(**process)
            for service, process in document['processes'].items()
        },
        'zone': Zone(tuple(zone['labs']), zone['depth']) if zone else None,
    })


def read_ports(lab: LabFolder) -> list[int]:
    """Return a lab's ports; none when its state can't be read."""
    try:
        return list(load(lab).ports.values())
    except LabError:
        return []
