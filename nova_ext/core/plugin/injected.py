"""Define what the scheduler hands to an extension."""

from collections.abc import Mapping
from typing import Any, Protocol

from nova_ext.core.plugin.host_choice import Choice
from nova_ext.core.request.model import HostState, RequestContext, RequestSpec
from nova_ext.core.stats.capabilities import Capabilities
from nova_ext.core.stats.stats import Stat


class Facts(Protocol):
    """Read facts about the cloud."""

    def hosts_up(self, context: RequestContext, topic: str) -> list[str]:
        """Return the hosts whose service of the topic is up, sorted.

        Nova knows those of ``compute``. Services of any other topic are up
        while they report.
        """

    def get_capabilities(self, topic: str) -> Mapping[str, Capabilities]:
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


class Chooser(Protocol):
    """Filter and weigh the hosts of a topic."""

    def choose(
        self, context: RequestContext, request: Mapping[str, Any],
        count: int = 1,
    ) -> Choice:
        """Choose among the hosts whose service of the topic is up.

        All installed filters and weighers of the topic are applied, in the
        order of their names. The decision is recorded for ``nova-ext
        explain``, under the request's id.

        :param request: plain data that JSON can hold, for filters, weighers
            and the record.
        :param count: number of hosts wanted; there may be fewer.
        :raises NoHostError: when none fits; its line says why.
        """


class Launcher(Protocol):
    """Create servers for a driver."""

    def launch(
        self, context: RequestContext, server: Mapping[str, Any],
        count: int, hints: Mapping[str, Any], microversion: str,
    ) -> list[dict[str, Any]]:
        """Choose hosts and create servers; see ComputeDriver."""


class Offerer(Protocol):
    """Offer slots of the zone's own hosts."""

    def make_offers(
        self, context: RequestContext, question: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Answer a question of nova-ext-api.

        :param question: an OfferQuestion of ``nova_ext.core.rpc.offers``, as
            plain data.
        :returns: an OfferAnswer, as plain data.
        :raises SchedulingError: saying why there is no answer.
        """
