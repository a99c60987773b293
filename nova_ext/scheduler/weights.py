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
from functools import cache
from typing import Any

from nova.scheduler import utils
from nova.scheduler import weights as nova_weights

from nova_ext.core import errors, extension, naming
from nova_ext.core.decision import COMPUTE
from nova_ext.scheduler import (
    enabled,
    facts,
    installed,
    options,
    recording,
    release,
    stock_sequence,
)
from nova_ext.scheduler.filters import failed

NAMESPACE = 'nova_ext.weighers'
LINE = 'nova_ext.scheduler.weights.all_weighers'


def all_weighers() -> list[type[Any]]:
    """All weigher classes that no other line brings, each recording.

    :returns: subclasses of Nova's BaseHostWeigher: Nova's own in Nova's
        order, then those of the entry-point group nova_ext.weighers.
    :raises ConfigurationError: for a broken plugin, or when this function
        stands in the option twice.
    """
    release.warn()
    elsewhere = _brought_elsewhere()
    found = installed.of_topic(
        COMPUTE, NAMESPACE, extension.Weigher, nova_weights.BaseHostWeigher
    )
    classes = [
        recording.weigher_class(cls) for cls in nova_weights.all_weighers()
    ] + [adapt(cls) for cls in found.values()]
    chosen = [cls for cls in classes if cls.__name__ not in elsewhere]
    chosen[-1:] = map(recording.ending, chosen[-1:])
    stock_sequence.expect_weighers([cls.__name__ for cls in chosen])
    return chosen


@cache
def adapt(cls: Any) -> Any:
    """Make a weigher class of Nova's kind out of a plugin class.

    :param cls: a subclass of :class:`nova_ext.core.extension.Weigher`, or
        of Nova's own BaseHostWeigher.
    :raises ConfigurationError: for any other class.
    """
    if issubclass(cls, nova_weights.BaseHostWeigher):
        return recording.weigher_class(cls)
    if not issubclass(cls, extension.Weigher):
        raise errors.ConfigurationError(
            f'entry point {NAMESPACE}', cls.__name__,
            'no weigher: not a subclass of nova_ext.core.extension.Weigher',
        )
    return recording.weigher_class(
        type(
            cls.__name__, (_PluginWeigher,),
            {
                '__module__': cls.__module__,
                '__doc__': cls.__doc__,
                'plugin_class': cls,
            },
        )
    )


class _PluginWeigher(nova_weights.BaseHostWeigher):
    """Nova's side of a plugin weigher."""

    plugin_class: type[extension.Weigher]

    def __init__(self) -> None:
        cls = self.plugin_class
        try:
            self.plugin = cls(options.of(cls), facts.get())
        except Exception as error:
            raise errors.ConfigurationError(
                enabled.WEIGHERS, cls.__name__,
                f'does not start: {type(error).__name__}: {error}',
            ) from error
        self._metadata_key = naming.multiplier_key(cls.__name__)

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
        multiplier = _PluginWeigher.weight_multiplier
        if not any(multiplier(self, each.obj) for each in weighed):
            return [0.0] * len(weighed)
        return super().weigh_objects(weighed, spec)

    def _weigh_object(self, host: Any, spec: Any) -> float:
        try:
            weight = float(self.plugin.weigh(host, spec))
            if not math.isfinite(weight):
                raise ValueError(f'weight {weight} is not finite')
        except Exception as error:
            raise failed('weigher', type(self).__name__, error) from error
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
