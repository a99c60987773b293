"""The table of a lab's services, in each of its two forms.

Without a message broker all of Nova shares one process; with one, each of
its services has its own, and its computes one together.

To add a service, write a module with its WSGI application, its files and
its database, such as ``glance_app``, and a row of TABLE. All else that the
lab does with services loops over the table. Where another package brings
the service, the lab extra has to name it, too.
"""

import dataclasses
from collections.abc import Callable

from nova_ext.lab.configuration import broker, config, nova_config
from nova_ext.lab.nova import nova_process, program
from nova_ext.lab.process import nova_threads
from nova_ext.lab.process.process import Call, Stop
from nova_ext.lab.process.web import Application
from nova_ext.lab.services import glance, keystone, network, placement, rabbit
from nova_ext.lab.services.keystone import Endpoint
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import NONE, RABBIT, State
from nova_ext.lab.state.paths import Place
from nova_ext.lab.state.phase import Reporter

NOVA = 'nova'
SCHEDULER = program.SCHEDULER


@dataclasses.dataclass(frozen=True)
class Service:
    """A service of a lab: a process, with the children that it may have.

    Each has either an application or a way to start.

    :param name: what commands, logs and the state call it.
    :param app: loads its WSGI application, which the lab serves.
    :param start: returns how to stop when it serves, or becomes another
        program.
    :param configure: returns its configuration files.
    :param forms: brokers with which a lab has it, of states.BROKERS.
    :param port: name of the port that it is handed as a socket.
    :param own_ports: names of the ports that it opens itself.
    :param catalog: its endpoints, at that port.
    :param user: its user in Keystone.
    :param nova_section: the section of nova.conf that has its address.
    :param package: a package that it needs; the lab extra brings it.
    :param require: raises LabError where something else is missing.
    :param folders: where it keeps what is in no database, in the lab's
        folder.
    :param words: other words for it, some of which mean others too.
    :param loggers: what its lines in the log of nova begin with, where all
        of Nova shares a process.
    :param programs: programs that schedule by name of their process; it has
        a process for each.
    :param program: the one of them that this is.
    :param serves: whether it serves, where it can't say so itself; takes
        its name.
    """

    name: str
    app: Callable[[Place, State, Reporter], Application] | None = None
    start: Callable[[Call, State], Stop] | None = None
    configure: Callable[[Place, State], config.Files] | None = None
    forms: tuple[str, ...] = lab_state.BROKERS
    port: str | None = None
    own_ports: tuple[str, ...] = ()
    catalog: tuple[Endpoint, ...] = ()
    user: str | None = None
    nova_section: str | None = None
    package: str | None = None
    require: Callable[[], object] | None = None
    folders: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    loggers: tuple[str, ...] = ()
    programs: Callable[[State], dict[str, str]] | None = None
    program: str | None = None
    serves: Callable[[State, str], bool] | None = None

    def means(self, word: str) -> bool:
        """Return whether a word stands for it, alone or among others."""
        return word == self.name or word in self.words


def services(state: State) -> list[Service]:
    """Return the services of a lab, each after those that it asks."""
    listed: list[Service] = []
    for row in TABLE:
        if state.broker in row.forms:
            listed += [
                dataclasses.replace(row, name=name, program=scheduler)
                for name, scheduler in row.programs(state).items()
            ] if row.programs else [row]
    return listed


def find(state: State, word: str) -> list[Service]:
    """Return the services that a user means.

    :param word: a service's name, or one that stands for several.
    :raises LabError: for an unknown word.
    """
    known = services(state)
    meant = [one for one in known if one.means(word)]
    if not meant:
        words = {word for one in known for word in (one.name, *one.words)}
        raise LabError(
            f'no service {word}; services: {", ".join(sorted(words))}'
        )
    return meant


def find_one(state: State, word: str) -> Service:
    """Return the service that a user means.

    :raises LabError: for an unknown word, or one that stands for several.
    """
    meant = find(state, word)
    if len(meant) > 1:
        names = ', '.join(one.name for one in meant)
        raise LabError(f'{word} is {names}: name one of them')
    return meant[0]


def catalog(state: State) -> dict[Endpoint, str]:
    """Return the URL of each endpoint."""
    return {
        endpoint: state.url(service.port, endpoint.path)
        for service in services(state) if service.port
        for endpoint in service.catalog
    }


def _build_keystone(
    place: Place, state: State, reporter: Reporter
) -> Application:
    users = [one.user for one in services(state) if one.user]
    return keystone.build(place, state, reporter, users, catalog(state))


def _configure_nova(place: Place, state: State) -> config.Files:
    return nova_config.configure(place, state, {
        one.nova_section: one.port for one in services(state)
        if one.nova_section and one.port
    })


def _nova_scheduler(state: State) -> dict[str, str]:
    """Return the scheduling program of a process that is all of Nova."""
    return {NOVA: next(iter(program.schedulers(state).values()))}


_NOVA_API = Service(
    'api', app=nova_process.build_api, configure=_configure_nova,
    forms=(RABBIT,), port=NOVA, user=NOVA, package=NOVA, folders=('state',),
    catalog=(
        Endpoint('compute', NOVA, '/v2.1'),
        Endpoint('scheduler', 'nova-ext', '/scheduler'),
    ),
    words=(NOVA,), loggers=('nova.api', 'nova.osapi'),
)

_NOVA_PROCESSES = (
    Service(
        SCHEDULER, start=program.start, forms=(RABBIT,),
        programs=program.schedulers, serves=program.consumes,
        words=(NOVA, SCHEDULER),
        loggers=(
            'nova.scheduler', 'nova.filters', 'nova.weights', 'nova_ext',
        ),
    ),
    Service(
        program.CONDUCTOR, start=program.start, forms=(RABBIT,),
        serves=program.consumes, words=(NOVA,), loggers=('nova.conductor',),
    ),
    Service(
        'compute', start=nova_process.start_computes, forms=(RABBIT,),
        words=(NOVA,), loggers=('nova.compute', 'nova.virt'),
    ),
    _NOVA_API,
)

#: Loggers by part of Nova; the parts share a process without a broker.
LOGGERS = {row.name: row.loggers for row in reversed(_NOVA_PROCESSES)}

TABLE = (
    Service(
        'rabbit', start=rabbit.start, configure=rabbit.configure,
        forms=(RABBIT,), own_ports=broker.PORTS, require=rabbit.program,
        serves=lambda state, _: broker.serves(state),
    ),
    Service(
        'keystone', app=_build_keystone, configure=keystone.configure,
        port='keystone', package='keystone', folders=('keys',),
        catalog=(Endpoint('identity', 'keystone', '/v3'),),
    ),
    Service(
        'placement', app=placement.build,
        configure=placement.configure, port='placement',
        user='placement', nova_section='placement', package='placement',
        catalog=(Endpoint('placement', 'placement'),),
    ),
    Service(
        'glance', app=glance.build, configure=glance.configure,
        port='glance', user='glance', nova_section='glance',
        package='glance',
        folders=('images', 'images/staging', 'images/tasks'),
        catalog=(Endpoint('image', 'glance'),),
    ),
    Service(
        'network', app=network.build, port='network', nova_section='neutron',
        catalog=(Endpoint('network', 'network'),),
    ),
    *_NOVA_PROCESSES,
    dataclasses.replace(
        _NOVA_API, name=NOVA, app=None, start=nova_process.start_all,
        forms=(NONE,), require=nova_threads.require, words=tuple(LOGGERS),
        loggers=(), programs=_nova_scheduler,
    ),
)
