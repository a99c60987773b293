"""Explain the filters that keep servers together, or apart."""

from collections.abc import Iterable, Sequence
from typing import Any

from nova_ext.scheduler.explainers.reason import HostExplainer, Reason

#: Servers or hosts that a reason names.
_NAMES = 3


def _anti_affinity(filter_: Any, spec: Any) -> HostExplainer:
    group = spec.instance_group
    members = set(group.members)
    most = (group.rules or {}).get('max_server_per_host', 1)

    def explain(host: Any) -> Reason:
        there = members.intersection(host.instances)
        return Reason(
            f'anti-affinity group may have {most} there',
            f'and has {_join_names(there)}',
        )

    return explain


def _affinity(hosts: Sequence[Any], filter_: Any, spec: Any) -> HostExplainer:
    group = spec.instance_group
    members = set(group.members)
    there = {
        host.host: sorted(members.intersection(host.instances))
        for host in hosts if host.host in group.hosts
    }
    reason = Reason('affinity group is not there', 'but on ' + _join_names(
        f'{name} ({_join_names(there[name], 1)})' if there.get(name) else name
        for name in group.hosts
    ))
    return lambda host: reason


def _different_host(filter_: Any, spec: Any) -> HostExplainer:
    unwanted = set(_get_hint_values(spec, 'different_host'))

    def explain(host: Any) -> Reason:
        there = unwanted.intersection(host.instances)
        return Reason('has a server of different_host', _join_names(there))

    return explain


def _same_host(filter_: Any, spec: Any) -> HostExplainer:
    servers = _join_names(_get_hint_values(spec, 'same_host'))
    reason = Reason(f'same_host: has none of {servers}')
    return lambda host: reason


def _near_address(filter_: Any, spec: Any) -> HostExplainer:
    near = spec.get_scheduler_hint('build_near_host_ip')
    mask = spec.get_scheduler_hint('cidr', '/24')
    return lambda host: Reason(
        f'address must be in {near}{mask}', f'and is {host.host_ip}'
    )


def _get_hint_values(spec: Any, hint: str) -> list[str]:
    servers = spec.get_scheduler_hint(hint)
    return [servers] if isinstance(servers, str) else list(servers)


def _join_names(names: Iterable[str], most: int = _NAMES) -> str:
    known = sorted(set(names))
    more = len(known) - most
    return ', '.join(known[:most]) + (f' and {more} more' * (more > 0))


EXPLAINERS = {
    'ServerGroupAntiAffinityFilter': _anti_affinity,
    'DifferentHostFilter': _different_host,
    'SameHostFilter': _same_host,
    'SimpleCIDRAffinityFilter': _near_address,
}

#: They take the host states that the filter took, before the filter.
AMONG_HOSTS = {
    'ServerGroupAffinityFilter': _affinity,
}
