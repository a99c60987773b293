"""Name members of a server group that were scheduled at the same time.

Nova's scheduler sees a member on its host once nova-compute has begun to
build it. Of two that are scheduled at once neither sees the other:
nova-compute then refuses one, or both stay on one host if the policy is soft.
"""

from collections.abc import Iterable
from datetime import timedelta

from nova_ext.core.decision.decision import PASSED, PLACED, Decision
from nova_ext.core.decision.placement_diagnosis import parse_time
from nova_ext.core.explanation.text_format import format_hosts, pluralize

#: Time within which members may not have seen each other.
WITHIN = timedelta(seconds=60)
ONE_SCHEDULER = 'other schedulers may have placed more'


def get_group(decision: Decision) -> str:
    """Return the UUID of the group that a request names; empty for none."""
    group = (decision.request.get('hints') or {}).get('group', '')
    return str(group[0] if isinstance(group, list) and group else group or '')


def describe_in_flight(
    decision: Decision, others: Iterable[Decision], *, hosts: bool = True,
    remark: str = '',
) -> list[str]:
    """Return a note on members that were scheduled at the same time.

    :param others: decisions on members of the group, of other requests, too.
    :param hosts: name their hosts, for operators.
    :param remark: what limits the others that are known.
    """
    own = _list_hosts(decision)
    members = {
        server: host for other in others
        if other.request_id != decision.request_id
        and get_group(other) == get_group(decision)
        and _is_near(decision, other)
        for server, host in _list_hosts(other).items()
    }
    if decision.outcome not in (PLACED, PASSED) or not members:
        return []
    shared = set(own.values()).intersection(members.values())
    named = [f'{server} on {host}' for server, host in members.items()]
    parts = [
        f'{pluralize(len(members), "other server")} of its group got hosts '
        f'within {WITHIN.seconds} s, when the scheduler may not have seen '
        f'them there{f": {format_hosts(named)}" if hosts else ""}',
        f'{format_hosts(sorted(shared))} got several'
        if hosts and shared else '',
        remark,
    ]
    return ['; '.join(filter(None, parts))]


def _list_hosts(decision: Decision) -> dict[str, str]:
    """Return the chosen hosts by server."""
    return {
        server: hosts[0] for server, hosts in decision.chosen.items() if hosts
    }


def _is_near(decision: Decision, other: Decision) -> bool:
    try:
        distance = parse_time(decision.at) - parse_time(other.at)
    except (ValueError, OverflowError):
        return False
    return abs(distance) <= WITHIN
