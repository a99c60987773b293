"""Nova's way to choose hosts, with drivers and a record of the decision."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import oslo_messaging as messaging
from nova import exception, objects
from nova.scheduler import manager

from nova_ext.core.extension import ComputeDriver, Driver, Ranking
from nova_ext.core.request import scheduler_hints
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.core.rpc import offers
from nova_ext.scheduler.base.best_effort import harmless
from nova_ext.scheduler.base.host_identity import host_key
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.decide import offer_support, request_log, seeded_random
from nova_ext.scheduler.decide.recording_placement import (
    RecordingPlacementClient,
)
from nova_ext.scheduler.discovery.extension_failure import request_failure
from nova_ext.scheduler.explainers.reason import alike
from nova_ext.scheduler.trace import request_facts, trace
from nova_ext.scheduler.trace.attempt import AttemptTrace


class DecidingManager(manager.SchedulerManager):
    """Nova's SchedulerManager, deciding through drivers.

    It overrides the fewest of Nova's methods that it can; all else is
    Nova's own code, inherited.

    :ivar drivers: by topic; there is one of topic ``compute``.
    """

    drivers: Mapping[str, Driver]

    @property
    def compute_driver(self) -> ComputeDriver:
        """The driver of topic compute."""
        driver = self.drivers['compute']
        assert isinstance(driver, ComputeDriver)  # noqa: S101  load() checks
        return driver

    @property
    def placement_client(self) -> Any:
        """Nova's placement client; what it is asked is recorded."""
        return RecordingPlacementClient(super().placement_client)

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
        request_log.log(context, spec_obj, filter_properties)

        novas: list[Exception] = []

        def schedule() -> Any:
            try:
                return unwrapped(
                    super(DecidingManager, self).select_destinations,
                    context, spec_obj=spec_obj,
                    instance_uuids=instance_uuids,
                    return_objects=return_objects,
                    return_alternates=return_alternates,
                )
            except Exception as error:
                novas.append(error)
                raise

        driver = self.compute_driver
        recording = self._recording(
            context, spec_obj, instance_uuids, type(driver)
        )
        try:
            with recording, _naming(driver, novas):
                self._set_readers()
                destinations = driver.select_destinations(
                    context, spec_obj, filter_properties or {}, schedule
                )
                hosts = recording.placed(destinations)
        except exception.NoValidHost as error:
            if error.__cause__ is not None:  # an extension raised
                self._give_back(context, spec_obj, instance_uuids)
            raise
        if get_operation(spec_obj) is not Operation.REBUILD:
            self._tell_driver(hosts, spec_obj, context)
        return destinations

    @harmless
    def _set_readers(self) -> None:
        """Set in the trace what may read a hint of the request."""
        open_trace = trace.current()
        if open_trace is not None:
            open_trace.readers = [type(one) for one in (
                *self.host_manager.enabled_filters,
                *self.host_manager.weighers, self.compute_driver,
            )]

    def _recording(self, *about: Any) -> recorder.Recording:
        """Return what records a request's decision."""
        return recorder.Recording(*about)

    def _get_sorted_hosts(
        self, spec_obj: Any, host_states: Any, index: int
    ) -> Any:
        """Return Nova's filtered and weighed hosts, ranked by the driver."""
        hosts = list(host_states)
        open_trace = trace.current()
        attempt = None
        if open_trace is not None:
            attempt = open_trace.begin_attempt(index, hosts)
        novas = seeded_random.of(super()._get_sorted_hosts)
        passed = novas.method(spec_obj, hosts, index)
        if attempt is not None:
            attempt.end_weighing(passed, novas.seed)
        if passed and not self._was_offered(spec_obj):
            passed = self._rank(passed, spec_obj, attempt)
        if attempt is not None:
            attempt.end(passed)
        return passed

    def _was_offered(self, spec_obj: Any) -> bool:
        """Whether the driver chose before, and OfferFilter holds to it.

        The driver can't choose again: the address from which the server is
        created is this host's.
        """
        return bool(
            scheduler_hints.values(spec_obj, offers.HINT)
            and get_operation(spec_obj) is Operation.FIRST_BOOT
            and self._fingerprint()
        )

    def _fingerprint(self) -> str:
        return offer_support.fingerprint(self.host_manager)

    def _rank(
        self, hosts: list[Any], spec_obj: Any, attempt: AttemptTrace | None
    ) -> list[Any]:
        """Return the hosts that the driver lets be used, best first."""
        driver = self.compute_driver
        name = type(driver).__name__
        try:
            ranking = driver.rank(
                hosts, spec_obj, request_facts.caller(spec_obj)
            )
            if not isinstance(ranking, Ranking):
                raise TypeError('rank() returned no Ranking')
            ranked = _own(hosts, ranking.hosts)
        except Exception as error:
            raise request_failure('driver', name, error) from error
        if attempt is not None:
            if len(ranked) < len(hosts):
                attempt.add_step(
                    name, 'driver', hosts, ranked, alike(ranking.why)
                )
            if ranking.seed is not None:
                attempt.set_driver_seed(ranking.seed)
        return ranked

    def _give_back(self, context: Any, spec_obj: Any, servers: Any) -> None:
        """Delete claims for new servers, none of which will be built.

        Nova does so only where hosts run out. It undoes a failed move
        itself, where the server's own claim must stay.
        """
        if servers and (
            len(servers) > 1 or get_operation(spec_obj) is Operation.FIRST_BOOT
        ):
            self._cleanup_allocations(context, servers)

    def _tell_driver(self, hosts: Any, spec_obj: Any, context: Any) -> None:
        """Tell the driver what was claimed; it is too late to fail."""
        # Of the contexts in use meanwhile, its log lines carry the caller's.
        context.update_store()
        try:
            self.compute_driver.scheduled(hosts, spec_obj, context)
        except Exception as error:
            request_failure(
                'driver', type(self.compute_driver).__name__, error
            )


def unwrapped(method: Any, *args: Any, **kwargs: Any) -> Any:
    """Call an RPC method of Nova's; raise what it really raised.

    ``expected_exceptions`` wraps an exception for the RPC server; wrapped
    twice it would reach the caller as an unexpected one.
    """
    try:
        return method(*args, **kwargs)
    except messaging.ExpectedException as wrapped:
        error = wrapped.exc_info[1]
    raise error


def _own(hosts: Sequence[Any], ranked: Sequence[Any]) -> list[Any]:
    """Return Nova's own host states, in the order of a driver's.

    Nova takes what a server needs off its own before it places the next one.

    :raises ValueError: for a host that is none of Nova's.
    """
    by_key = {host_key(host): host for host in hosts}
    keys = [host_key(host) for host in ranked]
    if not by_key.keys() >= set(keys):
        raise ValueError('rank() returned a host it was not given')
    return [by_key[key] for key in keys]


@contextlib.contextmanager
def _naming(driver: Any, novas: list[Exception]) -> Iterator[None]:
    """Name the driver in what its code raises; let Nova's own through.

    :param novas: what Nova's code raised below the driver's.
    """
    try:
        yield
    except exception.NoValidHost:
        raise
    except Exception as error:
        if error in novas:
            raise
        raise request_failure(
            'driver', type(driver).__name__, error
        ) from error
