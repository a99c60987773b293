"""Format parts of sentences about hosts, fit for a terminal."""

from collections.abc import Sequence

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
