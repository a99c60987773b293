"""Define the contracts of plugins, the one page a plugin author reads.

A plugin is one small file with one class. Of nova-ext it imports this
module alone. It reads a host state and a request spec, and answers. It never
blocks, opens no connection and keeps no state between requests. It gets what
only the cloud knows from its facts.

=========  ======================= =====================================
Contract   Entry-point group       What to write
=========  ======================= =====================================
Filter     ``nova_ext.filters``    ``check``: does this host pass?
Weigher    ``nova_ext.weighers``   ``weigh``: how good is this host?
Cost       ``nova_ext.costs``      ``get_cost``: what does a server cost
                                   here, in numbers that zones compare?
Driver     ``nova_ext.drivers``    ``rank``: prefer or narrow the hosts;
                                   or methods of a topic of your own
Collector  ``nova_ext.collectors`` ``collect``: stats of a host, measured
                                   there by nova-ext-agent
=========  ======================= =====================================

A plugin that raises fails the request, with its name in the message. It
never fails open.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from nova_ext.core.base.errors import (
    ConfigurationError,
    UnsupportedMethodError,
)
from nova_ext.core.decision.decision import COMPUTE, Audience
from nova_ext.core.plugin.answers import (
    MAX_COST,
    PASS,
    Ranking,
    Verdict,
    reject,
)
from nova_ext.core.plugin.facts import Facts
from nova_ext.core.plugin.plugin_base import Options, Plugin
from nova_ext.core.request.model import (
    Columns,
    HostState,
    RequestContext,
    RequestSpec,
)
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.core.request.scheduler_hints import (
    get_hint_names,
    get_hint_values,
    is_host_in,
)
from nova_ext.core.stats.requirement import (
    RequestedStat,
    UnreadableError,
    get_requested_stats,
    qualify_stat_name,
)
from nova_ext.core.stats.stats import Stat, Value

if TYPE_CHECKING:
    from nova_ext.core.base.scheduling_errors import (
        NoHostError,
        WrongArgumentsError,
    )
    from nova_ext.core.plugin.collector import Collector
    from nova_ext.core.plugin.cost import Cost
    from nova_ext.core.plugin.driver import (
        Chooser,
        ComputeDriver,
        Driver,
        Launcher,
        Offerer,
    )
    from nova_ext.core.plugin.schedule_method import schedule_method
    from nova_ext.core.plugin.topic_choice import Choice, ServiceHost
    from nova_ext.core.request.address_rules import (
        Address,
        AddressRules,
        parse_address,
    )
    from nova_ext.core.stats.capabilities import Capabilities

__all__ = [
    'MAX_COST',
    'PASS',
    'Address',
    'AddressRules',
    'Audience',
    'Capabilities',
    'Choice',
    'Chooser',
    'Collector',
    'Columns',
    'ComputeDriver',
    'ConfigurationError',
    'Cost',
    'Driver',
    'Facts',
    'Filter',
    'HostState',
    'Launcher',
    'NoHostError',
    'Offerer',
    'Operation',
    'Options',
    'Plugin',
    'Ranking',
    'RequestContext',
    'RequestSpec',
    'RequestedStat',
    'ServiceHost',
    'Stat',
    'UnreadableError',
    'Value',
    'Verdict',
    'Weigher',
    'WrongArgumentsError',
    'get_hint_names',
    'get_hint_values',
    'get_operation',
    'get_requested_stats',
    'is_host_in',
    'parse_address',
    'qualify_stat_name',
    'reject',
    'schedule_method',
]

#: The modules of what filters and weighers do not need. They are loaded when
#: they are first used: a stock nova-scheduler runs no other kind of plugin.
_MODULES = {
    name: f'nova_ext.core.{module}' for module, names in {
        'base.scheduling_errors': ('NoHostError', 'WrongArgumentsError'),
        'plugin.collector': ('Collector',),
        'plugin.cost': ('Cost',),
        'plugin.driver':
            ('Chooser', 'ComputeDriver', 'Driver', 'Launcher', 'Offerer'),
        'plugin.schedule_method': ('schedule_method',),
        'plugin.topic_choice': ('Choice', 'ServiceHost'),
        'request.address_rules': ('Address', 'AddressRules', 'parse_address'),
        'stats.capabilities': ('Capabilities',),
    }.items() for name in names
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f'{__name__} has no {name}')


class Filter(Plugin):
    """Pass or reject one host at a time.

    ``enabled_filters`` and Nova's log name a filter by its class.
    """

    #: Who reads the reasons beside operators: nobody, the user who made the
    #: request, or all members of its project. Members must not learn the
    #: names of hosts. Reasons that quote a hint with such a name are for
    #: ``Audience.USER``.
    reasons_for: ClassVar[Audience] = Audience.OPERATORS

    #: Check a host once for all servers of a request: for facts that placing
    #: one of its servers can't change.
    once_per_request: ClassVar[bool] = False
    #: The topic whose hosts the filter checks. For any but ``compute``,
    #: ``check`` gets a :class:`ServiceHost` and the mapping that the topic's
    #: driver gave its chooser.
    topic: ClassVar[str] = COMPUTE
    #: Check on rebuild too, where the server stays and needs no space.
    run_on_rebuild: ClassVar[bool] = False
    #: oslo.policy rule for requests that are restricted; None: no rule.
    policy: ClassVar[str | None] = None

    def __init_subclass__(cls) -> None:
        """Inherit ``check_all`` only together with the ``check`` it is of."""
        super().__init_subclass__()
        _inherit_together(cls, 'check', 'check_all', Filter.check_all)

    def prepare(self, request: RequestSpec) -> Any:
        """Compute what is the same for all hosts, before any is checked.

        :returns: what ``check`` and ``check_all`` get in place of the
            request; or a verdict, which holds for all hosts.
        """
        return request

    def check(self, host: HostState, request: Any) -> Verdict:
        """Pass or reject a host.

        :param host: the host, with the request's servers placed so far.
        :param request: the request spec, or what ``prepare`` returned.
        :returns: PASS, or ``reject(reason)``.
        """
        raise UnsupportedMethodError(
            f'filter {type(self).__name__} has no check() method'
        )

    def check_all(self, hosts: Columns, request: Any) -> Sequence[Verdict]:
        """Pass or reject many hosts at once, as ``check`` does each of them.

        A mirror calls it, everything else calls ``check``. Override it where
        one look at a column answers for many hosts. Compare it with ``check``
        with ``assert_same_answers`` of ``nova_ext.testing``.

        :returns: one verdict a host, in the order of the hosts.
        """
        return [self.check(host, request) for host in hosts]

    def is_restricted(self, request: RequestSpec) -> bool:
        """Say whether the request uses what ``policy`` restricts.

        The rule is enforced against the caller before any host is checked,
        as often as the filter runs. All hosts are rejected if it denies.
        """
        return False


class Weigher(Plugin):
    """Weigh hosts.

    Nova scales the weights of one list to 0..1, multiplies and adds them up
    (nova.weights.normalize). Only their proportions matter. They can't be
    compared with those of another list.
    """

    #: The topic whose hosts are weighed; see :class:`Filter`.
    topic: ClassVar[str] = COMPUTE
    #: Option of ``option_group`` with the multiplier.
    multiplier_option: ClassVar[str] = ''

    def __init_subclass__(cls) -> None:
        """Inherit ``weigh_all`` only together with the ``weigh`` it is of."""
        super().__init_subclass__()
        _inherit_together(cls, 'weigh', 'weigh_all', Weigher.weigh_all)

    def prepare(self, request: RequestSpec) -> Any:
        """Compute what is the same for all hosts, before any is weighed.

        :returns: what ``weigh`` and ``weigh_all`` get in place of the
            request.
        """
        return request

    def weigh(self, host: HostState, request: Any) -> float:
        """Weigh one host.

        :param request: the request spec, or what ``prepare`` returned.
        :returns: any finite number; higher wins.
        """
        raise UnsupportedMethodError(
            f'weigher {type(self).__name__} has no weigh() method'
        )

    def weigh_all(self, hosts: Columns, request: Any) -> Sequence[float]:
        """Weigh many hosts at once, as ``weigh`` does each of them.

        See :meth:`Filter.check_all`.

        :returns: one number a host, in the order of the hosts.
        """
        return [self.weigh(host, request) for host in hosts]

    def get_multiplier(self) -> float:
        """Return the factor of the weights; a negative one inverts."""
        return float(self.options.get(self.multiplier_option, 1.0))


def _inherit_together(
    cls: type, one: str, many: str, asks_one_by_one: Callable[..., Any]
) -> None:
    """Have a class that overrides a method for one host alone ask that.

    :param one: the method for one host.
    :param many: the method for many hosts.
    """
    nearest = next(
        base for base in cls.__mro__ if {one, many} & vars(base).keys()
    )
    if many not in vars(nearest):
        setattr(cls, many, asks_one_by_one)
