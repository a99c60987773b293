"""Describe a build as lines of text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nova_ext.core.explanation.text_format import pluralize

#: States of items that have no server left.
_ENDED = ('failed', 'gone')
#: Reasons that are no zone's: a user has deleted the server, or the build's
#: time was over.
_NOT_REFUSED = ('deleted', 'timeout')


def summarize(build: Mapping[str, Any]) -> str:
    """Return the state of a build in one line."""
    counted = count_states(build['servers'])
    return ''.join((
        f'{build["name"]}: {build["state"]}',
        f': {build["message"]}' if build['message'] else '',
        f'; servers: {counted}' if counted else '',
    ))


def count_states(servers: Mapping[str, int]) -> str:
    """Return numbers of servers by state as text."""
    return ', '.join(
        f'{count} {state}' for state, count in sorted(servers.items())
    )


def list_zones(questions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each zone, those below another one indented.

    :param questions: what the zones said; the last one says why there are no
        more.
    """
    if questions:
        yield 'Zones:'
        totals: dict[tuple[str, ...], int] = {}
        for question in questions:
            _add_up(question, (), totals)
        yield from _describe_zone(questions[-1], (), totals)


def _add_up(
    zone: Mapping[str, Any], above: tuple[str, ...],
    totals: dict[tuple[str, ...], int],
) -> None:
    way = (*above, zone['name'])
    totals[way] = totals.get(way, 0) + zone['offers']
    for each in zone['zones']:
        _add_up(each, way, totals)


def _describe_zone(
    zone: Mapping[str, Any], above: tuple[str, ...],
    totals: Mapping[tuple[str, ...], int],
) -> Iterator[str]:
    way = (*above, zone['name'])
    line = [pluralize(totals[way], 'offer')]
    if not zone['was_asked']:
        line = ['not asked']
    if zone['reason']:
        line.append(zone['reason'])
    if zone.get('error'):
        line.append(zone['error'])
    if zone['lacking']:
        line.append('hosts: ' + ', '.join(
            f'{count} {code}' for code, count in sorted(
                zone['lacking'].items()
            )
        ))
    yield f'{"  " * len(way)}{zone["name"]}: {"; ".join(line)}'
    for each in zone['zones']:
        yield from _describe_zone(each, way, totals)


def list_refused(items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each offer that was taken, and refused."""
    refused = [
        item for item in items if item['state'] in _ENDED and item['reason']
        and item['reason'] not in _NOT_REFUSED
        # Otherwise there was no offer.
        and item['zone']
    ]
    if refused:
        yield 'Offers that were taken, and refused:'
    for item in refused:
        cost = '' if item['cost'] is None else f', cost {item["cost"]}'
        yield (
            f'  {item["updated_at"]}: zone {item["zone"]}: server '
            f'{item["number"]}, attempt {item["attempt"]}{cost}: '
            f'{item["reason"]}'
        )
