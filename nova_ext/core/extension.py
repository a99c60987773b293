"""The contracts of an extension: the one page a plugin author reads.

An extension is one small file with one class. Of nova-ext it imports this
module alone, which hands on whatever an author needs. It reads a host state
and a request spec, and answers. It never blocks, opens no connection and
keeps no state between requests; what only the cloud knows it asks of its
facts.

=========  ======================= =====================================
Contract   Entry-point group       What to write
=========  ======================= =====================================
Filter     ``nova_ext.filters``    ``check``: does this host pass?
Weigher    ``nova_ext.weighers``   ``weigh``: how good is this host?
Driver     ``nova_ext.drivers``    ``rank``: prefer or narrow the hosts;
                                   or methods of a topic of your own
Collector  ``nova_ext.collectors`` ``collect``: stats of a host, measured
                                   there by nova-ext-agent
=========  ======================= =====================================

An extension that raises fails the request it was asked about, with its
name in the message. It never fails open.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar

from nova_ext.core.base.errors import (
    ConfigurationError,
    UnsupportedMethodError,
)
from nova_ext.core.base.scheduling_errors import (
    NoHostError,
    UnknownMethodError,
    WrongArgumentsError,
)
from nova_ext.core.decision.decision import COMPUTE
from nova_ext.core.plugin.host_choice import Choice, ServiceHost
from nova_ext.core.plugin.injected import Chooser, Facts, Launcher
from nova_ext.core.plugin.ranking import Ranking
from nova_ext.core.plugin.schedule_method import schedule_method
from nova_ext.core.plugin.verdict import PASS, Verdict, reject
from nova_ext.core.request.address_rules import (
    Address,
    AddressRules,
    parse_address,
)
from nova_ext.core.request.model import HostState, RequestContext, RequestSpec
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.core.request.scheduler_hints import names as hint_names
from nova_ext.core.request.scheduler_hints import same_host
from nova_ext.core.request.scheduler_hints import values as hint_values
from nova_ext.core.stats.capabilities import Capabilities
from nova_ext.core.stats.requested_stats import requested_stats, stat_name
from nova_ext.core.stats.requirement import UnreadableError
from nova_ext.core.stats.stats import Stat, Value

__all__ = [
    'PASS',
    'Address',
    'AddressRules',
    'Capabilities',
    'Choice',
    'Chooser',
    'Collector',
    'ComputeDriver',
    'ConfigurationError',
    'Driver',
    'Extension',
    'Facts',
    'Filter',
    'HostState',
    'Launcher',
    'NoHostError',
    'Operation',
    'Options',
    'Ranking',
    'RequestContext',
    'RequestSpec',
    'ServiceHost',
    'Stat',
    'UnreadableError',
    'Value',
    'Verdict',
    'Weigher',
    'WrongArgumentsError',
    'hint_names',
    'hint_values',
    'get_operation',
    'parse_address',
    'reject',
    'requested_stats',
    'same_host',
    'schedule_method',
    'stat_name',
]

Options = Mapping[str, Any]


class Extension:
    """What filters, weighers and drivers share.

    :param options: the values of ``option_group``, by option name; empty
        where the extension names no group.
    :param facts: what may be asked of the cloud; the scheduler gives them.
    """

    #: Group of nova.conf whose values the extension is given.
    option_group: ClassVar[str | None] = None
    #: Names of the scheduler hints that the extension reads; () where it
    #: reads none. A subclass that reads others names them all. Write it as
    #: a literal: nova-ext lint reads it from the source. None: it is not
    #: known what is read, so no hint of a request is said to be unread.
    hints: ClassVar[Sequence[str] | None] = None
    #: What the names of further hints that it reads begin with.
    hint_prefix: ClassVar[str] = ''

    facts: Facts

    def __init__(
        self, options: Options | None = None, facts: Facts | None = None
    ) -> None:
        self.options: Options = options or {}
        if facts is not None:
            self.facts = facts

    def needed_stats(self) -> Collection[str]:
        """Names of the pushed stats that the extension asks for.

        Programs that push stats send those that some extension needs.
        """
        return ()


class Filter(Extension):
    """Passes or rejects one host at a time.

    A filter is known by its class name, in ``enabled_filters`` and in
    Nova's log.
    """

    #: Ask once for all servers of a request: for facts that placing one
    #: server of it can't change.
    once_per_request: ClassVar[bool] = False
    #: The topic whose requests the filter is asked about. Of any but
    #: ``compute``, ``check`` is given a :class:`ServiceHost` and what the
    #: topic's driver made of the request.
    topic: ClassVar[str] = COMPUTE
    #: Ask on rebuild too, where the server stays and no space is needed.
    run_on_rebuild: ClassVar[bool] = False
    #: oslo.policy rule that ``restricted`` requests need; None: no rule.
    policy: ClassVar[str | None] = None

    def check(self, host: HostState, request: RequestSpec) -> Verdict:
        """Say whether the host passes.

        :param host: the host, as left by servers placed before in the
            same request.
        :param request: the request.
        :returns: PASS, or ``reject(reason)``.
        """
        raise UnsupportedMethodError(
            f'filter {type(self).__name__} has no check() method'
        )

    def restricted(self, request: RequestSpec) -> bool:
        """Whether the request uses what ``policy`` restricts.

        The rule is checked once, where the request enters the filter,
        against the caller; all hosts are rejected if it denies.
        """
        return False


class Weigher(Extension):
    """Says how good a host is; Nova normalises and multiplies.

    Weights of one list are scaled to 0..1 before they are multiplied and
    added (nova.weights.normalize), so only their proportions matter, and
    they can't be compared with those of another list.
    """

    #: The topic whose hosts are weighed; see :class:`Filter`.
    topic: ClassVar[str] = COMPUTE
    #: Option of ``option_group`` that holds the multiplier.
    multiplier_option: ClassVar[str] = ''

    def weigh(self, host: HostState, request: RequestSpec) -> float:
        """Weigh one host.

        :returns: any finite number; higher wins.
        """
        raise UnsupportedMethodError(
            f'weigher {type(self).__name__} has no weigh() method'
        )

    def multiplier(self) -> float:
        """How much the weigher counts against others; negative inverts."""
        return float(self.options.get(self.multiplier_option, 1.0))


class Collector(Extension):
    """Measures stats of the host that it runs on, in nova-ext-agent.

    It runs without root and without Nova. One that raises is logged, and its
    stats are absent.
    """

    def collect(self, wanted: Collection[str]) -> Mapping[str, Value]:
        """Measure.

        :param wanted: names of the stats that a scheduler needs, and that no
            collector before this one has told.
        :returns: values by name; those that nobody wants are left out later.
        """
        raise UnsupportedMethodError(
            f'collector {type(self).__name__} has no collect() method'
        )


class Driver(Extension):
    """Schedules one topic.

    :param facts: what the driver may ask of the cloud.
    :param options: as for every extension.
    :ivar chooser: of a topic other than ``compute``.
    """

    chooser: Chooser

    #: The RPC topic whose requests the driver decides; one driver each.
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

        :param filter_properties: the legacy form's; empty with a request
            spec object.
        :param schedule: the scheduler's own way, bound to this request.
        :returns: what ``schedule()`` returns.
        """
        return schedule()

    @schedule_method
    def schedule_run_instance(
        self, context: RequestContext, *args: Any, **kwargs: Any
    ) -> Any:
        """Choose hosts and create servers there; compute's drivers do."""
        raise UnknownMethodError(
            f'driver {type(self).__name__} of topic {self.topic!r} creates '
            f'no servers; the driver of topic compute does'
        )

    @schedule_method
    def hosts_up(self, context: RequestContext, topic: str) -> list[str]:
        """Names of the hosts whose service of the topic is up."""
        return self.facts.hosts_up(context, topic)

    @schedule_method
    def group_hosts(
        self, context: RequestContext, topic: str, capability: str = ''
    ) -> dict[str, list[str]]:
        """Hosts that are up, by the values of a capability they report.

        A host of several values is in several groups.

        :param capability: its key; empty: the driver's own groups, which
            here is one for all.
        :returns: host names by value; '' holds those without a value.
        """
        reported = self.facts.capabilities(topic) if capability else {}
        groups: dict[str, list[str]] = {}
        for host in self.hosts_up(context, topic):
            values = reported.get(host, {}).get(capability) or ('',)
            for value in values:
                groups.setdefault(value, []).append(host)
        return groups

    def update_service_capabilities(
        self, service_name: str, host: str, capabilities: Capabilities
    ) -> None:
        """Hear what a service reports of its host.

        The scheduler keeps it, see ``Facts.capabilities``. A driver that
        raises a SchedulingError refuses the report.

        :param service_name: the topic that the service serves.
        """


class ComputeDriver(Driver):
    """Base of the drivers of topic ``compute``.

    Override ``rank`` to prefer or narrow. Nova keeps asking placement,
    filtering, weighing, claiming, choosing alternates and cleaning up.
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

        :param server: a server as in POST /servers of Nova's API, which
            names no host.
        :param count: how many; their names are numbered then.
        :param hints: scheduler hints for all of them.
        :param microversion: of Nova's API.
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

        Asked once for every server of the request, and once more for the
        alternates of several servers; what is left out for one server is
        not offered for the next.

        :param hosts: best first, as Nova weighed them; never empty.
        :returns: the hosts to try, best first; the claim takes the first
            that has room, alternates come from the rest.
        """
        return Ranking(hosts)

    def scheduled(
        self,
        hosts: Sequence[str],
        request: RequestSpec,
        context: RequestContext,
    ) -> None:
        """Hear which hosts were chosen and claimed, one a server.

        A server of ``schedule_run_instance`` is told when it is placed, not
        when its host is chosen: the context is that of its boot, and the
        address in it is the scheduler's.
        """
