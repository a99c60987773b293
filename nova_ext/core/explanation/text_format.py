"""Parts of sentences about hosts, fit for a terminal."""

from collections.abc import Sequence

from nova_ext.core.explanation import host_counts as t

#: Names that stand in one place.
NAMES = 5
#: Letters of one reason in a sentence.
REASON = 120


def clean(text: str, limit: int = 0) -> str:
    """Text without control characters, which users may have put into it.

    :param limit: letters to keep; 0: all.
    """
    safe = ''.join(
        letter if letter.isprintable() else '\N{REPLACEMENT CHARACTER}'
        for letter in ' '.join(text.split())
    )
    if limit and len(safe) > limit:
        return f'{safe[:limit - 1]}\N{HORIZONTAL ELLIPSIS}'
    return safe


def host_names(hosts: Sequence[str], count: int = 0) -> str:
    """The first few names, and how many more there are.

    :param count: how many hosts there are, if more than names.
    :returns: '' where no name is known.
    """
    shown = [clean(host, REASON) for host in hosts[:NAMES]]
    more = max(count, len(hosts)) - len(shown)
    if not shown:
        return ''
    return ', '.join(shown) + (f' and {more} more' if more else '')


def many(count: int, noun: str) -> str:
    """A number of things, such as ``1 host`` and ``2 hosts``."""
    return f'{count} {noun}{"" if count == 1 else "s"}'


def clause(group: t.Group) -> str:
    """A group as part of a sentence, its count first."""
    count, reason = group.count, clean(_with_shared(group), REASON)
    stage = clean(group.stage, REASON)
    if group.kind == t.REFUSED:
        return f'{count} claim refused by placement ({reason})'
    if group.kind in (t.ABSENT, t.UNTRIED, t.UNKNOWN):
        return f'{count} {reason or "not offered by placement"}'
    if group.kind == 'request':
        return f'{count} {reason or f"taken out by {stage}"} (request)'
    if reason:
        return f'{count} {reason} ({stage})'
    verb = 'left out' if group.kind == 'driver' else 'rejected'
    return f'{count} {verb} by {stage}'


def in_full(group: t.Group) -> str:
    """A group's reason with what was found on its hosts.

    What differs stands with the hosts it was found on, the first few of it.
    """
    if not group.details or _shared(group):
        return clean(_with_shared(group))
    hosts_by_detail: dict[str, list[str]] = {}
    for host in sorted(group.details):
        hosts_by_detail.setdefault(group.details[host], []).append(host)
    found = [
        f'{detail} ({host_names(hosts)})'
        for detail, hosts in hosts_by_detail.items()
    ]
    more = len(found) - NAMES
    rest = [f'{more} more'] if more > 0 else []
    return clean(f'{group.reason} {"; ".join([*found[:NAMES], *rest])}')


def each_in_full(group: t.Group) -> dict[str, str]:
    """By host, a group's reason with what was found there.

    Empty where the same was found on all of them.
    """
    if _shared(group):
        return {}
    return {
        host: clean(f'{group.reason} {detail}')
        for host, detail in group.details.items()
    }


def _with_shared(group: t.Group) -> str:
    return f'{group.reason} {_shared(group)}'.rstrip()


def _shared(group: t.Group) -> str:
    """What was found on each single host of a group alike."""
    found = set(group.details.values())
    return found.pop() if (
        len(found) == 1 and len(group.details) == group.count
    ) else ''
