"""Write a group of hosts with its reason as text."""

from nova_ext.core.explanation import host_counts
from nova_ext.core.explanation.host_counts import Group
from nova_ext.core.explanation.text_format import (
    MAX_NAMES,
    MAX_REASON,
    format_hosts,
    sanitize,
)


def format_group(group: Group) -> str:
    """Return a group as part of a sentence, its count first."""
    count = group.count
    reason = sanitize(_add_shared_detail(group), MAX_REASON)
    stage = sanitize(group.stage, MAX_REASON)
    if group.kind == host_counts.REFUSED:
        return f'{count} claim refused by placement ({reason})'
    if group.kind in (
        host_counts.UNASKED, host_counts.ABSENT, host_counts.FILLED,
        host_counts.UNANSWERED, host_counts.GIVEN_UP, host_counts.UNTRIED,
        host_counts.UNKNOWN,
    ):
        return f'{count} {reason or "not offered by placement"}'
    if group.kind == 'request':
        return f'{count} {reason or f"taken out by {stage}"} (request)'
    if reason:
        return f'{count} {reason} ({stage})'
    verb = 'left out' if group.kind == 'driver' else 'rejected'
    return f'{count} {verb} by {stage}'


def format_reason(group: Group) -> str:
    """Return a group's reason with the first few details and their hosts."""
    if not group.details or _get_shared_detail(group):
        return sanitize(_add_shared_detail(group))
    hosts_by_detail: dict[str, list[str]] = {}
    for host in sorted(group.details):
        hosts_by_detail.setdefault(group.details[host], []).append(host)
    parts = [
        f'{detail} ({format_hosts(hosts)})'
        for detail, hosts in hosts_by_detail.items()
    ]
    more = len(parts) - MAX_NAMES
    rest = [f'{more} more'] if more > 0 else []
    return sanitize(
        f'{group.reason} {"; ".join([*parts[:MAX_NAMES], *rest])}'
    )


def format_host_reasons(group: Group) -> dict[str, str]:
    """Return a group's reason by host; empty where all share one detail."""
    if _get_shared_detail(group):
        return {}
    return {
        host: sanitize(f'{group.reason} {detail}')
        for host, detail in group.details.items()
    }


def _add_shared_detail(group: Group) -> str:
    return f'{group.reason} {_get_shared_detail(group)}'.rstrip()


def _get_shared_detail(group: Group) -> str:
    """Return the detail that all hosts of a group share; '' for none."""
    details = set(group.details.values())
    return details.pop() if (
        len(details) == 1 and len(group.details) == group.count
    ) else ''
