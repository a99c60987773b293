"""Add what Nova's filters, weighers and placement client do to the trace.

A subclass stands under the name of the class it is derived from, and runs
that class's code. In a stock nova-scheduler the subclasses come in through
``available_filters`` and ``weight_classes``. nova-ext-scheduler derives them
from whatever is loaded. None of them changes a verdict, a weight or a claim.
"""

import copy
from collections.abc import Iterable
from functools import partial
from typing import Any

from nova_ext.core.base.errors import FAILURES
from nova_ext.scheduler import explainers
from nova_ext.scheduler.discovery.extension_failure import report_failure
from nova_ext.scheduler.plugins import stock_sequence
from nova_ext.scheduler.trace import trace


class TracedFilter:
    """Trace one of Nova's filter classes; a mixin before it."""

    def run_filter_for_index(self, index: int) -> Any:
        """Answer as the filter does; a stock attempt begins here."""
        runs = super().run_filter_for_index(index)  # type: ignore[misc]
        stock_sequence.on_filter_considered(
            type(self).__name__, index, bool(runs)
        )
        return runs

    def filter_all(self, hosts: Iterable[Any], spec: Any) -> Any:
        """Filter as the filter does, and trace which hosts passed."""
        name = type(self).__name__
        before = list(hosts)
        stock_sequence.on_filter_started(before, spec)
        try:
            passed = super().filter_all(before, spec)  # type: ignore[misc]
            if passed is None:
                return None
            after = list(passed)
        except FAILURES as error:
            stock_sequence.on_error('filter', name, error)
            if isinstance(error, Exception):
                raise
            raise report_failure('filter', name, error) from error
        attempt = trace.current_attempt()
        if attempt is not None:
            attempt.add_step(
                name, 'filter', before, after,
                explainers.find_explainer(self, spec, before),
            )
        stock_sequence.on_filter_ended(name, after)
        return after


class TracedWeigher:
    """Trace one of Nova's weigher classes; a mixin before it."""

    def weigh_objects(self, weighed: Any, properties: Any) -> Any:
        """Weigh as the weigher does, and trace the raw weights."""
        try:
            weigh = super().weigh_objects  # type: ignore[misc]
            weights = list(weigh(weighed, properties))
        except FAILURES as error:
            name = type(self).__name__
            stock_sequence.on_error('weigher', name, error)
            if isinstance(error, Exception):
                raise
            raise report_failure('weigher', name, error) from error
        attempt = trace.current_attempt()
        if attempt is not None:
            attempt.weighings.add(self, weighed, weights)
        return weights


class LastTracedWeigher(TracedWeigher):
    """Trace the last weigher: a stock attempt ends with its multipliers.

    It is a class of its own, as Nova reads the multiplier of every host.
    """

    def weight_multiplier(self, host: Any) -> Any:
        """Return the weigher's multiplier for the host."""
        value = super().weight_multiplier(host)  # type: ignore[misc]
        stock_sequence.on_multiplier_read(type(self).__name__)
        return value


class TracedReportClient:
    """Trace why placement refuses a query; a mixin before Nova's client.

    Nova logs placement's words and drops them.
    """

    def get(self, url: str, *args: Any, **kwargs: Any) -> Any:
        """Ask as the client does."""
        answer = super().get(url, *args, **kwargs)  # type: ignore[misc]
        open_trace = trace.current()
        if open_trace is not None and url.startswith('/allocation_candidates'):
            open_trace.add_answer(answer)
        return answer


class TracedPlacementClient:
    """Trace candidates and claims of Nova's SchedulerReportClient."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Ask for candidates, and trace them; prefilters have run by then.

        Where placement does not answer, Nova's client raises, or returns
        None or three times None.
        """
        open_trace = trace.current()
        if open_trace is not None:
            open_trace.end_prefilters()
        answer = None
        try:
            answer = self._client.get_allocation_candidates(context, resources)
        finally:
            if open_trace is not None:
                requests, summaries, _ = answer or (None, None, None)
                open_trace.add_candidates(resources, requests, summaries)
        return answer

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> Any:
        """Claim, and trace the host and whether it worked."""
        claimed = self._client.claim_resources(
            context, consumer_uuid, alloc_request, *args, **kwargs
        )
        open_trace = trace.current()
        if open_trace is not None:
            open_trace.add_claim(consumer_uuid, alloc_request, bool(claimed))
        return claimed


def _derive(mixin: Any, cls: Any) -> Any:
    if issubclass(cls, mixin):
        return cls
    return type(
        cls.__name__, (mixin, cls),
        {'__module__': cls.__module__, '__doc__': cls.__doc__},
    )


#: Return the traced subclass of a class of Nova's; itself if it is one.
trace_filter_class = partial(_derive, TracedFilter)
trace_weigher_class = partial(_derive, TracedWeigher)
trace_last_weigher_class = partial(_derive, LastTracedWeigher)


def trace_report_client(client: Any) -> Any:
    """Return Nova's placement client, whose class is replaced in place."""
    client.__class__ = _derive(TracedReportClient, type(client))
    return client


def trace_all(host_manager: Any) -> None:
    """Trace every filter and weigher that Nova's host manager loaded.

    Their classes are replaced in place, so that nothing is loaded twice.
    """
    for filter_ in host_manager.enabled_filters:
        filter_.__class__ = trace_filter_class(type(filter_))
    for weigher in host_manager.weighers:
        weigher.__class__ = trace_weigher_class(type(weigher))


def copy_untraced(filter_: Any) -> Any:
    """Return a copy of a filter that traces nothing, and is faster."""
    untraced = copy.copy(filter_)
    if isinstance(untraced, TracedFilter):
        untraced.__class__ = type(untraced).__bases__[1]
    return untraced
