"""Nova's scheduler manager with drivers, and a record of every decision.

The door of rung 2. It overrides the fewest of Nova's methods that it can;
all else is Nova's own code, inherited.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import oslo_messaging as messaging
from nova import exception, objects
from nova.scheduler import manager
from nova.scheduler.client import report
from oslo_utils import uuidutils

from nova_ext.core import hints, offers
from nova_ext.core.extension import ComputeDriver, Ranking
from nova_ext.core.occasion import Occasion, occasion
from nova_ext.scheduler import (
    dispatch,
    drivers,
    endpoint,
    facts,
    loaded,
    needed,
    options,
    recorder,
    request_facts,
    request_log,
    trace,
)
from nova_ext.scheduler.explainers import Reason
from nova_ext.scheduler.filters import failed
from nova_ext.scheduler.launch import honoured
from nova_ext.scheduler.launch.launcher import Launcher
from nova_ext.scheduler.placement import RecordingPlacementClient


class SchedulerManager(manager.SchedulerManager):
    """Nova's SchedulerManager, deciding through drivers.

    Nova builds it in the master process and forks its workers from it:
    everything that can be wrong is found here, nothing is started here.

    :raises ConfigurationError: for a driver, filter, weigher or policy
        that can't be used.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        loaded.validate()
        self.drivers = drivers.load(
            options.CONF.nova_ext.scheduler_driver, facts.get()
        )
        super().__init__(*args, **kwargs)
        loaded.record_all(self.host_manager)
        self.compute_driver.launcher = Launcher(
            self._choose, self._fingerprint
        )
        self._server: Any = None

    def init_host(self, service_ref: Any) -> None:
        """Begin in a worker, with connections of its own.

        Nova asks Keystone and placement in the master already, and forked
        workers share the connections that stay open: one would read what
        another was answered.
        """
        report.PLACEMENTCLIENT = None
        super().init_host(service_ref)

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
                return _unwrapped(
                    super(SchedulerManager, self).select_destinations,
                    context, spec_obj=spec_obj,
                    instance_uuids=instance_uuids,
                    return_objects=return_objects,
                    return_alternates=return_alternates,
                )
            except Exception as error:
                novas.append(error)
                raise

        driver = self.compute_driver
        recording = recorder.Recording(
            context, spec_obj, instance_uuids, type(driver)
        )
        try:
            with recording, _naming(driver, novas):
                destinations = driver.select_destinations(
                    context, spec_obj, filter_properties or {}, schedule
                )
                hosts = recording.placed(destinations)
        except exception.NoValidHost as error:
            if error.__cause__ is not None:  # an extension raised
                self._give_back(context, spec_obj, instance_uuids)
            raise
        if occasion(spec_obj) is not Occasion.REBUILD:
            self._tell_driver(hosts, spec_obj, context)
        return destinations

    def schedule(
        self, context: Any, topic: str, schedule_method: str, /,
        **kwargs: Any,
    ) -> Any:
        """Run a method that the driver of a topic offers.

        :param kwargs: the method's arguments.
        :raises SchedulingError: a subclass says what is wrong.
        """
        return dispatch.schedule(
            self.drivers, context, topic, schedule_method, kwargs
        )

    def post_start_hook(self) -> None:
        """Serve the topic of our own, too: in a worker, once Nova serves."""
        super().post_start_hook()
        kept = facts.get()
        self._server = endpoint.server(self.host, endpoint.Endpoint(
            self.drivers, kept.services, kept.resource_stats,
            lambda: needed.stats(self.host_manager, self.drivers),
            self._fingerprint,
        ))
        self._server.start()

    def graceful_shutdown(self, *args: Any, **kwargs: Any) -> None:
        """End the requests in hand, then their record: from Nova 33 on."""
        super().graceful_shutdown(*args, **kwargs)
        self._close(recorder.get())

    def cleanup_host(self) -> None:
        """The same before Nova 33, when no request is in hand any more."""
        super().cleanup_host()
        self._close(recorder.get())

    def _close(self, record: recorder.Recorder) -> None:
        if self._server is not None:
            self._server.stop()
            self._server.wait()
        record.close()

    def _get_sorted_hosts(
        self, spec_obj: Any, host_states: Any, index: int
    ) -> Any:
        """Nova's filtered and weighed hosts, as the driver ranks them."""
        made = trace.current()
        hosts = list(host_states)
        if made is not None:
            made.begin(index, hosts)
        passed = super()._get_sorted_hosts(spec_obj, hosts, index)
        if made is not None:
            made.sorted(passed)
        if passed and not self._was_offered(spec_obj):
            passed = self._rank(passed, spec_obj)
        if made is not None:
            made.ranked(passed)
        return passed

    def _choose(self, context: Any, spec_obj: Any, count: int) -> Any:
        """Choose hosts for servers that are not there yet.

        What is claimed for them, so that several fit side by side, is given
        back: their own boots will claim it.

        :returns: Nova's Selection of each.
        """
        spec_obj.num_instances = count
        servers = [uuidutils.generate_uuid() for _ in range(count)]
        chosen = _unwrapped(
            self.select_destinations, context, spec_obj=spec_obj,
            instance_uuids=servers, return_objects=True,
        )
        self._cleanup_allocations(context, servers)
        return [selections[0] for selections in chosen]

    def _was_offered(self, spec_obj: Any) -> bool:
        """Whether the driver chose before, and OfferFilter holds to it.

        The driver can't choose again: the address from which the server is
        created is this host's.
        """
        return bool(
            hints.values(spec_obj, offers.HINT)
            and occasion(spec_obj) is Occasion.FIRST_BOOT
            and self._fingerprint()
        )

    def _fingerprint(self) -> str:
        return honoured.fingerprint(self.host_manager)

    def _rank(self, hosts: Any, spec_obj: Any) -> Any:
        driver = self.compute_driver
        name = type(driver).__name__
        try:
            ranking = driver.rank(
                hosts, spec_obj, request_facts.caller(spec_obj)
            )
            if not isinstance(ranking, Ranking):
                raise TypeError('rank() returned no Ranking')
            ranked = list(ranking.hosts)
            if {id(host) for host in ranked} - {id(host) for host in hosts}:
                raise ValueError('rank() returned a host it was not given')
        except Exception as error:
            raise failed('driver', name, error) from error
        made = trace.current()
        if made is not None and len(ranked) < len(hosts):
            why = Reason(ranking.why)
            made.step(name, 'driver', hosts, ranked, lambda host: why)
        return ranked

    def _give_back(self, context: Any, spec_obj: Any, servers: Any) -> None:
        """Delete claims for new servers, none of which will be built.

        Nova does so only where hosts run out. It undoes a failed move
        itself, where the server's own claim must stay.
        """
        if servers and (
            len(servers) > 1 or occasion(spec_obj) is Occasion.FIRST_BOOT
        ):
            self._cleanup_allocations(context, servers)

    def _tell_driver(self, hosts: Any, spec_obj: Any, context: Any) -> None:
        """Tell the driver what was claimed; it is too late to fail."""
        # Of the contexts in use meanwhile, its log lines carry the caller's.
        context.update_store()
        try:
            self.compute_driver.scheduled(hosts, spec_obj, context)
        except Exception as error:
            failed('driver', type(self.compute_driver).__name__, error)


def _unwrapped(method: Any, *args: Any, **kwargs: Any) -> Any:
    """Call an RPC method of Nova's; raise what it really raised.

    ``expected_exceptions`` wraps an exception for the RPC server; wrapped
    twice it would reach the caller as an unexpected one.
    """
    try:
        return method(*args, **kwargs)
    except messaging.ExpectedException as wrapped:
        error = wrapped.exc_info[1]
    raise error


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
        raise failed('driver', type(driver).__name__, error) from error
