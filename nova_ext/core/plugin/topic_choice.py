"""Choose among the hosts whose service of a topic reports.

As for servers, filters reject hosts and weighers order the others. Their
answers become part of the decision.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.core.base.errors import FAILURES, PluginError
from nova_ext.core.decision.decision import (
    Attempt,
    Step,
    Weighing,
    group_rejections,
)
from nova_ext.core.decision.weigher_contributions import normalize
from nova_ext.core.plugin import evaluation
from nova_ext.core.plugin.answers import MAX_LETTERS
from nova_ext.core.stats.capabilities import Capabilities

#: Hosts of a ranking that a decision names.
MAX_RANKED = 10


@dataclass(frozen=True)
class ServiceHost:
    """Represent a host of a topic other than compute.

    :param host: its name.
    :param capabilities: what its service reports.
    """

    host: str
    capabilities: Capabilities

    def get_number(self, key: str, default: float = 0.0) -> float:
        """Return a capability's first value as a number.

        :param default: returned where it is absent, or no number.
        """
        values = self.capabilities.get(key, ())
        try:
            return float(values[0]) if values else default
        except ValueError:
            return default


@dataclass(frozen=True)
class Choice:
    """Represent the hosts that a chooser chose.

    :param hosts: every host that fits, best first.
    :param reason: one sentence, as ``nova-ext explain`` has it.
    """

    hosts: Sequence[str]
    reason: str


def choose(
    attempt: Attempt, hosts: Sequence[ServiceHost],
    request: Mapping[str, Any], filters: Sequence[Any],
    weighers: Sequence[Any],
) -> list[str]:
    """Filter and weigh hosts.

    :param attempt: gets the answers of each filter and weigher.
    :returns: the hosts that passed, best first; hosts of equal weight keep
        their order.
    :raises PluginError: for a filter or weigher that raises, or returns
        no verdict or finite weight.
    """
    passed = list(hosts)
    for position, filter_ in enumerate(filters, 1):
        passed = _filter(attempt, filter_, passed, request)
        if not passed:
            attempt.unasked = [type(f).__name__ for f in filters[position:]]
            break
    attempt.weighers = [
        _weigh(weigher, passed, request) for weigher in weighers
    ]
    total = dict.fromkeys((host.host for host in passed), 0.0)
    for weighing in attempt.weighers:
        for host, weight in normalize(weighing.weights).items():
            total[host] += weighing.multipliers[host] * weight
    ranked = sorted(total, key=lambda host: -total[host])
    attempt.ranked, attempt.ranked_count = ranked[:MAX_RANKED], len(ranked)
    attempt.equal = list(total.values()).count(
        max(total.values(), default=0.0)
    )
    return ranked


def _filter(
    attempt: Attempt, filter_: Any, hosts: Sequence[ServiceHost],
    request: Mapping[str, Any],
) -> list[ServiceHost]:
    name = type(filter_).__name__
    try:
        verdicts = evaluation.check_each(filter_, hosts, request)
    except FAILURES as error:
        raise PluginError('filter', name, error) from error
    passed, rejected, details = [], [], {}
    for host, verdict in zip(hosts, verdicts, strict=True):
        if verdict.passed:
            passed.append(host)
        else:
            rejected.append((host.host, verdict.reason[:MAX_LETTERS]))
            details[host.host] = verdict.detail[:MAX_LETTERS]
    attempt.steps.append(Step(
        name, 'filter', len(hosts), len(passed),
        group_rejections(rejected, details), str(filter_.reasons_for),
    ))
    return passed


def _weigh(
    weigher: Any, hosts: Sequence[ServiceHost], request: Mapping[str, Any]
) -> Weighing:
    name = type(weigher).__name__
    try:
        weights = dict(zip(
            (host.host for host in hosts),
            evaluation.weigh_each(weigher, hosts, request), strict=True,
        ))
        multiplier = float(weigher.get_multiplier())
        if not math.isfinite(multiplier):
            raise ValueError(f'multiplier {multiplier} is not finite')
    except FAILURES as error:
        raise PluginError('weigher', name, error) from error
    return Weighing(name, weights, dict.fromkeys(weights, multiplier))
