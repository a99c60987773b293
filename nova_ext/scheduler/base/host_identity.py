"""What a host state is known by, and what it is called."""

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from nova_ext.core.decision import decision as d

#: A host and its node: what Nova's host manager knows a host state by. A
#: host may have several nodes.
HostKey = tuple[str, str]

#: Return a host state's key. Not its ``id()``: rows of a table have none.
#: It is C code, as requests wait while thousands of hosts are looked up.
host_key: Callable[[Any], HostKey] = attrgetter('host', 'nodename')


def host_keys(hosts: Iterable[Any]) -> set[HostKey]:
    """Return the keys of host states."""
    return set(map(host_key, hosts))


def label(host: Any) -> str:
    """Return a host state's name in the record.

    See :func:`nova_ext.core.decision.decision.label`.
    """
    return d.label(*host_key(host))
