"""Roll up capabilities over hosts, services and zones, at any depth.

A summary says what values a capability has: ``{'min': 1, 'max': 8}`` for its
numbers, ``{'values': ['kvm', 'xen']}`` for its words, both keys where it has
both. A zone's capabilities are general ones, and those of its services::

    {'general': {'os': {'values': ['linux']}},
     'services': {'compute': {'cpu': {'min': 0.1, 'max': 3.5}}}}

Joining is associative, commutative and idempotent. So it does not matter by
which ways a zone's capabilities come, in which order, or how often.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, TypeVar

from nova_ext.core.stats.capabilities import MAX_VALUES, Capabilities

#: What values one capability has.
Summary = dict[str, Any]
#: Summaries by capability.
Summaries = Mapping[str, Summary]
#: ``general``: summaries; ``services``: summaries by service.
ZoneCapabilities = Mapping[str, Any]

#: Greater floats may stand for several integers.
_EXACT = 2**53

Value = TypeVar('Value')


def summarize(values: Iterable[str]) -> Summary:
    """Summarize the values of a capability, numbers apart from words."""
    summary: Summary = {}
    words = set()
    for value in values:
        number = _parse_number(value)
        if number is None:
            words.add(value)
        else:
            summary = join(summary, {'min': number, 'max': number})
    return join(summary, {'values': sorted(words)} if words else {})


def summarize_services(
    reports: Iterable[tuple[str, Capabilities]]
) -> dict[str, dict[str, Summary]]:
    """Roll up what services report.

    :param reports: service name and capabilities, one for each host.
    :returns: summaries by capability, by service. A capability without a
        value on any host is left out.
    """
    services: dict[str, dict[str, Summary]] = {}
    for service, capabilities in reports:
        services[service] = _join_by_key(services.get(service, {}), {
            key: summarize(values)
            for key, values in capabilities.items() if values
        }, join)
    return services


def cut_long(services: Mapping[str, dict[str, Summary]]) -> bool:
    """Take out capabilities with more words than one host may report.

    :param services: summaries by capability, by service.
    :returns: whether there was one.
    """
    is_cut = False
    for summaries in services.values():
        for key, summary in list(summaries.items()):
            if len(summary.get('values', ())) > MAX_VALUES:
                del summaries[key]
                is_cut = True
    return is_cut


def summarize_general(capabilities: Capabilities) -> dict[str, Summary]:
    """Return a zone's general capabilities, all of them words."""
    return {
        key: {'values': sorted(values)}
        for key, values in capabilities.items() if values
    }


def join(first: Summary, second: Summary) -> Summary:
    """Join two summaries of one capability."""
    joined: Summary = {
        name: choose(side[name] for side in (first, second) if name in side)
        for name, choose in (('min', min), ('max', max))
        if name in first or name in second
    }
    words = {*first.get('values', ()), *second.get('values', ())}
    return {**joined, 'values': sorted(words)} if words else joined


def join_zones(zones: Iterable[ZoneCapabilities]) -> ZoneCapabilities:
    """Join the capabilities of zones."""
    return reduce(_join_two_zones, zones, {'general': {}, 'services': {}})


def list_rows(services: Mapping[str, Summaries]) -> dict[str, str]:
    """Return services' capabilities for people to read; programs do not.

    :returns: ``min,max``, and words behind it joined by ``;``, by
        ``<service>_<capability>``, sorted.
    """
    return {
        f'{service}_{key}': _format(summary)
        for service, summaries in sorted(services.items())
        for key, summary in sorted(summaries.items())
    }


def _join_two_zones(
    first: ZoneCapabilities, second: ZoneCapabilities
) -> ZoneCapabilities:
    return {
        'general': _join_by_key(first['general'], second['general'], join),
        'services': _join_by_key(
            first['services'], second['services'],
            lambda one, other: _join_by_key(one, other, join),
        ),
    }


def _join_by_key(
    first: Mapping[str, Value], second: Mapping[str, Value],
    join_values: Callable[[Value, Value], Value],
) -> dict[str, Value]:
    joined = dict(first)
    for key, value in second.items():
        joined[key] = join_values(joined[key], value) if (
            key in joined
        ) else value
    return joined


def _format(summary: Summary) -> str:
    ends = [f'{summary["min"]},{summary["max"]}'] if 'min' in summary else []
    return ';'.join([*ends, *summary.get('values', ())])


def _parse_number(text: str) -> int | float | None:
    """Return a finite number, an integer where it is one; None: a word."""
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    whole = number.is_integer() and abs(number) < _EXACT
    return int(number) if whole else number
