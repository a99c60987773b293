"""Tell which hosts a request did not ask for, as it names its host.

``--host``, ``zone:host`` and a move to a host ask placement for one host
alone (nova.scheduler.utils.resources_from_request_spec).
"""

from collections.abc import Collection

from nova_ext.core.decision.decision import Decision, Rejection, name_host

_HOSTS, _NODES = (
    ('requested_host', 'force_hosts'), ('requested_node', 'force_nodes')
)
#: Fields of a decision's request that name its host, or the host's node.
FIELDS = (*_HOSTS, *_NODES)

UNASKED = 'not asked for'


def is_named(decision: Decision, host: str) -> bool:
    """Say whether the request names a host, or its node."""
    return host in _list_names(decision, _HOSTS) or any(
        name_host(host, node) == host
        for node in _list_names(decision, _NODES)
    )


def split_absent(
    decision: Decision
) -> tuple[Rejection | None, list[Rejection]]:
    """Split the hosts that the scheduler did not see.

    :returns: those that the request did not ask for, None if it names no
        host; and all others by reason, ``kept_out`` and then ``absent``.
    """
    groups = [*decision.kept_out]
    if decision.absent is not None:
        groups.append(decision.absent)
    if not groups or not _list_names(decision, FIELDS):
        return None, groups
    named = [_keep_named(decision, group) for group in groups]
    names = [
        host for group in groups for host in group.hosts
        if not is_named(decision, host)
    ]
    seen = decision.attempts and decision.attempts[0].hosts_in
    if decision.placement and not seen and not _count(named):
        # One of them is the host, whose name was cut, or is not the node's.
        named[-1].count, names = min(1, groups[-1].count), []
    return Rejection(UNASKED, _count(groups) - _count(named), names), named


def _list_names(
    decision: Decision, fields: Collection[str]
) -> list[str]:
    names: list[str] = []
    for field in fields:
        value = decision.request.get(field) or []
        names += map(str, value if isinstance(value, list) else [value])
    return names


def _keep_named(decision: Decision, group: Rejection) -> Rejection:
    """Return the hosts of a group that the request names."""
    hosts = [host for host in group.hosts if is_named(decision, host)]
    return Rejection(group.reason, len(hosts), hosts, {
        host: group.details[host] for host in hosts if host in group.details
    })


def _count(groups: Collection[Rejection]) -> int:
    return sum(max(0, group.count) for group in groups)
