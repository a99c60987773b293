"""Add what Nova's filters and weighers do to the trace.

A subclass stands under the name of the class it is derived from, and runs
that class's code. In a stock nova-scheduler every filter and weigher that
Nova makes becomes an instance of such a subclass, whichever line of nova.conf
brought its class. nova-ext-scheduler derives them from whatever is loaded.
None of them changes a verdict or a weight.
"""

import contextlib
import copy
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from functools import partial
from numbers import Real
from typing import Any

from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights

from nova_ext.core.base.errors import FAILURES
from nova_ext.core.base.mode import Mode
from nova_ext.scheduler import explainers
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.discovery import plugin_failure
from nova_ext.scheduler.plugins.plugin_mode import sequence

#: A traced filter or weigher runs in this thread. Others that it asks are not
#: traced: their hosts and weights would count twice.
_running: ContextVar[bool] = ContextVar('nova_ext_running', default=False)


class TracedFilter:
    """Trace one of Nova's filter classes; a mixin before it."""

    def run_filter_for_index(self, index: int) -> Any:
        """Answer as the filter does; a stock attempt begins here."""
        runs = super().run_filter_for_index(index)  # type: ignore[misc]
        if not _running.get() and _is_stock():
            sequence.on_filter_considered(type(self).__name__, index)
        return runs

    def filter_all(self, hosts: Iterable[Any], spec: Any) -> Any:
        """Filter as the filter does, and trace which hosts passed.

        Nova takes no hosts from a filter that returns None.
        """
        if _running.get():
            return super().filter_all(hosts, spec)  # type: ignore[misc]
        name = type(self).__name__
        before = list(hosts)
        is_stock = _is_stock()
        if is_stock:
            sequence.on_filter_started(before, spec)
        with _run('filter', name, is_stock=is_stock):
            passed = super().filter_all(before, spec)  # type: ignore[misc]
            after = None if passed is None else list(passed)
        left = after or []
        attempt = cycle.get_attempt()
        if attempt is not None:
            attempt.add_step(
                name, 'filter', before, left,
                explainers.find_explainer(self, spec, before),
                reasons_for=explainers.get_audience(self),
                is_subset=getattr(
                    super().filter_all, '__func__', None  # type: ignore[misc]
                ) is nova_filters.BaseHostFilter.filter_all,
            )
        if is_stock:
            sequence.on_filter_ended(left)
        return after


class TracedWeigher:
    """Trace one of Nova's weigher classes; a mixin before it."""

    def weigh_objects(self, weighed: Any, properties: Any) -> Any:
        """Weigh as the weigher does, and trace the raw weights."""
        weigh = super().weigh_objects  # type: ignore[misc]
        if _running.get():
            return weigh(weighed, properties)
        name, is_stock = type(self).__name__, _is_stock()
        if is_stock:
            sequence.on_weigher_started(self, weighed, properties)
        with _run('weigher', name, is_stock=is_stock):
            weights = list(weigh(weighed, properties))
        are_numbers = _are_numbers(name, weights)
        attempt = cycle.get_attempt()
        if attempt is not None and are_numbers:
            attempt.add_weights(self, weighed, weights)
        return weights


def _is_stock() -> bool:
    """Say whether a stock nova-scheduler runs, which announces no request."""
    current = cycle.get_current()
    return current is None or current.mode is not Mode.SCHEDULER


@contextlib.contextmanager
def _run(kind: str, name: str, *, is_stock: bool) -> Iterator[None]:
    """Run a filter or weigher; name it in what it raises."""
    with contextlib.ExitStack() as stack:
        if is_stock:
            stack.enter_context(sequence.running(f'{kind} {name}'))
        stack.callback(_running.reset, _running.set(True))
        try:
            yield
        except FAILURES as error:
            if isinstance(error, Exception):
                plugin_failure.note_failure(kind, name, error)
                raise
            raise plugin_failure.report_failure(kind, name, error) from error


@best_effort
def _are_numbers(name: str, weights: Sequence[Any]) -> bool:
    """Say whether weights are numbers: otherwise Nova raises later."""
    others = [each for each in weights if not isinstance(each, Real)]
    open_trace = cycle.get_trace()
    if open_trace is not None and others:
        open_trace.suspect = (
            f'weigher {name} returned {others[0]!r:.80}, which is no number'
        )
    return not others


def derive(mixin: Any, cls: Any) -> Any:
    """Return the subclass of a class that a mixin traces."""
    if issubclass(cls, mixin):
        return cls
    return type(
        cls.__name__, (mixin, cls),
        {'__module__': cls.__module__, '__doc__': cls.__doc__},
    )


#: Return the traced subclass of a class of Nova's; itself if it is one.
trace_filter_class = partial(derive, TracedFilter)
trace_weigher_class = partial(derive, TracedWeigher)


def trace_instances() -> None:
    """Trace each filter and weigher that is made in this process from now on.

    Nova's two base classes make an instance of the traced subclass of the
    class that is asked for. So whatever line of nova.conf brings a class, at
    whatever place, its instances are traced, and each of them once. No class
    of another package is loaded or changed for it.
    """
    for base, mixin in (
        (nova_filters.BaseHostFilter, TracedFilter),
        (nova_weights.BaseHostWeigher, TracedWeigher),
    ):
        base.__new__ = staticmethod(partial(_make, mixin))


def stop_tracing_instances() -> None:
    """Have Nova's base classes make plain instances again.

    Once a class has had a __new__ and lost it, Python refuses to call it with
    arguments.
    """
    for base in (nova_filters.BaseHostFilter, nova_weights.BaseHostWeigher):
        if '__new__' in vars(base):
            base.__new__ = staticmethod(_make_plain)


def _make(mixin: Any, cls: Any, *_: Any, **__: Any) -> Any:
    """Make an instance; of the traced subclass, if that can be derived."""
    traced = best_effort(derive)(mixin, cls)
    if traced is not None:
        sequence.on_made(traced)
    return object.__new__(traced or cls)


def _make_plain(cls: Any, *_: Any, **__: Any) -> Any:
    return object.__new__(cls)


def trace_all(host_manager: Any) -> None:
    """Trace every filter and weigher that Nova's host manager loaded.

    Their classes are replaced in place, so that nothing is loaded twice.
    """
    for filter_ in host_manager.enabled_filters:
        filter_.__class__ = trace_filter_class(type(filter_))
    for weigher in host_manager.weighers:
        weigher.__class__ = trace_weigher_class(type(weigher))


def copy_untraced(plugin: Any) -> Any:
    """Return a copy of a filter or weigher that is not traced, and faster."""
    untraced = copy.copy(plugin)
    if isinstance(untraced, TracedFilter | TracedWeigher):
        untraced.__class__ = type(untraced).__bases__[1]
    return untraced
