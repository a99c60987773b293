"""Copy a scheduler's host manager and driver, with changed plugins.

What decides real boots stays as it is.
"""

import copy
from collections.abc import Mapping
from typing import Any

from nova.scheduler import utils

from nova_ext.core.base import errors, naming
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.boot_request import Changes
from nova_ext.nova_releases import scheduler_options
from nova_ext.plugin import ComputeDriver, Driver
from nova_ext.scheduler.discovery import installed
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.plugins import drivers, traced

#: Aggregate metadata keys of Nova's own weighers; not all follow the rule.
_KEYS = {
    weigher: option
    for option, weigher in scheduler_options.WEIGHERS_OF_OPTIONS.items()
}


def make_host_manager(live: Any, changes: Changes) -> Any:
    """Copy Nova's host manager, with other filters and multipliers.

    :param live: the host manager that real boots use.
    :raises WrongArgumentsError: for a filter or weigher that is not there.
    """
    copied = copy.copy(live)
    copied.filter_obj_map = dict(live.filter_obj_map)
    if changes.filters is not None:
        _check_known('filter', changes.filters, live.filter_cls_map)
        try:
            copied.enabled_filters = copied._choose_host_filters(
                changes.filters
            )
        except errors.NovaExtError as error:
            raise WrongArgumentsError(str(error)) from error
    copied.weighers = _copy_weighers(live.weighers, changes.multipliers)
    traced.trace_all(copied)
    return copied


def make_driver(live: ComputeDriver, changes: Changes) -> ComputeDriver:
    """Copy the driver of topic ``compute``, or make another one.

    :raises WrongArgumentsError: for one that is not installed.
    """
    if not changes.driver:
        return copy.copy(live)
    known = [
        name for name, cls in installed.load_classes(
            drivers.NAMESPACE, Driver
        ).items() if issubclass(cls, ComputeDriver)
    ]
    _check_known('driver', [changes.driver], known)
    try:
        driver = drivers.load([changes.driver], nova_facts.get())['compute']
    except errors.NovaExtError as error:
        raise WrongArgumentsError(str(error)) from error
    assert isinstance(driver, ComputeDriver)  # noqa: S101  checked above
    return driver


def _copy_weighers(
    live: list[Any], multipliers: Mapping[str, float]
) -> list[Any]:
    _check_known(
        'weigher', multipliers, [type(weigher).__name__ for weigher in live]
    )
    return [
        _set_multiplier(weigher, multipliers[type(weigher).__name__])
        if type(weigher).__name__ in multipliers else weigher
        for weigher in live
    ]


def _set_multiplier(weigher: Any, multiplier: float) -> Any:
    """Copy a weigher, as if its multiplier's option had another value."""
    copied = traced.copy_untraced(weigher)
    if hasattr(copied, 'plugin'):
        copied.plugin = copy.copy(copied.plugin)
        copied.plugin.get_multiplier = lambda: multiplier
        return copied
    cls = type(copied)
    key = _KEYS.get(cls.__name__, naming.get_multiplier_key(cls.__name__))

    def weight_multiplier(self: Any, host: Any) -> Any:
        return utils.get_weight_multiplier(host, key, multiplier)

    copied.__class__ = type(cls.__name__, (cls,), {
        '__module__': cls.__module__, 'weight_multiplier': weight_multiplier,
        # The mirror knows Nova's own classes by it.
        '__qualname__': f'{cls.__qualname__} with another multiplier',
    })
    return copied


def _check_known(kind: str, names: Any, known: Any) -> None:
    for name in names:
        if name not in known:
            raise WrongArgumentsError(
                f'Changes: there is no {kind} {name!r}; '
                f'{errors.suggest_names(name, known)}'
            )
