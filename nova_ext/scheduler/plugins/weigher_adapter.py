"""Adapt weighers of nova-ext's contract to Nova."""

from collections.abc import Sequence
from typing import Any

from nova.scheduler import utils
from nova.scheduler import weights as nova_weights

from nova_ext import plugin
from nova_ext.core.base import naming
from nova_ext.core.plugin import evaluation
from nova_ext.scheduler.discovery import enabled
from nova_ext.scheduler.plugins.adapter import Adapter


class WeigherAdapter(Adapter, nova_weights.BaseHostWeigher):
    """Adapt a plugin weigher."""

    kind = 'weigher'
    contract = plugin.Weigher
    nova_class = nova_weights.BaseHostWeigher
    namespace = 'nova_ext.weighers'
    option = enabled.WEIGHERS

    def __init__(self) -> None:
        super().__init__()
        self._metadata_key = naming.get_multiplier_key(
            self.plugin_class.__name__
        )

    def weight_multiplier(self, host: Any) -> float:
        """Return the multiplier: of the host's aggregates, or the option's."""
        return float(
            utils.get_weight_multiplier(
                host, self._metadata_key, self.call(self.plugin.get_multiplier)
            )
        )

    def weigh_objects(self, weighed: Any, spec: Any) -> Any:
        """Weigh the hosts, unless the multiplier is 0 for all of them."""
        if not any(self.weight_multiplier(host.obj) for host in weighed):
            return [0.0] * len(weighed)
        return self.call(
            evaluation.weigh_each, self.plugin,
            [host.obj for host in weighed], spec,
        )

    def weigh_all(self, hosts: Any, spec: Any) -> Sequence[float]:
        """Ask the plugin about many hosts at once, whatever the multiplier.

        :param hosts: Columns.
        """
        return self.call(evaluation.weigh_all, self.plugin, hosts, spec)

    def _weigh_object(self, host: Any, spec: Any) -> float:
        return self.call(evaluation.weigh_each, self.plugin, [host], spec)[0]
