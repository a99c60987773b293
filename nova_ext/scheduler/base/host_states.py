"""Identify, name and iterate over Nova's host states."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from operator import attrgetter
from typing import Any, Protocol, TypeVar, runtime_checkable

from nova_ext.core.decision import decision

#: A host and its node, by which Nova's host manager keeps host states. A
#: host may have several nodes.
HostKey = tuple[str, str]

#: Hosts between two pauses. Explaining this number takes under 1 ms.
HOSTS_PER_PAUSE = 100

T = TypeVar('T')


@runtime_checkable
class NamedHosts(Protocol):
    """Hold host states, and find them by name without reading all."""

    def find_missing(self, names: Sequence[str]) -> Set[str]:
        """Return those of the names that no host has.

        :param names: a list that is not changed.
        """

    def list_named(self, names: Set[str]) -> list[Any]:
        """Return the host states of these names."""


#: Return a host state's key. Not its ``id()``: rows of a table have none.
#: It is C code, as requests wait while thousands of hosts are looked up.
host_key: Callable[[Any], HostKey] = attrgetter('host', 'nodename')


def host_keys(hosts: Iterable[Any]) -> set[HostKey]:
    """Return the keys of host states."""
    return set(map(host_key, hosts))


def find_missing(hosts: Iterable[Any], names: Sequence[str]) -> Set[str]:
    """Return those of the names that no host has; see NamedHosts."""
    if isinstance(hosts, NamedHosts):
        return hosts.find_missing(names)
    return set(names).difference(host.host for host in hosts)


def name_host(host: Any) -> str:
    """Return a host state's name in the record."""
    return decision.name_host(*host_key(host))


def iterate_with_pauses(
    hosts: Iterable[T], every: int = HOSTS_PER_PAUSE
) -> Iterator[T]:
    """Yield the hosts, with a pause after each ``every`` of them.

    On eventlet, as Nova 31 runs, a long loop would stop the whole worker. On
    threads a pause takes some 20 µs. Do not use it while a request waits: in
    a pause, others may change what they share with it.
    """
    for position, host in enumerate(hosts):
        if position % every == 0:
            time.sleep(0)
        yield host
