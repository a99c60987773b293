"""Find the hosts that are lost together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nova_ext.core.base.errors import NovaExtError

#: Words that stand before a name, and how each is asked for.
KINDS = ('aggregate', 'zone', 'rack')
ANY_HOST, ANY_RACK = 'any-host', 'any-rack'


def find(
    compute: Any, wanted: Sequence[str], rack_key: str
) -> dict[str, list[str]]:
    """Return lists of hosts, each lost for itself, by what is lost.

    :param compute: of openstacksdk.
    :param wanted: names of hosts; a kind and a name; or ``any-…``.
    :param rack_key: key of aggregates' metadata that names a rack.
    :raises NovaExtError: for what the cloud does not have.
    """
    kind, *names = wanted
    if kind in (ANY_HOST, ANY_RACK):
        if names:
            raise NovaExtError(f'{kind} takes no name: {" ".join(names)}')
        if kind == ANY_HOST:
            return {host: [host] for host in _list_hosts(compute)}
        return _check(
            _list_racks(compute, rack_key),
            f'no aggregate has the metadata key {rack_key}; --rack-key names '
            f'another',
        )
    if kind not in KINDS:
        return {', '.join(wanted): list(wanted)}
    if len(names) != 1:
        raise NovaExtError(f'write one name behind {kind}')
    listed = {
        'aggregate': lambda: _list_aggregates(compute),
        'zone': lambda: _list_zones(compute),
        'rack': lambda: _list_racks(compute, rack_key),
    }[kind]()
    hosts = _check(
        listed.get(names[0]),
        f'there is no {kind} {names[0]} with hosts; there are '
        f'{", ".join(sorted(listed)) or "none"}',
    )
    return {f'{kind} {names[0]}': hosts}


def _check(listed: Any, error: str) -> Any:
    if not listed:
        raise NovaExtError(error)
    return listed


def _list_hosts(compute: Any) -> list[str]:
    return sorted(
        service.host for service in compute.services(binary='nova-compute')
    )


def _list_aggregates(compute: Any) -> dict[str, list[str]]:
    return _group(
        (aggregate.name, aggregate.hosts or ())
        for aggregate in compute.aggregates()
    )


def _list_zones(compute: Any) -> dict[str, list[str]]:
    return _group(
        (service.availability_zone, [service.host])
        for service in compute.services(binary='nova-compute')
    )


def _list_racks(compute: Any, key: str) -> dict[str, list[str]]:
    return _group(
        (aggregate.metadata[key], aggregate.hosts or ())
        for aggregate in compute.aggregates()
        if key in (aggregate.metadata or {})
    )


def _group(
    pairs: Iterable[tuple[str, Iterable[str]]]
) -> dict[str, list[str]]:
    """Return hosts by name, sorted; names without hosts are left out."""
    groups: Mapping[str, set[str]] = defaultdict(set)
    for name, hosts in pairs:
        groups[name].update(hosts)
    return {
        name: sorted(hosts) for name, hosts in sorted(groups.items()) if hosts
    }
