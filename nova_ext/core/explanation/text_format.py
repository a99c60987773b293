"""Format parts of sentences about hosts, fit for a terminal."""

from collections.abc import Sequence

from nova_ext.core.explanation import host_counts
from nova_ext.core.explanation.host_counts import Group

#: Names that are listed in one place.
MAX_NAMES = 5
#: Characters of one reason in a sentence.
MAX_REASON = 120


def sanitize(text: str, limit: int = 0) -> str:
    """Replace control characters, which users may have put into a text.

    :param limit: characters to keep; 0: all.
    """
    safe = ''.join(
        letter if letter.isprintable() else '\N{REPLACEMENT CHARACTER}'
        for letter in ' '.join(text.split())
    )
    if limit and len(safe) > limit:
        return f'{safe[:limit - 1]}\N{HORIZONTAL ELLIPSIS}'
    return safe


def format_hosts(hosts: Sequence[str], count: int = 0) -> str:
    """Return the first few names, and how many more there are.

    :param count: number of hosts, if there are more than names.
    :returns: '' where no name is known.
    """
    shown = [sanitize(host, MAX_REASON) for host in hosts[:MAX_NAMES]]
    more = max(count, len(hosts)) - len(shown)
    if not shown:
        return ''
    return ', '.join(shown) + (f' and {more} more' if more else '')


def pluralize(count: int, noun: str) -> str:
    """Return ``1 host`` or ``2 hosts``."""
    return f'{count} {noun}{"" if count == 1 else "s"}'


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
    """Return a group's reason by host; empty if all share one detail."""
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
