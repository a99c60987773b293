"""The scheduler's parts as they would be with other filters or weighers.

Everything is a copy: what decides real boots stays as it is.
"""

import copy
from collections.abc import Mapping
from typing import Any

from nova.scheduler import utils

from nova_ext.core.base import errors, naming
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.extension import ComputeDriver, Driver
from nova_ext.core.rpc.boot_request import Changes
from nova_ext.nova_releases import plugins_and_options
from nova_ext.scheduler.discovery import installed
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.plugins import drivers, recording

#: Nova's own keys of aggregate metadata, which not all follow the rule.
_KEYS = {
    weigher: option
    for option, weigher in plugins_and_options.WEIGHERS_OF_OPTIONS.items()
}


def host_manager(live: Any, changes: Changes) -> Any:
    """Nova's host manager, with the filters and multipliers to be tried.

    :param live: the one that real boots use.
    :raises WrongArgumentsError: for a filter or weigher that is not there.
    """
    made = copy.copy(live)
    made.filter_obj_map = dict(live.filter_obj_map)
    if changes.filters is not None:
        _must_be_known('filter', changes.filters, live.filter_cls_map)
        try:
            made.enabled_filters = made._choose_host_filters(changes.filters)
        except errors.NovaExtError as error:
            raise WrongArgumentsError(str(error)) from error
    made.weighers = _weighers(live.weighers, changes.multipliers)
    recording.record_all(made)
    return made


def driver(live: ComputeDriver, changes: Changes) -> ComputeDriver:
    """The driver of topic ``compute`` to be tried.

    :raises WrongArgumentsError: for one that is not installed.
    """
    if not changes.driver:
        return copy.copy(live)
    known = [
        name for name, cls in installed.classes(
            drivers.NAMESPACE, Driver
        ).items() if issubclass(cls, ComputeDriver)
    ]
    _must_be_known('driver', [changes.driver], known)
    try:
        made = drivers.load([changes.driver], nova_facts.get())['compute']
    except errors.NovaExtError as error:
        raise WrongArgumentsError(str(error)) from error
    assert isinstance(made, ComputeDriver)  # noqa: S101  it is known as one
    return made


def _weighers(
    live: list[Any], multipliers: Mapping[str, float]
) -> list[Any]:
    _must_be_known(
        'weigher', multipliers, [type(weigher).__name__ for weigher in live]
    )
    return [
        _with_multiplier(weigher, multipliers[type(weigher).__name__])
        if type(weigher).__name__ in multipliers else weigher
        for weigher in live
    ]


def _with_multiplier(weigher: Any, multiplier: float) -> Any:
    """A copy of a weigher, as if its option had another value."""
    made = copy.copy(weigher)
    if hasattr(made, 'plugin'):
        made.plugin = copy.copy(made.plugin)
        made.plugin.multiplier = lambda: multiplier
        return made
    cls = type(weigher)
    key = _KEYS.get(cls.__name__, naming.multiplier_key(cls.__name__))

    def weight_multiplier(self: Any, host: Any) -> Any:
        return utils.get_weight_multiplier(host, key, multiplier)

    made.__class__ = type(cls.__name__, (cls,), {
        '__module__': cls.__module__, 'weight_multiplier': weight_multiplier,
    })
    return made


def _must_be_known(kind: str, names: Any, known: Any) -> None:
    for name in names:
        if name not in known:
            raise WrongArgumentsError(
                f'Changes: there is no {kind} {name!r}; '
                f'{errors.available(name, known)}'
            )
