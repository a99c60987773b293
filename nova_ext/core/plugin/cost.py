"""Define the contract of costs."""

from nova_ext.core.base.errors import UnsupportedMethodError
from nova_ext.core.plugin.plugin_base import Plugin
from nova_ext.core.request.model import HostState, RequestSpec


class Cost(Plugin):
    """Cost hosts in numbers that zones can compare.

    A weight holds within one list of hosts; a cost means the same on every
    host of every zone. ``enabled_costs`` names a cost by its class.
    """

    def get_cost(self, host: HostState, request: RequestSpec) -> int:
        """Return what one more server of a request costs on a host.

        It depends on the two alone. It is computed again where a server of
        the same question was placed on the host.

        :param host: the host before the boot, with the servers that were
            placed there so far.
        :returns: an integer from 0 to MAX_COST; lower wins.
        """
        raise UnsupportedMethodError(
            f'cost {type(self).__name__} has no get_cost() method'
        )
