"""Describe what a zone said to a question for offers, and its children."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib import metadata
from typing import Any

from nova_ext.nova_releases import plugins_and_options

OTHER = 'other'
#: What hosts may lack, and any zone's may.
_CODES = frozenset({
    'placement', OTHER, 'resource:VCPU', 'resource:PCPU',
    'resource:MEMORY_MB', 'resource:DISK_GB',
    *(f'filter:{name}' for name in (
        *plugins_and_options.FILTERS,
        *metadata.entry_points(group='nova_ext.filters').names,
    )),
})


@dataclass(frozen=True)
class ZoneReport:
    """Represent what one zone said, and what its child zones said.

    :param uuid: None: the zone has never answered.
    :param offers: how many it made of its own hosts; others may be cheaper.
    :param reason: a code: why there are not as many as were asked for, or why
        the zone was not asked; None: there are.
    :param was_asked: whether the question was sent to it.
    :param lacking: numbers of hosts that have no room, by code.
    :param held_until: when the first of held room goes, in seconds since
        1970, UTC.
    :param error: what went wrong, for operators of the zone that asked.
    """

    name: str
    uuid: str | None = None
    offers: int = 0
    reason: str | None = None
    was_asked: bool = True
    lacking: dict[str, int] = field(default_factory=dict)
    held_until: int | None = None
    error: str = ''
    zones: list['ZoneReport'] = field(default_factory=list)

    def to_dict(self, *, with_errors: bool) -> dict[str, Any]:
        """Return it as plain data.

        :param with_errors: whether the reader is an operator of this zone.
        """
        data = asdict(self)
        return data if with_errors else _remove_errors(data)

    def walk(self) -> Iterator['ZoneReport']:
        """Return this and all that are below it."""
        yield self
        for zone in self.zones:
            yield from zone.walk()


def redact(data: dict[str, Any]) -> dict[str, Any]:
    """Return a report as plain data, as members of a project may see it.

    What hosts of other zones lack is named by codes that this zone knows: a
    child zone may write anything there.
    """
    shown = _remove_errors(data)
    return {**shown, 'zones': [*map(_fold, shown['zones'])]}


def _remove_errors(data: dict[str, Any]) -> dict[str, Any]:
    return {
        **{name: value for name, value in data.items() if name != 'error'},
        'zones': [*map(_remove_errors, data['zones'])],
    }


def _fold(zone: dict[str, Any]) -> dict[str, Any]:
    """Count what a zone and those below lack by unknown codes as other."""
    lacking: Counter[str] = Counter()
    for code, count in zone['lacking'].items():
        lacking[code if code in _CODES else OTHER] += count
    return {
        **zone, 'lacking': dict(lacking),
        'zones': [*map(_fold, zone['zones'])],
    }
