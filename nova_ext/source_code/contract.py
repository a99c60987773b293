"""Know the methods that Nova calls on each kind of plugin."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from nova_ext.source_code.plugin_source import Function, Method, PluginClass


@dataclass(frozen=True)
class Contract:
    """Describe the methods of a kind of plugin.

    :param kind: filter, weigher or driver.
    :param methods: what is called, each with the names of its arguments
        after self.
    :param needed: methods; the class must define one of them.
    :param per_host: methods that are called for each host.
    :param once: methods that are called once with all hosts. Each with
        those of ``per_host`` that the base class's own version calls.
    """

    kind: str
    methods: dict[str, tuple[str, ...]]
    needed: tuple[str, ...] = ()
    per_host: tuple[str, ...] = ()
    once: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


_NOVA_FILTER = Contract(
    'filter',
    {
        'host_passes': ('host_state', 'spec_obj'),
        '_filter_one': ('obj', 'spec'),
        'filter_all': ('filter_obj_list', 'spec_obj'),
        'run_filter_for_index': ('index',),
    },
    ('host_passes', '_filter_one', 'filter_all'),
    ('host_passes', '_filter_one'),
    {'filter_all': ('host_passes', '_filter_one')},
)
_NOVA_WEIGHER = Contract(
    'weigher',
    {
        '_weigh_object': ('host_state', 'request_spec'),
        'weigh_objects': ('weighed_obj_list', 'weight_properties'),
        'weight_multiplier': ('host_state',),
    },
    # Abstract in Nova, also where weigh_objects is defined.
    ('_weigh_object',),
    ('_weigh_object', 'weight_multiplier'),
    {'weigh_objects': ('_weigh_object',)},
)
_FILTER = Contract(
    'filter',
    {
        'check': ('host', 'request'),
        'check_all': ('hosts', 'request'),
        'prepare': ('request',),
        'is_restricted': ('request',),
    },
    ('check',), ('check',), {'check_all': ('check',), 'prepare': ()},
)
_WEIGHER = Contract(
    'weigher',
    {
        'weigh': ('host', 'request'),
        'weigh_all': ('hosts', 'request'),
        'prepare': ('request',),
        'get_multiplier': (),
    },
    ('weigh',), ('weigh',), {'weigh_all': ('weigh',), 'prepare': ()},
)
_DRIVER = Contract(
    'driver',
    {
        'rank': ('hosts', 'request', 'context'),
        'on_scheduled': ('hosts', 'request', 'context'),
    },
)

_ROOTS = {
    'nova.scheduler.filters.BaseHostFilter': _NOVA_FILTER,
    'nova.scheduler.weights.BaseHostWeigher': _NOVA_WEIGHER,
    'nova_ext.plugin.Filter': _FILTER,
    'nova_ext.plugin.Weigher': _WEIGHER,
    'nova_ext.plugin.ComputeDriver': _DRIVER,
    'nova_ext.plugin.Driver': Contract('driver', {}),
}

def find_contract(plugin: PluginClass) -> Contract | None:
    """Return the contract of a class; None for no known kind of plugin."""
    for root in plugin.roots:
        if root in _ROOTS:
            return _ROOTS[root]
    # A subclass of one of Nova's own inherits what is needed.
    for package, base in (
        ('nova.scheduler.filters.', _NOVA_FILTER),
        ('nova.scheduler.weights.', _NOVA_WEIGHER),
    ):
        if any(root.startswith(package) for root in plugin.roots):
            return replace(base, needed=())
    return None


def is_novas(plugin: PluginClass) -> bool:
    """Say whether a class derives from one of Nova's."""
    return any(root.startswith('nova.') for root in plugin.roots)


def is_own(plugin: PluginClass) -> bool:
    """Say whether a class derives from one of nova-ext's contract."""
    return any(root.startswith('nova_ext.') for root in plugin.roots)


def accepts(method: Method, arguments: int) -> bool:
    """Say whether a method accepts this number of positional arguments."""
    names, least = _positional(method.node)
    if None in method.node.args.kw_defaults:  # must be given by keyword
        return False
    if method.node.args.vararg:
        return arguments >= least
    return least <= arguments <= len(names)


def parameter_names(method: Method) -> list[str]:
    """Return the names of the positional parameters after self."""
    return _positional(method.node)[0]


def _positional(node: Function) -> tuple[list[str], int]:
    """Return the positional parameters after self, and how many are needed."""
    names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    least = len(names) - len(node.args.defaults)
    decorators = {
        decorator.id for decorator in node.decorator_list
        if isinstance(decorator, ast.Name)
    }
    bound = 0 if 'staticmethod' in decorators else 1
    return names[bound:], max(least - bound, 0)
