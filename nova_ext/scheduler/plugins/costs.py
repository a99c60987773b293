"""Load the costs of ``[nova_ext] enabled_costs``, and add them up."""

import logging
from collections.abc import Sequence
from typing import Any

from nova_ext.core.base import errors
from nova_ext.plugin import MAX_COST, Cost, Facts
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.printable_error import build_exc_info
from nova_ext.scheduler.discovery import installed
from nova_ext.scheduler.discovery.plugin_failure import starting

NAMESPACE = 'nova_ext.costs'
OPTION = '[nova_ext] enabled_costs'
WEIGHTS = '[nova_ext] cost_weights'

LOG = logging.getLogger(__name__)


class HostCosts:
    """Add up the costs of a host.

    :param weighted: the enabled costs in the option's order, each with its
        factor in the sum.
    """

    def __init__(self, weighted: Sequence[tuple[Cost, int]]) -> None:
        self.weighted = weighted

    def add_up(self, host: Any, spec: Any) -> int:
        """Return a host's weighted sum, MAX_COST at most.

        :raises PluginError: naming a cost that raises, or returns anything
            but an integer from 0 to MAX_COST.
        """
        return min(MAX_COST, sum(
            weight * _get_cost(cost, host, spec)
            for cost, weight in self.weighted
        ))


def load(facts: Facts) -> HostCosts:
    """Load the costs that are enabled.

    :param facts: handed to every cost.
    :raises ConfigurationError: for an unknown name, one that stands there
        twice, a class that is no cost or refuses its options, or a weight of
        a cost that is not enabled.
    """
    group = options.CONF.nova_ext
    names, weights = group.enabled_costs, group.cost_weights
    known = installed.load_classes(NAMESPACE, Cost)
    for name in names:
        if name not in known:
            raise errors.ConfigurationError(
                OPTION, name, 'no such cost',
                errors.suggest_names(name, known),
            )
        if names.count(name) > 1:
            raise errors.ConfigurationError(
                OPTION, name, 'stands there twice',
                'name it once, and set its weight in cost_weights',
            )
    for name in weights:
        if name not in names:
            raise errors.ConfigurationError(
                WEIGHTS, name, 'no enabled cost',
                errors.suggest_names(name, names),
            )
    return HostCosts([
        (_make(name, known[name], facts), weights.get(name, 1))
        for name in names
    ])


def _make(name: str, cls: Any, facts: Facts) -> Cost:
    if not (isinstance(cls, type) and issubclass(cls, Cost)):
        raise errors.ConfigurationError(
            OPTION, name, 'no cost: not a subclass of '
            'nova_ext.plugin.Cost',
        )
    with starting(OPTION, name):
        return cls(options.for_plugin(cls), facts)


def _get_cost(cost: Cost, host: Any, spec: Any) -> int:
    """Return what a cost says of a host.

    :raises PluginError: where it says nothing that can be added up.
    """
    try:
        value = cost.get_cost(host, spec)
        # True would be an int, too.
        if type(value) is not int or not 0 <= value <= MAX_COST:
            raise ValueError(
                f'get_cost() returned {value!r:.99}, no integer from 0 to '
                f'{MAX_COST}'
            )
        return value
    except errors.FAILURES as error:
        failure = errors.PluginError('cost', type(cost).__name__, error)
        LOG.error('%s', failure, exc_info=build_exc_info(error))
        raise failure from error
