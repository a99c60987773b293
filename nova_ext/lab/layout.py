"""Which processes a lab has, in each of its two forms.

Without a message broker all of Nova shares one process; with one, each of
its services has its own, and its computes one together.
"""

import dataclasses
from collections.abc import Callable
from functools import partial

from nova_ext.lab import broker, nova_config, states
from nova_ext.lab.errors import LabError
from nova_ext.lab.states import State

NOVA = 'nova'
CONDUCTOR = 'conductor'
SCHEDULER = 'scheduler'

#: Programs that schedule: nova-ext's and Nova's own.
OURS = 'nova-ext-scheduler'
STOCK = 'nova-scheduler'

#: Parts of Nova, which share a process in a lab without a broker.
PARTS = ('api', 'compute', CONDUCTOR, SCHEDULER)


@dataclasses.dataclass(frozen=True)
class Service:
    """A process of a lab, with the children that it may have.

    :param name: what commands, logs and the state call it.
    :param module: the module of this room that it starts as.
    :param endpoint: what the catalog calls the port that it is handed.
    :param ports: names of the ports that it opens itself.
    :param aliases: other words for it, some of which mean others too.
    :param program: the one of Nova's programs that it becomes; where all of
        Nova shares a process, the one whose scheduler that has.
    :param serves: whether it serves, where it can't say so itself.
    """

    name: str
    module: str = 'serve'
    endpoint: str | None = None
    ports: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    program: str | None = None
    serves: Callable[[State], bool] | None = dataclasses.field(
        default=None, compare=False
    )

    def means(self, word: str) -> bool:
        """Whether a word stands for it, alone or among others."""
        return word == self.name or word in self.aliases


def services(state: State) -> list[Service]:
    """All processes of a lab, each after those that it asks."""
    neighbours = [
        Service(name, endpoint=name)
        for name in ('keystone', 'placement', 'glance', 'network')
    ]
    if state.broker == states.NONE:
        return [*neighbours, Service(
            NOVA, 'nova_process', endpoint=NOVA, aliases=PARTS,
            program=next(iter(schedulers(state).values())),
        )]
    return [
        Service('rabbit', 'rabbit', ports=broker.PORTS, serves=broker.serves),
        *neighbours,
        *(
            _program(name, program, NOVA, SCHEDULER)
            for name, program in schedulers(state).items()
        ),
        _program(CONDUCTOR, 'nova-conductor', NOVA),
        Service('compute', 'compute_process', aliases=(NOVA,)),
        Service('api', endpoint=NOVA, aliases=(NOVA,)),
    ]


def find(state: State, word: str) -> list[Service]:
    """The services that a user means.

    :param word: a service's name, or one that stands for several.
    :raises LabError: for an unknown word.
    """
    known = services(state)
    found = [one for one in known if one.means(word)]
    if not found:
        words = {word for one in known for word in (one.name, *one.aliases)}
        raise LabError(
            f'no service {word}; services: {", ".join(sorted(words))}'
        )
    return found


def find_one(state: State, word: str) -> Service:
    """The service that a user means.

    :raises LabError: for an unknown word, or one that stands for several.
    """
    found = find(state, word)
    if len(found) > 1:
        names = ', '.join(one.name for one in found)
        raise LabError(f'{word} is {names}: name one of them')
    return found[0]


def schedulers(state: State) -> dict[str, str]:
    """The schedulers of a lab.

    :returns: program by name; without a broker the one scheduler has no
        process of this name.
    """
    ours = state.schedulers - state.stock_schedulers
    return {
        f'{SCHEDULER}-{number + 1}': OURS if number < ours else STOCK
        for number in range(state.schedulers)
    }


def nova_host(service: str) -> str:
    """The host that Nova takes a conductor or scheduler to be on.

    Several schedulers on this machine are as many hosts to Nova.
    """
    return nova_config.CONTROL_HOST if service == CONDUCTOR else service


def workers(service: str, state: State) -> int:
    """How many processes a conductor or scheduler has.

    A stock scheduler has one: forked workers of Nova 34's share the
    connection to placement that their master has opened, and read each
    other's answers.
    """
    if schedulers(state).get(service) == STOCK:
        return 1
    option = f'{service.partition("-")[0]}.workers'
    return int(state.settings.get(option, ['1'])[-1])


def queue(service: str) -> str:
    """The queue of one conductor or scheduler alone."""
    return f'{service.partition("-")[0]}.{nova_host(service)}'


def _program(name: str, program: str, *aliases: str) -> Service:
    return Service(
        name, 'program', aliases=aliases, program=program,
        serves=partial(_consumed, name),
    )


def _consumed(name: str, state: State) -> bool:
    """Whether every worker of a program takes messages."""
    return broker.consumers(state, queue(name)) >= workers(name, state)
