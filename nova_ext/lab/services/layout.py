"""List a lab's services in a table, in each of the lab's two forms.

Without a message broker all of Nova shares one process; with one, each of
its services has its own, and its computes one together.

To add a service, write a module with its WSGI application, its files and its
database, such as ``glance``, and a row of TABLE. All other code loops over the
table. Where another package brings the service, name it in the lab extra.
"""

import dataclasses
from collections.abc import Callable

from nova_ext.lab.configuration import (
    broker,
    config,
    nova_config,
    zone_config,
)
from nova_ext.lab.nova import nova_process, program
from nova_ext.lab.process import nova_threads
from nova_ext.lab.process.process import Arguments, Stop
from nova_ext.lab.process.web import Application
from nova_ext.lab.services import (
    glance,
    keystone,
    network,
    placement,
    rabbit,
    zone_program,
)
from nova_ext.lab.services.keystone import Endpoint
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import NONE, RABBIT, State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.phase import PhaseReporter

NOVA = 'nova'
SCHEDULER = program.SCHEDULER


@dataclasses.dataclass(frozen=True)
class LabService:
    """Describe a service of a lab: a process, maybe with children.

    Each has either an application or a way to start.

    :param name: its name in commands, logs and the state.
    :param app: loads its WSGI application, which the lab serves.
    :param start: starts it and returns how to stop it, or replaces the
        process by another program.
    :param configure: returns its configuration files.
    :param brokers: those with which a lab has it, of lab_state.BROKERS.
    :param is_needed: says whether a lab has it; None: every one.
    :param port: name of the port that it inherits as a socket.
    :param own_ports: names of the ports that it opens itself.
    :param catalog: its endpoints, at that port.
    :param user: its user in Keystone.
    :param nova_section: the section of nova.conf that has its address.
    :param package: a package that it needs, of the lab extra.
    :param require: raises LabError where something else is missing.
    :param folders: its folders in that of the lab, for files.
    :param aliases: other words for it; some stand for several services.
    :param loggers: prefixes of its loggers, to tell it from the rest of Nova
        in the log of one process.
    :param programs: returns scheduling programs by name of their process;
        each has one.
    :param program: which of them it is.
    :param reads_nova_conf: whether it is no part of Nova, and reads Nova's
        configuration all the same.
    :param serves: says whether it serves, by its name, where its process
        can't report so itself.
    """

    name: str
    app: Callable[[LabFolder, State, PhaseReporter], Application] | None = None
    start: Callable[[Arguments, State], Stop] | None = None
    configure: Callable[[LabFolder, State], config.Files] | None = None
    brokers: tuple[str, ...] = lab_state.BROKERS
    is_needed: Callable[[State], bool] | None = None
    port: str | None = None
    own_ports: tuple[str, ...] = ()
    catalog: tuple[Endpoint, ...] = ()
    user: str | None = None
    nova_section: str | None = None
    package: str | None = None
    require: Callable[[], object] | None = None
    folders: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    loggers: tuple[str, ...] = ()
    programs: Callable[[State], dict[str, str]] | None = None
    program: str | None = None
    reads_nova_conf: bool = False
    serves: Callable[[State, str], bool] | None = None

    def matches(self, word: str) -> bool:
        """Say whether a word stands for it, alone or among others."""
        return word == self.name or word in self.aliases


def list_services(state: State) -> list[LabService]:
    """Return the services of a lab, each after those that it needs."""
    listed: list[LabService] = []
    for row in TABLE:
        if state.broker in row.brokers and (
            row.is_needed is None or row.is_needed(state)
        ):
            listed += [
                dataclasses.replace(row, name=name, program=scheduler)
                for name, scheduler in row.programs(state).items()
            ] if row.programs else [row]
    return listed


def find(state: State, word: str) -> list[LabService]:
    """Return the services that a user means.

    :param word: a service's name, or one that stands for several.
    :raises LabError: for an unknown word.
    """
    known = list_services(state)
    matches = [service for service in known if service.matches(word)]
    if not matches:
        words = {
            word for service in known
            for word in (service.name, *service.aliases)
        }
        raise LabError(
            f'no service {word}; services: {", ".join(sorted(words))}'
        )
    return matches


def find_one(state: State, word: str) -> LabService:
    """Return the service that a user means.

    :raises LabError: for an unknown word, or one that stands for several.
    """
    matches = find(state, word)
    if len(matches) > 1:
        names = ', '.join(service.name for service in matches)
        raise LabError(f'{word} is {names}: name one of them')
    return matches[0]


def build_catalog(state: State) -> dict[Endpoint, str]:
    """Return the URL of each endpoint."""
    return {
        endpoint: state.url(service.port, endpoint.path)
        for service in list_services(state) if service.port
        for endpoint in service.catalog
    }


def _build_keystone(
    lab: LabFolder, state: State, reporter: PhaseReporter
) -> Application:
    users = [row.user for row in list_services(state) if row.user]
    return keystone.build(lab, state, reporter, users, build_catalog(state))


def _configure_nova(lab: LabFolder, state: State) -> config.Files:
    return nova_config.configure(lab, state, {
        row.nova_section: row.port for row in list_services(state)
        if row.nova_section and row.port
    })


def _nova_scheduler(state: State) -> dict[str, str]:
    """Return the scheduling program of a process that is all of Nova."""
    return {NOVA: next(iter(program.list_schedulers(state).values()))}


_NOVA_API = LabService(
    'api', app=nova_process.build_api, configure=_configure_nova,
    brokers=(RABBIT,), port=NOVA, user=NOVA, package=NOVA, folders=('state',),
    catalog=(
        Endpoint('compute', NOVA, '/v2.1'),
        Endpoint('scheduler', 'nova-ext', '/scheduler'),
    ),
    aliases=(NOVA,), loggers=('nova.api', 'nova.osapi'),
)

_NOVA_PROCESSES = (
    LabService(
        SCHEDULER, start=program.start, brokers=(RABBIT,),
        programs=program.list_schedulers, serves=program.is_consuming,
        aliases=(NOVA, SCHEDULER),
        loggers=(
            'nova.scheduler', 'nova.filters', 'nova.weights', 'nova_ext',
        ),
    ),
    LabService(
        program.CONDUCTOR, start=program.start, brokers=(RABBIT,),
        serves=program.is_consuming, aliases=(NOVA,),
        loggers=('nova.conductor',),
    ),
    LabService(
        'compute', start=nova_process.start_computes, brokers=(RABBIT,),
        aliases=(NOVA,), loggers=('nova.compute', 'nova.virt'),
    ),
    _NOVA_API,
)

#: Loggers by part of Nova; without a broker all share a process.
LOGGERS = {row.name: row.loggers for row in reversed(_NOVA_PROCESSES)}

#: Console scripts of nova-ext that run where a zone has a child zone.
_ZONE_PROGRAMS = {
    'zone-poller': 'nova-ext-zone-poller',
    'builder': 'nova-ext-builder',
}

TABLE = (
    LabService(
        'rabbit', start=rabbit.start, configure=rabbit.configure,
        brokers=(RABBIT,), own_ports=broker.PORTS, require=rabbit.find_program,
        serves=lambda state, _: broker.is_serving(state),
    ),
    LabService(
        'keystone', app=_build_keystone, configure=keystone.configure,
        port='keystone', package='keystone', folders=('keys',),
        catalog=(Endpoint('identity', 'keystone', '/v3'),),
    ),
    LabService(
        'placement', app=placement.build,
        configure=placement.configure, port='placement',
        user='placement', nova_section='placement', package='placement',
        catalog=(Endpoint('placement', 'placement'),),
    ),
    LabService(
        'glance', app=glance.build, configure=glance.configure,
        port='glance', user='glance', nova_section='glance',
        package='glance',
        folders=('images', 'images/staging', 'images/tasks'),
        catalog=(Endpoint('image', 'glance'),),
    ),
    LabService(
        'network', app=network.build, port='network', nova_section='neutron',
        catalog=(Endpoint('network', 'network'),),
    ),
    *_NOVA_PROCESSES,
    dataclasses.replace(
        _NOVA_API, name=NOVA, app=None, start=nova_process.start_all,
        brokers=(NONE,), require=nova_threads.require, aliases=tuple(LOGGERS),
        loggers=(), programs=_nova_scheduler,
    ),
    *(
        LabService(
            name, start=zone_program.make_start(script),
            configure=zone_config.configure, is_needed=zone_program.has_child,
            reads_nova_conf=True,
        ) for name, script in _ZONE_PROGRAMS.items()
    ),
)
