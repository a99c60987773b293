"""Choosing among the hosts whose service of a topic reports.

As Nova chooses for servers: filters let hosts go, weighers order those that
are left. What each of them says becomes part of the decision.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.core.base.errors import ExtensionError
from nova_ext.core.decision import decision as d
from nova_ext.core.decision import weigher_contributions
from nova_ext.core.plugin.verdict import Verdict
from nova_ext.core.stats.capabilities import Capabilities

#: Hosts of a ranking that a decision names.
RANKED = 10


@dataclass(frozen=True)
class ServiceHost:
    """What filters and weighers of a topic are asked about.

    :param host: its name.
    :param capabilities: what its service reports.
    """

    host: str
    capabilities: Capabilities

    def number(self, key: str, default: float = 0.0) -> float:
        """A capability's first value as a number.

        :param default: for one that is not reported, or is no number.
        """
        values = self.capabilities.get(key, ())
        try:
            return float(values[0]) if values else default
        except ValueError:
            return default


@dataclass(frozen=True)
class Choice:
    """What was chosen.

    :param hosts: every host that fits, best first.
    :param why: one sentence, as ``nova-ext explain`` has it.
    """

    hosts: Sequence[str]
    why: str


def choose(
    made: d.Attempt, hosts: Sequence[ServiceHost],
    request: Mapping[str, Any], filters: Sequence[Any],
    weighers: Sequence[Any],
) -> list[str]:
    """Filter and weigh.

    :param made: is filled with what each of them says.
    :param filters: of the topic, see :mod:`nova_ext.core.extension`.
    :param weighers: of the topic.
    :returns: the hosts that passed, best first; those of equal weight in
        the order in which they were given.
    :raises ExtensionError: for one that raises, or gives no verdict or
        weight.
    """
    left = list(hosts)
    for place, one in enumerate(filters):
        left = _filtered(made, one, left, request)
        if not left:
            made.unasked = [type(f).__name__ for f in filters[place + 1:]]
            break
    made.weighers = [_weighed(one, left, request) for one in weighers]
    total = dict.fromkeys((host.host for host in left), 0.0)
    for said in made.weighers:
        for host, normalised in weigher_contributions.normalise(said.weights).items():
            total[host] += said.multipliers[host] * normalised
    ranked = sorted(total, key=lambda host: -total[host])
    made.ranked, made.ranked_count = ranked[:RANKED], len(ranked)
    made.equal = list(total.values()).count(max(total.values(), default=0.0))
    return ranked


def _filtered(
    made: d.Attempt, one: Any, hosts: Sequence[ServiceHost],
    request: Mapping[str, Any],
) -> list[ServiceHost]:
    left, gone, details = [], [], {}
    for host in hosts:
        try:
            answer = one.check(host, request)
            if not isinstance(answer, Verdict):
                raise TypeError('check() returned no verdict')
        except Exception as error:
            raise ExtensionError(
                'filter', type(one).__name__, error
            ) from error
        if answer.passed:
            left.append(host)
        else:
            gone.append((host.host, answer.reason))
            details[host.host] = answer.detail
    made.steps.append(d.Step(
        type(one).__name__, 'filter', len(hosts), len(left),
        d.rejections(gone, details),
    ))
    return left


def _weighed(
    one: Any, hosts: Sequence[ServiceHost], request: Mapping[str, Any]
) -> d.Weighing:
    try:
        raw = {host.host: float(one.weigh(host, request)) for host in hosts}
        multiplier = float(one.multiplier())
        if not all(map(math.isfinite, (multiplier, *raw.values()))):
            raise ValueError('a weight is not finite')
    except Exception as error:
        raise ExtensionError('weigher', type(one).__name__, error) from error
    return d.Weighing(
        type(one).__name__, raw, dict.fromkeys(raw, multiplier)
    )
