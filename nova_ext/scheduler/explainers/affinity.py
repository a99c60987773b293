"""Servers that must share a host, or must not."""

from collections.abc import Iterable, Sequence
from typing import Any

from nova_ext.scheduler.explainers.reason import Explain, Reason

#: Servers or hosts that a reason names.
_NAMES = 3


def _anti_affinity(filter_: Any, spec: Any) -> Explain:
    group = spec.instance_group
    members = set(group.members)
    most = (group.rules or {}).get('max_server_per_host', 1)

    def why(host: Any) -> Reason:
        there = members.intersection(host.instances)
        return Reason(
            f'anti-affinity group may have {most} there',
            f'and has {_listed(there)}',
        )

    return why


def _affinity(hosts: Sequence[Any], filter_: Any, spec: Any) -> Explain:
    group = spec.instance_group
    members = set(group.members)
    there = {
        host.host: sorted(members.intersection(host.instances))
        for host in hosts if host.host in group.hosts
    }
    reason = Reason('affinity group is not there', 'but on ' + _listed(
        f'{name} ({_listed(there[name], 1)})' if there.get(name) else name
        for name in group.hosts
    ))
    return lambda host: reason


def _different_host(filter_: Any, spec: Any) -> Explain:
    unwanted = set(_hinted(spec, 'different_host'))

    def why(host: Any) -> Reason:
        there = unwanted.intersection(host.instances)
        return Reason('has a server of different_host', _listed(there))

    return why


def _same_host(filter_: Any, spec: Any) -> Explain:
    reason = Reason(
        f'same_host: has none of {_listed(_hinted(spec, "same_host"))}'
    )
    return lambda host: reason


def _near_address(filter_: Any, spec: Any) -> Explain:
    near = spec.get_scheduler_hint('build_near_host_ip')
    mask = spec.get_scheduler_hint('cidr', '/24')
    return lambda host: Reason(
        f'address must be in {near}{mask}', f'and is {host.host_ip}'
    )


def _hinted(spec: Any, hint: str) -> list[str]:
    servers = spec.get_scheduler_hint(hint)
    return [servers] if isinstance(servers, str) else list(servers)


def _listed(names: Iterable[str], most: int = _NAMES) -> str:
    known = sorted(set(names))
    more = len(known) - most
    return ', '.join(known[:most]) + (f' and {more} more' * (more > 0))


EXPLAINERS = {
    'ServerGroupAntiAffinityFilter': _anti_affinity,
    'DifferentHostFilter': _different_host,
    'SameHostFilter': _same_host,
    'SimpleCIDRAffinityFilter': _near_address,
}

#: These are given, before the filter, the host states that it was given.
AMONG_HOSTS = {
    'ServerGroupAffinityFilter': _affinity,
}
