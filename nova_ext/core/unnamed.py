"""A decision as a project's member may see it: no host is named in it.

Hosts have numbers in place of names, in the order in which the decision ranks
them; a number says nothing about another decision. What was found on a host,
how much it weighed, what operators wrote and which aggregates there are stays
with the operator.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from nova_ext.core import decision as d
from nova_ext.core import placement_query
from nova_ext.core.asked_again import AskedAgain

#: What a reason names in place of a host that has no number.
HOST = 'a host'

#: Why the request itself takes hosts out, by field of the request spec.
_BY_REQUEST = {
    'force_hosts': 'another host is forced',
    'requested_destination': 'another host is the destination',
    'ignore_hosts': 'host is to be left',
}
#: Fields of a request that hold names of hosts.
_NAMING = ('force_hosts', 'force_nodes', 'ignore_hosts', 'requested_host')

#: Fields of a request that hold words of the one who asked.
_ASKED = ('hints', 'availability_zone')

#: What a reason may name: a host, a node, or their names with a domain.
_WORD = re.compile(r'\w[\w.-]*\w|\w')


def unnamed(decision: d.Decision) -> d.Decision:
    """Make a copy without names of hosts.

    :returns: a decision whose counts are the same, and whose explanation is
        fit for whoever may see the server.
    """
    names = _Names(decision)
    return replace(
        decision,
        by={
            name: decision.by[name] for name in ('rung', 'driver', 'changes')
            if name in decision.by
        },
        request={
            name: names.numbers(_listed(value)) if name in _NAMING else value
            for name, value in decision.request.items()
        },
        prefilters=None,
        placement=decision.placement and replace(
            decision.placement,
            query=placement_query.public(decision.placement.query),
        ),
        absent=decision.absent and _counted(
            decision.absent, names.none(decision.absent.reason)
        ),
        kept_out=[
            _counted(one, names.none(one.reason)) for one in decision.kept_out
        ],
        attempts=[_attempt(each, names) for each in decision.attempts],
        claims=[
            replace(claim, host=names.number(claim.host))
            for claim in decision.claims
        ],
        chosen={
            server: names.numbers(hosts)
            for server, hosts in decision.chosen.items()
        },
        message='' if decision.outcome == d.FAILED else names.none(
            decision.message
        ),
        seconds=0.0,
        stages={},
        asked_again=decision.asked_again and _asked_again(
            decision.asked_again
        ),
    )


class _Names:
    """Numbers of hosts, and all names that a text could hold.

    :param decision: with its names.
    """

    def __init__(self, decision: d.Decision) -> None:
        self._numbers: dict[str, str] = {}
        self._words = {
            word.lower() for name in _all_names(decision)
            for word in _spellings(name)
        } - {
            # What the one who asked wrote shows nothing, and whether it is
            # there is not to be told from whether it is left out.
            word.lower() for name in _ASKED
            for text in _texts(decision.request.get(name))
            for word in _WORD.findall(text)
        }
        for hosts in decision.chosen.values():
            self.numbers(hosts)
        for attempt in decision.attempts:
            self.numbers(attempt.ranked)

    def number(self, name: str) -> str:
        """A host's number; that of a host's node begins with the host's."""
        if name == d.UNKNOWN_HOST:
            return name
        if name not in self._numbers:
            host, _, node = name.partition('/')
            begin = f'{self.number(host)}/node ' if node else 'host '
            used = sum(
                number.startswith(begin) and '/' not in number[len(begin):]
                for number in self._numbers.values()
            )
            self._numbers[name] = f'{begin}{used + 1}'
        return self._numbers[name]

    def numbers(self, names: Iterable[str]) -> list[str]:
        """The numbers of some hosts."""
        return [self.number(name) for name in names]

    def none(self, text: str) -> str:
        """A text in which no host is named."""
        return _WORD.sub(
            lambda word: (
                HOST if word[0].lower() in self._words else word[0]
            ), text,
        )


def _attempt(attempt: d.Attempt, names: _Names) -> d.Attempt:
    return replace(
        attempt,
        steps=[_step(step, names) for step in attempt.steps],
        weighers=[
            d.Weighing(
                weighing.name, {}, {}, without=names.numbers(weighing.without)
            ) for weighing in attempt.weighers
        ],
        ranked=names.numbers(attempt.ranked),
        draw=attempt.draw and _draw(attempt.draw, names),
        absent_stats=[
            _counted(one, names.none(one.reason))
            for one in attempt.absent_stats
        ],
    )


def _draw(draw: d.Draw, names: _Names) -> d.Draw:
    # Their order tells how much each weighed, with the seed and without it.
    return d.Draw(
        sorted(names.numbers(draw.hosts)), draw.count,
        by_driver=draw.by_driver,
    )


def _step(step: d.Step, names: _Names) -> d.Step:
    def reason(of: d.Rejection) -> str:
        if step.kind == 'request':
            return _BY_REQUEST.get(step.name, '')
        # A driver tells of its rules, which the operator wrote.
        return '' if step.kind == 'driver' else names.none(of.reason)

    return replace(
        step, rejections=[_counted(of, reason(of)) for of in step.rejections]
    )


def _counted(rejection: d.Rejection, reason: str) -> d.Rejection:
    return d.Rejection(reason, rejection.count)


def _asked_again(found: AskedAgain) -> AskedAgain:
    return replace(
        found, query=placement_query.public(found.query),
        without=list(dict.fromkeys(
            map(placement_query.public_words, found.without)
        )),
    )


def _all_names(decision: d.Decision) -> Iterator[str]:
    for rejection in _all_rejections(decision):
        yield from rejection.hosts
        yield from rejection.details
    for field in _NAMING:
        yield from _listed(decision.request.get(field))
    for hosts in decision.chosen.values():
        yield from hosts
    for claim in decision.claims:
        yield claim.host
    for attempt in decision.attempts:
        yield from attempt.ranked
        yield from attempt.draw.hosts if attempt.draw else ()
        for weighing in attempt.weighers:
            yield from weighing.weights
            yield from weighing.without


def _all_rejections(decision: d.Decision) -> Iterator[d.Rejection]:
    if decision.absent is not None:
        yield decision.absent
    yield from decision.kept_out
    for attempt in decision.attempts:
        yield from attempt.absent_stats
        for step in attempt.steps:
            yield from step.rejections


def _spellings(name: str) -> Iterator[str]:
    """A host's name as a reason may spell it: without its domain, too."""
    for part in name.split('/'):
        yield part
        short = part.partition('.')[0]
        if not short.isdigit():
            yield short


def _listed(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value] * bool(value)
    return [str(one) for one in values]


def _texts(value: Any) -> Iterator[str]:
    """All texts within plain data."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
    elif value is not None:
        yield str(value)
