"""Choose hosts as Nova does, through drivers, and record how."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import oslo_messaging as messaging
from nova import exception, objects
from nova.scheduler import manager

from nova_ext.core.base import errors
from nova_ext.core.extension import ComputeDriver, Driver, Ranking
from nova_ext.core.plugin.answers import MAX_LETTERS
from nova_ext.core.request import scheduler_hints
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.filters import offer
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.decide import offer_support
from nova_ext.scheduler.decide.precedence import Precedence
from nova_ext.scheduler.discovery.extension_failure import (
    report_failure,
    running,
)
from nova_ext.scheduler.explainers.reason import give_same_reason
from nova_ext.scheduler.plugins.traced_placement import (
    TracedPlacementClient,
    trace_report_client,
)
from nova_ext.scheduler.trace import request_facts, tie_break, trace
from nova_ext.scheduler.trace.attempt import AttemptTrace


class DecidingManager(manager.SchedulerManager):
    """Decide through drivers, with Nova's own code below them.

    It overrides as few of Nova's methods as it can.

    :ivar drivers: by topic; there is one of topic ``compute``.
    :cvar precedence: of boots, in this process.
    """

    drivers: Mapping[str, Driver]
    precedence: ClassVar = Precedence()

    @property
    def compute_driver(self) -> ComputeDriver:
        """Return the driver of topic compute."""
        driver = self.drivers['compute']
        assert isinstance(driver, ComputeDriver)  # noqa: S101  make() checks
        return driver

    @property
    def placement_client(self) -> Any:
        """Return Nova's placement client; its calls are traced."""
        return TracedPlacementClient(
            trace_report_client(super().placement_client)
        )

    @messaging.expected_exceptions(exception.NoValidHost)
    def select_destinations(
        self, context: Any, request_spec: Any = None,
        filter_properties: Any = None, spec_obj: Any = None,
        instance_uuids: Any = None, return_objects: bool = False,
        return_alternates: bool = False,
    ) -> Any:
        """Choose hosts as Nova does, through the driver of topic compute.

        Arguments and result are those of Nova's method.
        """
        if spec_obj is None:
            spec_obj = objects.RequestSpec.from_primitives(
                context, request_spec, filter_properties
            )
        request_facts.log_request(context, spec_obj, filter_properties)

        nova_errors: list[BaseException] = []

        def schedule() -> Any:
            try:
                return call_unwrapped(
                    super(DecidingManager, self).select_destinations,
                    context, spec_obj=spec_obj,
                    instance_uuids=instance_uuids,
                    return_objects=return_objects,
                    return_alternates=return_alternates,
                )
            except errors.FAILURES as error:
                nova_errors.append(error)
                raise

        driver = self.compute_driver
        traced = self._trace_request(
            context, spec_obj, instance_uuids, type(driver)
        )
        try:
            with (
                self._go_first(), traced, _blame_driver(driver, nova_errors)
            ):
                self._set_readers()
                self._begin_mirror(spec_obj, instance_uuids)
                destinations = driver.select_destinations(
                    context, spec_obj, filter_properties or {}, schedule
                )
                hosts = traced.set_destinations(destinations)
        except exception.NoValidHost as error:
            if error.__cause__ is not None:  # an extension raised
                self._give_back(context, spec_obj, instance_uuids)
            raise
        if get_operation(spec_obj) is not Operation.REBUILD:
            self._notify_driver(hosts, spec_obj, context)
        return destinations

    def _go_first(self) -> contextlib.AbstractContextManager[None]:
        """Return the context manager that holds up simulations."""
        return self.precedence.go_first()

    @best_effort
    def _set_readers(self) -> None:
        """Set in the trace which classes may read hints of the request."""
        open_trace = trace.current()
        if open_trace is not None:
            open_trace.readers = [type(reader) for reader in (
                *self.host_manager.enabled_filters,
                *self.host_manager.weighers, self.compute_driver,
            )]

    def _begin_mirror(self, spec_obj: Any, instance_uuids: Any) -> None:
        """Have a mirror decide, or verify the decision, if that is wanted."""

    def _trace_request(self, *args: Any) -> recorder.TracedRequest:
        """Return the context manager that traces and records a request."""
        return recorder.TracedRequest(*args)

    def _get_sorted_hosts(
        self, spec_obj: Any, host_states: Any, index: int
    ) -> Any:
        """Return Nova's filtered and weighed hosts, ranked by the driver."""
        hosts = list(host_states)
        open_trace = trace.current()
        attempt = None
        if open_trace is not None:
            attempt = open_trace.begin_attempt(index, hosts)
        if open_trace is not None and open_trace.verification:
            open_trace.verification.begin_ranking()
        sort, seed = tie_break.seed_method(super()._get_sorted_hosts)
        passed = sort(spec_obj, hosts, index)
        if attempt is not None:
            attempt.end_weighing(passed, seed)
            if open_trace is not None and open_trace.verification:
                open_trace.verification.compare(
                    hosts, index, passed, seed, attempt
                )
                open_trace.lap('mirror')
        return self._end_attempt(passed, spec_obj, attempt)

    def _end_attempt(
        self, passed: Any, spec_obj: Any, attempt: AttemptTrace | None
    ) -> Any:
        """Return the ranked hosts as the driver ranks them."""
        if passed and not self._was_offered(spec_obj):
            passed = self._rank(passed, spec_obj, attempt)
        if attempt is not None:
            attempt.end(passed)
        return passed

    def _was_offered(self, spec_obj: Any) -> bool:
        """Say whether the driver chose before, and OfferFilter checks it.

        The driver can't choose again: nova-ext creates the server, so that
        the caller's address is this host's.
        """
        return bool(
            scheduler_hints.get_hint_values(spec_obj, offer.HINT)
            and get_operation(spec_obj) is Operation.FIRST_BOOT
            and self._list_fingerprints()
        )

    def _list_fingerprints(self) -> list[str]:
        return offer_support.list_fingerprints(self.host_manager)

    def _rank(
        self, hosts: list[Any], spec_obj: Any, attempt: AttemptTrace | None
    ) -> list[Any]:
        """Return the hosts that the driver lets be used, best first."""
        driver = self.compute_driver
        name = type(driver).__name__
        with running('driver', name):
            ranking = driver.rank(
                hosts, spec_obj, request_facts.get_caller_context(spec_obj)
            )
            if not isinstance(ranking, Ranking):
                raise TypeError('rank() returned no Ranking')
            ranked = _find_own(hosts, ranking.hosts)
        if attempt is not None:
            if len(ranked) < len(hosts):
                attempt.add_step(
                    name, 'driver', hosts, ranked,
                    give_same_reason(ranking.reason[:MAX_LETTERS]),
                )
            if ranking.seed is not None:
                attempt.set_driver_seed(ranking.seed)
        return ranked

    def _give_back(self, context: Any, spec_obj: Any, servers: Any) -> None:
        """Delete claims for new servers, none of which will be built.

        Nova does so only where hosts run out. It undoes a failed move
        itself: there the server's own claim must stay.
        """
        if servers and (
            len(servers) > 1 or get_operation(spec_obj) is Operation.FIRST_BOOT
        ):
            self._cleanup_allocations(context, servers)

    def _notify_driver(self, hosts: Any, spec_obj: Any, context: Any) -> None:
        """Notify the driver of what was claimed; it is too late to fail."""
        # Nova made other contexts current. Log lines carry this one's id.
        context.update_store()
        try:
            self.compute_driver.on_scheduled(hosts, spec_obj, context)
        except errors.FAILURES as error:
            report_failure(
                'driver', type(self.compute_driver).__name__, error
            )


def call_unwrapped(method: Any, *args: Any, **kwargs: Any) -> Any:
    """Call an RPC method of Nova's, and raise its exception unwrapped.

    ``expected_exceptions`` wraps an exception for the RPC server. Wrapped
    twice, it would reach the caller as an unexpected one.
    """
    try:
        return method(*args, **kwargs)
    except messaging.ExpectedException as wrapped:
        error = wrapped.exc_info[1]
    raise error


def _find_own(hosts: Sequence[Any], ranked: Sequence[Any]) -> list[Any]:
    """Return Nova's own host states, in the driver's order.

    Nova takes what a server needs off its own before it places the next one.

    :raises ValueError: for a host that Nova did not pass.
    """
    by_key = {host_key(host): host for host in hosts}
    keys = [host_key(host) for host in ranked]
    if not by_key.keys() >= set(keys):
        raise ValueError('rank() returned a host it was not given')
    return [by_key[key] for key in keys]


@contextlib.contextmanager
def _blame_driver(
    driver: Any, nova_errors: list[BaseException]
) -> Iterator[None]:
    """Name the driver in what its code raises; let Nova's own through.

    :param nova_errors: what Nova's code raised below the driver's.
    """
    try:
        yield
    except exception.NoValidHost:
        raise
    except errors.FAILURES as error:
        if error in nova_errors:
            raise
        raise report_failure(
            'driver', type(driver).__name__, error
        ) from error
