"""Define the contract of collectors."""

from collections.abc import Collection, Mapping

from nova_ext.core.base.errors import UnsupportedMethodError
from nova_ext.core.plugin.plugin_base import Plugin
from nova_ext.core.stats.stats import Value


class Collector(Plugin):
    """Measure stats of the host that nova-ext-agent runs on.

    It runs without root and without Nova. One that raises is logged, and its
    stats are absent.
    """

    def collect(self, wanted: Collection[str]) -> Mapping[str, Value]:
        """Measure the host.

        :param wanted: names of the stats that a scheduler needs and no
            earlier collector returned.
        :returns: values by name; others than the wanted ones are ignored.
        """
        raise UnsupportedMethodError(
            f'collector {type(self).__name__} has no collect() method'
        )
