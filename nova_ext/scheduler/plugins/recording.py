"""Subclasses that record what Nova's filters and weighers decide.

Each stands under the name of the class it is made from, runs that class's
code and writes down what came of it. In a stock nova-scheduler they come in
through ``available_filters`` and ``weight_classes``; our scheduler makes
them of whatever is loaded. Nothing they do changes a verdict or a weight.
"""

import copy
from collections.abc import Iterable
from typing import Any

from nova_ext.scheduler import explainers
from nova_ext.scheduler.plugins import stock_sequence
from nova_ext.scheduler.trace import trace


class RecordingFilter:
    """Mixin before one of Nova's filter classes."""

    def run_filter_for_index(self, index: int) -> Any:
        """As the filter says; a stock scheduler's attempts begin here."""
        runs = super().run_filter_for_index(index)  # type: ignore[misc]
        stock_sequence.considered(type(self).__name__, index, bool(runs))
        return runs

    def filter_all(self, hosts: Iterable[Any], spec: Any) -> Any:
        """As the filter does, and record who passed."""
        name = type(self).__name__
        before = list(hosts)
        stock_sequence.filtering(before, spec)
        try:
            passed = super().filter_all(before, spec)  # type: ignore[misc]
            if passed is None:
                return None
            after = list(passed)
        except Exception as error:
            stock_sequence.raised('filter', name, error)
            raise
        attempt = trace.current_attempt()
        if attempt is not None:
            attempt.add_step(
                name, 'filter', before, after,
                explainers.of(self, spec, before),
            )
        stock_sequence.filtered(name, after)
        return after


class RecordingWeigher:
    """Mixin before one of Nova's weigher classes."""

    def weigh_objects(self, weighed: Any, properties: Any) -> Any:
        """As the weigher does, and record the raw weights."""
        try:
            weights = list(
                super().weigh_objects(  # type: ignore[misc]
                    weighed, properties
                )
            )
        except Exception as error:
            stock_sequence.raised('weigher', type(self).__name__, error)
            raise
        attempt = trace.current_attempt()
        if attempt is not None:
            attempt.weighings.add(self, weighed, weights)
        return weights


class EndingWeigher(RecordingWeigher):
    """The last one: a stock scheduler's attempts end with its multipliers.

    A class of its own, as Nova asks for the multiplier of every host.
    """

    def weight_multiplier(self, host: Any) -> Any:
        """As the weigher says."""
        value = super().weight_multiplier(host)  # type: ignore[misc]
        stock_sequence.weighed(type(self).__name__)
        return value


def filter_class(cls: Any) -> Any:
    """The recording subclass of a filter class; itself if it is one."""
    return _recording(RecordingFilter, cls)


def weigher_class(cls: Any) -> Any:
    """The recording subclass of a weigher class; itself if it is one."""
    return _recording(RecordingWeigher, cls)


def ending(cls: Any) -> Any:
    """The same of the weigher that is asked last."""
    return _recording(EndingWeigher, cls)


def record_all(host_manager: Any) -> None:
    """Make every filter and weigher that Nova loaded record.

    Their classes are replaced in place, so that nothing is made twice.

    :param host_manager: Nova's, just built.
    """
    for each in host_manager.enabled_filters:
        each.__class__ = filter_class(type(each))
    for each in host_manager.weighers:
        each.__class__ = weigher_class(type(each))


def plain(loaded: Any) -> Any:
    """A copy of a recording filter that records nothing, and is faster."""
    made = copy.copy(loaded)
    if isinstance(made, RecordingFilter):
        made.__class__ = type(made).__bases__[1]
    return made


def _recording(mixin: Any, cls: Any) -> Any:
    if issubclass(cls, mixin):
        return cls
    return type(
        cls.__name__, (mixin, cls),
        {'__module__': cls.__module__, '__doc__': cls.__doc__},
    )
