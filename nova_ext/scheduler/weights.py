"""Weighers for nova-scheduler: ours, installed ones and Nova's, recorded.

One item brings them all, in a stock nova-scheduler too::

    [filter_scheduler]
    weight_classes = nova_ext.scheduler.weights.all_weighers,
        nova.scheduler.weights.affinity.ServerGroupSoftAffinityWeigher,
        nova.scheduler.weights.affinity.ServerGroupSoftAntiAffinityWeigher

Nova adds up whatever it is given, so a weigher that another item brings
already is left out here: none counts twice. The two others are there since
Nova's validate_weigher looks for their names, or for its own all_weighers,
before it lets servers into groups with a soft policy.
"""

import math
from typing import Any

from nova.scheduler import utils
from nova.scheduler import weights as nova_weights

from nova_ext.core import errors, extension, naming
from nova_ext.scheduler import enabled, options, recording, stock_sequence
from nova_ext.scheduler.adapter import Adapter

LINE = 'nova_ext.scheduler.weights.all_weighers'


def all_weighers() -> list[type[Any]]:
    """Return all weigher classes that no other line brings, each recording.

    :returns: subclasses of Nova's BaseHostWeigher: Nova's own in Nova's
        order, then those of the entry-point group nova_ext.weighers.
    :raises ConfigurationError: for a broken plugin, one whose name is
        taken, or when this function stands in the option twice.
    """
    elsewhere = _brought_elsewhere()
    chosen = [
        cls for name, cls in WeigherAdapter.load(
            nova_weights.all_weighers()
        ).items() if name not in elsewhere
    ]
    chosen[-1:] = map(recording.ending, chosen[-1:])
    stock_sequence.expect_weighers([cls.__name__ for cls in chosen])
    return chosen


class WeigherAdapter(Adapter, nova_weights.BaseHostWeigher):
    """Nova's side of a plugin weigher."""

    kind = 'weigher'
    contract = extension.Weigher
    nova_class = nova_weights.BaseHostWeigher
    namespace = 'nova_ext.weighers'
    option = enabled.WEIGHERS
    recording_class = recording.weigher_class

    def __init__(self) -> None:
        super().__init__()
        self._metadata_key = naming.multiplier_key(self.plugin_class.__name__)

    def weight_multiplier(self, host: Any) -> float:
        """The option's value, or that of the host's aggregates."""
        return float(
            utils.get_weight_multiplier(
                host, self._metadata_key, self.plugin.multiplier()
            )
        )

    def weigh_objects(self, weighed: Any, spec: Any) -> Any:
        """Weigh the hosts, unless it counts for none of them."""
        # Past the ending one, which would count these calls.
        multiplier = WeigherAdapter.weight_multiplier
        if not any(multiplier(self, each.obj) for each in weighed):
            return [0.0] * len(weighed)
        return super().weigh_objects(weighed, spec)

    def _weigh_object(self, host: Any, spec: Any) -> float:
        return float(self.ask(self._weigh, host, spec))

    def _weigh(self, host: Any, spec: Any) -> float:
        weight = float(self.plugin.weigh(host, spec))
        if not math.isfinite(weight):
            raise ValueError(f'weight {weight} is not finite')
        return weight


def _brought_elsewhere() -> set[str]:
    """Names of the weighers that other lines of the option bring."""
    lines = list(options.CONF.filter_scheduler.weight_classes)
    if lines.count(LINE) > 1:
        raise errors.ConfigurationError(
            enabled.WEIGHERS, LINE,
            'stands there twice, so that every weigher would count twice',
            'remove one of the two lines',
        )
    others = [line for line in lines if line != LINE]
    handler = nova_weights.HostWeightHandler()
    return {cls.__name__ for cls in handler.get_matching_classes(others)}
