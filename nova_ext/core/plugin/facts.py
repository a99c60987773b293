"""Define the facts about the cloud that a plugin may ask for."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from nova_ext.core.request.model import HostState, RequestContext, RequestSpec
from nova_ext.core.stats.stats import Stat

if TYPE_CHECKING:
    from nova_ext.core.stats.capabilities import Capabilities


class Facts(Protocol):
    """Read facts about the cloud."""

    def hosts_up(self, context: RequestContext, topic: str) -> list[str]:
        """Return the hosts whose service of the topic is up, sorted.

        Nova knows those of ``compute``. Services of any other topic are up
        while they report.
        """

    def get_capabilities(self, topic: str) -> 'Mapping[str, Capabilities]':
        """Return the capabilities that services of a topic report, by host.

        Services that are no longer up are left out.
        """

    def get_stat(self, host: HostState, name: str) -> Stat:
        """Return a stat that was pushed of a host, unless it is too old.

        :param name: a field in ``nova_ext.core.stats.stats.FIELDS``, or a
            name that begins with ``ext:``.
        """

    def get_server_host(
        self, context: RequestContext, server_uuid: str
    ) -> str | None:
        """Return the host a server is on, else the one it was shelved on.

        None at a first boot: it was never on a host. Takes a few queries.
        """

    def get_global_request_id(self, request: RequestSpec) -> str | None:
        """Return the global request id that the caller sent, if any."""

    def count_servers_of_owner(
        self, host: HostState, request: RequestSpec, owner_id: str = ''
    ) -> int:
        """Return the number of servers on the host of the request's user.

        :param owner_id: count the servers that have it in their metadata,
            under ``nova_ext_owner``, instead.

        Servers placed earlier in the same request count; those that other
        requests place just now do not. The first call of a request takes one
        query a cell, further ones none.
        """
