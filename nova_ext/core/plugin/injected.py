"""What the scheduler gives an extension to ask and to act with."""

from collections.abc import Mapping
from typing import Any, Protocol

from nova_ext.core.plugin.host_choice import Choice
from nova_ext.core.request.model import HostState, RequestContext, RequestSpec
from nova_ext.core.stats.capabilities import Capabilities
from nova_ext.core.stats.stats import Stat


class Facts(Protocol):
    """What an extension may ask of the cloud."""

    def hosts_up(self, context: RequestContext, topic: str) -> list[str]:
        """Names of the hosts whose service of the topic is up, sorted.

        Of ``compute`` Nova knows them; services of any other topic are up
        while they report.
        """

    def capabilities(self, topic: str) -> Mapping[str, Capabilities]:
        """What services of a topic report, by host, while they are up."""

    def stat(self, host: HostState, name: str) -> Stat:
        """A stat that was pushed of a host, unless it is too old.

        :param name: of a field in ``nova_ext.core.stats.stats.FIELDS``, or one
            that begins with ``ext:``.
        """

    def server_host(
        self, context: RequestContext, server_uuid: str
    ) -> str | None:
        """The host a server is on, else the one it was shelved on.

        None for a server that was never on a host: a first boot. A few
        queries.
        """

    def global_request_id(self, request: RequestSpec) -> str | None:
        """The id that whoever made the request gave it, beside Nova's own."""

    def servers_of_owner(self, host: HostState, request: RequestSpec) -> int:
        """How many servers on the host the request's user owns.

        Servers placed earlier in the same request count; those that other
        requests place just now do not. The first question of a request is
        one query a cell, all others are none.
        """


class Chooser(Protocol):
    """Filters and weighs the hosts of a topic."""

    def choose(
        self, context: RequestContext, request: Mapping[str, Any],
        count: int = 1,
    ) -> Choice:
        """Choose among the hosts whose service of the topic is up.

        All filters and weighers of the topic that are installed are asked,
        in the order of their names. The decision is recorded, and
        ``nova-ext explain`` tells it by the id of the request.

        :param request: what is asked for, of types that JSON has; what
            filters and weighers are given, and the record keeps.
        :param count: how many hosts are wanted. There may be fewer.
        :raises NoHostError: when none fits; its line says why.
        """


class Launcher(Protocol):
    """What creates servers for a driver."""

    def launch(
        self, context: RequestContext, server: Mapping[str, Any],
        count: int, hints: Mapping[str, Any], microversion: str,
    ) -> list[dict[str, Any]]:
        """Choose hosts and create servers; see ComputeDriver."""
