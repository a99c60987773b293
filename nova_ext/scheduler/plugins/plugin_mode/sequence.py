"""Find where a decision begins and ends in a stock nova-scheduler.

There only filters and weighers are traced, and Nova does not announce a
request to them. For each server of a request, Nova's filter handler asks every
enabled filter in turn whether it runs, and lets it filter. It stops when no
host is left. Then each weigher weighs what passed, if that is more than one
host. All get the same request spec. So a filter that is asked once more, or a
weigher that weighs once more, begins an attempt, and another request spec
begins a request. ``request.py`` follows the request to its end.

In nova-ext-scheduler a trace is open already, and nothing of this is called.
"""

import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from nova_ext.core.base.mode import Mode
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.plugins.plugin_mode import open_requests
from nova_ext.scheduler.plugins.plugin_mode.request import PluginModeRequest
from nova_ext.scheduler.trace import request_facts, trace

#: Traced classes that have instances, by name: those of the enabled filters
#: and of all weighers.
made_classes: WeakValueDictionary[str, type[Any]] = WeakValueDictionary()


@dataclass
class _Run:
    """Represent one run of the enabled filters.

    :param considered: how often each was asked whether it runs.
    """

    index: int
    considered: Counter[str] = field(default_factory=Counter)

    def has_considered(self, name: str) -> bool:
        """Say whether a filter was asked as often as it is enabled."""
        enabled = options.CONF.filter_scheduler.enabled_filters
        return self.considered[name] >= max(1, enabled.count(name))


_run: ContextVar[_Run | None] = ContextVar('nova_ext_run', default=None)


def on_made(cls: type[Any]) -> None:
    """Note a traced class when an instance is created."""
    made_classes[cls.__name__] = cls


@best_effort
def on_filter_considered(name: str, index: int) -> None:
    """Begin an attempt as a filter is asked whether it runs for a server.

    :param index: 0 for the first server of the request.
    """
    if not recorder.get().enabled:
        return
    run = _run.get()
    if run is None or index != run.index or run.has_considered(name):
        run = _Run(index)
        _run.set(run)
        request = open_requests.get_own()
        if request is not None and index:
            # Filters may run for the first server only, so that none does.
            request.begin_attempt(index)
        elif request is not None:
            request.close()
    run.considered[name] += 1


@best_effort
def on_filter_started(hosts: Sequence[Any], spec: Any) -> None:
    """Open a trace as the first filter of a request starts."""
    if recorder.get().enabled and _get_open_request(spec) is None:
        run = _run.get()
        _open(spec, run.index if run is not None else 0, hosts)


@best_effort
def on_filter_ended(left: Sequence[Any]) -> None:
    """Take the hosts that a filter passed."""
    request = open_requests.get_own()
    if request is not None:
        request.set_left(left)


@best_effort
def on_weigher_started(
    weigher: Any, weighed: Sequence[Any], spec: Any
) -> None:
    """Take the hosts that Nova weighs; a forced request runs no filter.

    :param weighed: Nova's weighed hosts.
    """
    if not recorder.get().enabled:
        return
    hosts = [each.obj for each in weighed]
    request = _get_open_request(spec)
    if request is None:
        _open(spec, 0, hosts)
        request = open_requests.get_own()
    if request is not None:
        request.weigh(weigher, hosts)


@contextlib.contextmanager
def running(name: str) -> Iterator[None]:
    """Note which filter or weigher runs; the request ends if it raises."""
    request = open_requests.get_own()
    if request is None:
        yield
        return
    request.running_since, request.running = time.monotonic(), name
    try:
        yield
    except Exception:
        request.close()
        raise
    finally:
        request.running = ''


def _get_open_request(spec: Any) -> PluginModeRequest | None:
    """Return this thread's open request, if it has this request spec."""
    request = open_requests.get_own()
    return request if request is not None and request.spec is spec else None


def _open(spec: Any, index: int, hosts: Sequence[Any]) -> None:
    """Open a request, in place of the one before it.

    :param index: 0, unless the request's beginning was not seen.
    """
    before = open_requests.get_own()
    if before is not None:
        before.close()
    cycle.leave()
    new_trace = trace.start(
        Mode.PLUGIN, request_facts.get_caller_context(spec), spec
    )
    if new_trace is None:
        return
    new_trace.decision.prefilters = request_facts.describe_prefilters(spec)
    new_trace.unseen = [
        name for name in new_trace.enabled if name not in made_classes
    ]
    if not new_trace.unseen:
        new_trace.readers = list(made_classes.values())
    new_trace.from_first = index == 0 and not (
        set(new_trace.enabled[:1]) & set(new_trace.unseen)
    )
    request = PluginModeRequest(spec, new_trace)
    if options.CONF.nova_ext.journal:
        from nova_ext.scheduler.journal import plugin_mode_journal

        request.cycle.journaled = plugin_mode_journal.begin(
            request_facts.get_caller_context(spec), new_trace, made_classes
        )
    cycle.enter(request.cycle)
    request.begin_attempt(index, hosts)
    open_requests.add(request)
