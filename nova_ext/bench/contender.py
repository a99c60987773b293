"""Something that can be asked about hosts, and be timed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nova_ext import conf
from nova_ext.bench.plugin import Plugin
from nova_ext.core.base.errors import NovaExtError
from nova_ext.testing import FakeFacts

#: Asks about all of the hosts, once.
Ask = Callable[[], Any]


@dataclass(frozen=True)
class Contender:
    """One that is measured.

    :param name: its class's.
    :param asking: makes, for some hosts, what asks about them.
    """

    name: str
    asking: Callable[[list[Any]], Ask]


def bare(plugin: Plugin, request: Any, context: Any) -> Contender:
    """Call the plugin's own method, with nothing of Nova around it.

    :param plugin: one of ours.
    :raises NovaExtError: for one that does not start.
    """
    made = start(plugin)

    def asking(hosts: list[Any]) -> Ask:
        if plugin.kind == 'driver':
            return lambda: made.rank(hosts, request, context)
        ask = made.check if plugin.kind == 'filter' else made.weigh

        def all_of_them() -> None:
            for host in hosts:
                ask(host, request)

        return all_of_them

    return Contender(plugin.name, asking)


def start(plugin: Plugin) -> Any:
    """Make the plugin, its options at their defaults.

    A weigher that is off by default is measured as if it was on.

    :raises NovaExtError: when it raises.
    """
    group = plugin.cls.option_group
    values = conf.defaults(group) if group else {}
    if plugin.kind == 'weigher' and plugin.cls.multiplier_option:
        values[plugin.cls.multiplier_option] = 1.0
    try:
        return plugin.cls(options=values, facts=FakeFacts())
    except Exception as error:
        raise NovaExtError(
            f'{plugin.name} does not start: {type(error).__name__}: {error}'
        ) from error
