"""The stats that a request asks for, in extra specs and hints.

``stats:load1='<= 8'`` asks for the stat ``ext:load1``, ``stats:free_ram_mb``
for the field of that name.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from nova_ext.core.request import scheduler_hints
from nova_ext.core.request.model import RequestSpec
from nova_ext.core.stats.requirement import Requirement, UnreadableError, parse
from nova_ext.core.stats.stats import EXTRA, FIELDS

PREFIX = 'stats:'


@dataclass(frozen=True)
class RequestedStat:
    """One requirement of one stat.

    :param key: as it was written, ``stats:load1``.
    :param stat: the stat's name, ``ext:load1``.
    :param written: the requirement as it was written.
    """

    key: str
    stat: str
    written: str
    requirement: Requirement


def stat_name(name: str) -> str:
    """Return the stat that a user means: a field, or ``ext:`` and the name."""
    return name if name in FIELDS else f'{EXTRA}{name}'


def requested_stats(
    request: RequestSpec, known: Collection[str]
) -> list[RequestedStat]:
    """Return what a request asks of stats, in extra specs and hints.

    :param known: the names that may be asked for, without a prefix.
    :raises UnreadableError: for a name that is not among them, or a
        requirement that can't be read.
    """
    return [_requested(key, text, known) for key, text in _given(request)]


def _requested(key: str, text: str, known: Collection[str]) -> RequestedStat:
    name = key.removeprefix(PREFIX)
    if name not in known:
        raise UnreadableError(f'{key}: [nova_ext_stats] names has no {name}')
    try:
        return RequestedStat(key, stat_name(name), text, parse(text))
    except UnreadableError as error:
        raise UnreadableError(f'{key}={error}') from None


def _given(request: RequestSpec) -> Iterator[tuple[str, str]]:
    if 'extra_specs' in request.flavor:
        for key, text in request.flavor.extra_specs.items():
            if key.startswith(PREFIX):
                yield key, text
    for key in scheduler_hints.names(request, PREFIX):
        for text in scheduler_hints.values(request, key):
            yield key, text
