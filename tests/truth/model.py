"""Describe a situation as data: what is arranged and asked, and the truth."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

#: The hosts of every lab, all of one size.
HOSTS = tuple(f'c{number}' for number in range(1, 11))
#: What a host offers to servers: processors, MiB and GiB.
VCPUS, MEMORY_MB, DISK_GB = 16, 16384, 200

#: Stages that are no filter.
PLACEMENT, REQUEST, CLAIM = 'placement', 'request', 'claim'

ALL = ' '.join(HOSTS)


def hosts(names: str) -> frozenset[str]:
    """Return the hosts of names with blanks between them."""
    return frozenset(names.split())


def others(names: str) -> str:
    """Return the names of all hosts but these."""
    return ' '.join(host for host in HOSTS if host not in hosts(names))


class Arrangement(Protocol):
    """Make one part of a situation.

    One with a ``fact`` makes that true of the hosts of its ``names``, one with
    ``ends`` makes it untrue.
    """

    def arrange(self, stage: Any) -> None:
        """Make it, and tell the stage how to undo it."""


class Ask(Protocol):
    """Ask Nova for a server, or for a move of one."""

    def ask(self, stage: Any) -> Any:
        """Return what was asked, when it has ended."""


@dataclass(frozen=True)
class Left:
    """Say which hosts left at a stage, and why.

    :param stage: PLACEMENT, REQUEST, CLAIM, or a filter's class name; two
        with a bar between them where the mode decides which one it is.
    :param names: of the hosts, with blanks between them; a number of hosts
        where it depends on chance which ones they are.
    :param causes: regular expressions; a reason has to match each of them.
    :param also: what is true of them as well, and need not be said.
    """

    stage: str
    names: str
    causes: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Return how many hosts they are."""
        return int(self.names) if self.is_number else len(hosts(self.names))

    @property
    def stages(self) -> frozenset[str]:
        """Return the stages that it may be."""
        return frozenset(self.stage.split('|'))

    @property
    def is_number(self) -> bool:
        """Say whether only the number of hosts is known."""
        return self.names.isdecimal()


@dataclass(frozen=True)
class Truth:
    """Say what became of every host.

    :param left: hosts that left, by stage and cause.
    :param passed: names of the hosts that were left, or their number; none
        for a failure.
    :param chosen: names of which one is chosen; empty: any that passed.
    :param end: regular expressions that the sentence has to match, where the
        cause is no host's: an error, or placement's refusal.
    :param notes: regular expressions that a note has to match.
    """

    left: tuple[Left, ...] = ()
    passed: str = ''
    chosen: str = ''
    end: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a truth that tells of a host twice, or not at all."""
        if self.end:
            return
        names = [
            name for part in self.left if not part.is_number
            for name in part.names.split()
        ]
        count = sum(part.count for part in self.left)
        if not self.passed.isdecimal():
            names += self.passed.split()
            count += len(self.passed.split())
        else:
            count += int(self.passed)
        if count != len(HOSTS) or len(set(names)) != len(names) or (
            not set(names) <= set(HOSTS)
        ):
            raise ValueError(f'{count} hosts are told: {names}')


def failed(*left: Left, end: Collection[str] = ()) -> Truth:
    """Return the truth of a request for which there was no host."""
    return Truth(left, end=tuple(end))


def placed(
    *left: Left, on: str = '', end: Collection[str] = (),
    notes: Collection[str] = (),
) -> Truth:
    """Return the truth of a request that got a host.

    :param on: names of which one is chosen; empty: any that did not leave.
    """
    if any(part.is_number for part in left):
        passed = str(len(HOSTS) - sum(part.count for part in left))
    else:
        passed = others(' '.join(part.names for part in left))
    return Truth(left, passed, on, tuple(end), tuple(notes))


@dataclass(frozen=True)
class Situation:
    """Describe a situation.

    :param name: what is told apart, in a few words.
    :param ask: what is asked when all is arranged.
    :param truth: what became of every host.
    :param arrange: what is arranged before, in this order.
    :param unseen: a stock nova-scheduler's filters can see nothing of it.
    :param configuration: the scheduler's, by name.
    :param at_once: it is asked before a mirror has read what is arranged.
    """

    name: str
    ask: Ask
    truth: Truth
    arrange: tuple[Arrangement, ...] = field(default=())
    unseen: bool = False
    configuration: str = 'usual'
    at_once: bool = False

    @property
    def now(self) -> 'Situation':
        """Return it with what was arranged since it was asked, too."""
        since = getattr(self.ask, 'arrange', ())
        return replace(self, arrange=(*self.arrange, *since))

    def list_facts(self, host: str = '') -> tuple[str, ...]:
        """Return what else is true of a host; without one, of any host.

        It may be said, and need not be.
        """
        if not host:
            return tuple(
                fact for each in HOSTS for fact in self.list_facts(each)
            )
        facts: dict[str, None] = {}
        for arrangement in self.arrange:
            if host not in hosts(getattr(arrangement, 'names', '')):
                continue
            if fact := getattr(arrangement, 'fact', ''):
                facts[fact] = None
            facts.pop(getattr(arrangement, 'ends', ''), None)
        return *facts, *(
            fact for part in self.truth.left for fact in part.also
            if not part.is_number and host in hosts(part.names)
        )
