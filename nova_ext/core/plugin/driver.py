"""Define the contract of drivers, and what the scheduler hands to them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from nova_ext.core.base.scheduling_errors import UnknownMethodError
from nova_ext.core.decision.decision import COMPUTE
from nova_ext.core.plugin.answers import Ranking
from nova_ext.core.plugin.facts import Facts
from nova_ext.core.plugin.plugin_base import Options, Plugin
from nova_ext.core.plugin.schedule_method import schedule_method
from nova_ext.core.plugin.topic_choice import Choice
from nova_ext.core.request.model import HostState, RequestContext, RequestSpec
from nova_ext.core.stats.capabilities import Capabilities


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


class Driver(Plugin):
    """Schedule one topic.

    :ivar chooser: chooses hosts of a topic other than ``compute``.
    """

    chooser: Chooser

    #: The RPC topic that the driver schedules; one driver each.
    topic: ClassVar[str] = ''

    def __init__(self, facts: Facts, options: Options | None = None) -> None:
        super().__init__(options, facts)

    def select_destinations(
        self,
        context: RequestContext,
        request_spec: RequestSpec,
        filter_properties: Mapping[str, Any],
        schedule: Callable[[], Any],
    ) -> Any:
        """Choose a destination for each server of the request.

        :param filter_properties: those of the legacy form; empty with a
            request spec object.
        :param schedule: Nova's way to schedule, bound to this request.
        :returns: what ``schedule()`` returns.
        """
        return schedule()

    @schedule_method
    def schedule_run_instance(
        self, context: RequestContext, *args: Any, **kwargs: Any
    ) -> Any:
        """Raise an error: only drivers of topic compute create servers."""
        raise UnknownMethodError(
            f'driver {type(self).__name__} of topic {self.topic!r} creates '
            f'no servers; the driver of topic compute does'
        )

    @schedule_method
    def hosts_up(self, context: RequestContext, topic: str) -> list[str]:
        """Return the names of the hosts whose service of the topic is up."""
        return self.facts.hosts_up(context, topic)

    @schedule_method
    def group_hosts(
        self, context: RequestContext, topic: str, capability: str = ''
    ) -> dict[str, list[str]]:
        """Group the hosts that are up by a capability that they report.

        :param capability: its key; empty: the driver's own groups, one for
            all hosts here.
        :returns: host names by value; a host with several values is in
            several groups, and one without in ''.
        """
        reported = self.facts.get_capabilities(topic) if capability else {}
        groups: dict[str, list[str]] = {}
        for host in self.hosts_up(context, topic):
            values = reported.get(host, {}).get(capability) or ('',)
            for value in values:
                groups.setdefault(value, []).append(host)
        return groups

    def update_service_capabilities(
        self, service_name: str, host: str, capabilities: Capabilities
    ) -> None:
        """Refuse a service's report by raising a SchedulingError.

        The scheduler keeps the others, see ``Facts.get_capabilities``.

        :param service_name: the topic that the service serves.
        """


class ComputeDriver(Driver):
    """Schedule servers; override ``rank`` to prefer or narrow hosts.

    Nova still asks placement, filters, weighs, claims, chooses alternates
    and cleans up.
    """

    topic = COMPUTE

    launcher: Launcher

    @schedule_method
    def schedule_run_instance(
        self, context: RequestContext, server: Mapping[str, Any],
        count: int = 1, hints: Mapping[str, Any] | None = None,
        microversion: str = '2.1',
    ) -> list[dict[str, Any]]:
        """Choose hosts, and create servers there with the caller's token.

        :param server: a server as in POST /servers of Nova's API, without a
            host.
        :param count: number of servers; several get numbered names.
        :param hints: scheduler hints of all servers.
        :param microversion: microversion of Nova's API.
        :returns: for each server its ``host`` and ``id``, or an ``error``.
        """
        return self.launcher.launch(
            context, server, count, hints or {}, microversion
        )

    def rank(
        self,
        hosts: Sequence[HostState],
        request: RequestSpec,
        context: RequestContext,
    ) -> Ranking:
        """Order the hosts that passed all filters; leave out any.

        Called once for each server of the request, and once more for the
        alternates of several servers. A host that is left out for one server
        is not offered for the next.

        :param hosts: best first, as Nova weighed them; never empty.
        :returns: the hosts to try, best first. The first with enough free
            resources is claimed; alternates come from the rest.
        """
        return Ranking(hosts)

    def on_scheduled(
        self,
        hosts: Sequence[str],
        request: RequestSpec,
        context: RequestContext,
    ) -> None:
        """Take note of the hosts that were claimed, one for each server.

        Servers of ``schedule_run_instance`` come when they boot, not when
        their hosts are chosen. The context is that of the boot, with the
        scheduler's address.
        """
