"""Manage nova-ext-scheduler: start and end what it serves.

A subclass of Nova's SchedulerManager. It serves, and
``cycle/nova_decider.py`` decides.
"""

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import oslo_messaging as messaging
from nova import exception
from nova.scheduler import manager
from nova.scheduler.client import report
from oslo_service import periodic_task

from nova_ext.drivers.zone import ZoneAwareScheduler
from nova_ext.plugin import ComputeDriver
from nova_ext.scheduler import shutdown
from nova_ext.scheduler.base import options
from nova_ext.scheduler.completion import (
    aggregate_exclusions,
    diagnosis_worker,
    recorder,
)
from nova_ext.scheduler.cycle import accepted_secrets
from nova_ext.scheduler.cycle.effects import LiveEffects
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.cycle.nova_source import NovaSource
from nova_ext.scheduler.discovery import active_plugins, validation
from nova_ext.scheduler.facts import nova_facts, server_hosts
from nova_ext.scheduler.launch import host_choice
from nova_ext.scheduler.launch.launcher import ServerLauncher
from nova_ext.scheduler.mirror import mirror_loading
from nova_ext.scheduler.mirror.mirror_source import MirrorSource
from nova_ext.scheduler.offers.offerer import ZoneOfferer
from nova_ext.scheduler.orphaned_allocations import releaser
from nova_ext.scheduler.orphaned_allocations.leader import Leader
from nova_ext.scheduler.plugins import (
    costs,
    drivers,
    topic_chooser,
    traced,
)
from nova_ext.scheduler.rpc import driver_dispatch, server
from nova_ext.scheduler.rpc.endpoint import SchedulerEndpoint
from nova_ext.scheduler.rpc.mirror_endpoint import MirrorEndpoint
from nova_ext.scheduler.what_if.rehearse.rehearsals import Rehearsals
from nova_ext.scheduler.what_if.simulate import simulation_requests

options.register_all()
#: Loaded with the manager, though the first request uses them: an upgrade may
#: replace the package while a scheduler runs.
_LOADED = (aggregate_exclusions, diagnosis_worker, server_hosts)


class SchedulerManager(manager.SchedulerManager):
    """Manage nova-ext-scheduler.

    Nova builds it in the master process and forks its workers from it. So
    the constructor validates everything, and starts nothing.

    :ivar drivers: by topic; there is one of topic ``compute``.
    :ivar decider: decides real boots.

    :raises ConfigurationError: for a driver, filter, weigher or policy
        that can't be used.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        validation.validate()
        self.drivers = drivers.load(
            options.CONF.nova_ext.scheduler_driver, nova_facts.get()
        )
        super().__init__(*args, **kwargs)
        traced.trace_all(self.host_manager)
        facts = nova_facts.get()
        # Before there are threads, which must not make two of each.
        facts.services, facts.resource_stats  # noqa: B018
        topic_chooser.provide_choosers(self.drivers)
        self._costs = costs.load(nova_facts.get())
        self._server: Any = None
        self._mirror = mirror_loading.load(
            self.host_manager, lambda: self.placement_client
        )
        driver = self.drivers['compute']
        assert isinstance(driver, ComputeDriver)  # noqa: S101  load() checks
        self.decider = NovaDecider(
            self.host_manager, driver,
            NovaSource() if self._mirror is None
            else MirrorSource(self._mirror),
            LiveEffects(self.notifier),
        )
        driver.launcher = ServerLauncher(
            partial(host_choice.choose, self.decider), self._list_fingerprints
        )
        self._releaser = releaser.Releaser(
            Leader(self.host, self.servicegroup_api),
            report.report_client_singleton,
        )

    def init_host(self, service_ref: Any) -> None:
        """Start in a worker, with connections of its own.

        Nova connects to Keystone and placement in the master already.
        Workers would share these connections, and read each other's answers.
        """
        report.PLACEMENTCLIENT = None
        super().init_host(service_ref)

    @messaging.expected_exceptions(exception.NoValidHost)
    def select_destinations(
        self, context: Any, request_spec: Any = None,
        filter_properties: Any = None, spec_obj: Any = None,
        instance_uuids: Any = None, return_objects: bool = False,
        return_alternates: bool = False,
    ) -> Any:
        """Choose hosts, as Nova's method does."""
        return self.decider.select_destinations(
            context, request_spec, filter_properties, spec_obj,
            instance_uuids, return_objects, return_alternates,
        )

    def update_aggregates(self, *args: Any, **kwargs: Any) -> None:
        """Update Nova's aggregates, and have the mirror read their hosts."""
        super().update_aggregates(*args, **kwargs)
        if self._mirror is not None:
            self._mirror.wake()

    def delete_aggregate(self, *args: Any, **kwargs: Any) -> None:
        """Delete one of Nova's aggregates, and have its hosts read."""
        super().delete_aggregate(*args, **kwargs)
        if self._mirror is not None:
            self._mirror.wake()

    def update_instance_info(
        self, context: Any, host_name: Any, instance_info: Any
    ) -> None:
        """Take servers of a host, as Nova's method does."""
        super().update_instance_info(context, host_name, instance_info)
        self._note_servers(host_name)

    def delete_instance_info(
        self, context: Any, host_name: Any, instance_uuid: Any
    ) -> None:
        """Take that a server left a host, as Nova's method does."""
        super().delete_instance_info(context, host_name, instance_uuid)
        self._note_servers(host_name)

    def sync_instance_info(
        self, context: Any, host_name: Any, instance_uuids: Any
    ) -> None:
        """Take all servers of a host, as Nova's method does."""
        super().sync_instance_info(context, host_name, instance_uuids)
        self._note_servers(host_name)

    def _note_servers(self, host: str) -> None:
        if self._mirror is not None:
            self._mirror.note_servers(host)

    def schedule(
        self, context: Any, topic: str, schedule_method: str, /,
        **kwargs: Any,
    ) -> Any:
        """Call a method that the driver of a topic offers.

        :raises SchedulingError: a subclass of it.
        """
        return driver_dispatch.schedule(
            self.drivers, context, topic, schedule_method, kwargs
        )

    def post_start_hook(self) -> None:
        """Serve nova-ext's topic, too: in a worker, once Nova serves."""
        super().post_start_hook()
        if self._mirror is not None:
            self._mirror.start()
        facts = nova_facts.get()
        simulations = simulation_requests.SimulationRequests(
            self.decider, server.count_threads()
        )
        zone_driver = self.drivers.get(ZoneAwareScheduler.topic)
        if isinstance(zone_driver, ZoneAwareScheduler):
            zone_driver.offerer = ZoneOfferer(
                self.decider, self._costs, simulations,
                self._list_fingerprints,
            )
        self._server = server.make_server(self.host, SchedulerEndpoint(
            self.drivers, facts.services, facts.resource_stats,
            lambda: validation.list_needed_stats(self.host_manager, (
                *self.drivers.values(),
                *(cost for cost, _ in self._costs.weighted),
            )),
            self._list_fingerprints, simulations,
            Rehearsals(self.decider, simulations),
            lambda: active_plugins.describe(
                self.host_manager, self.drivers, self._costs.weighted
            ),
            lambda *args: (
                recorder.get().diagnosis_worker.diagnose_past(*args)
            ),
        ), MirrorEndpoint(self.host, os.getpid(), self._mirror))
        facts.services.listen()
        self._server.start()

    @periodic_task.periodic_task(spacing=releaser.INTERVAL_S)
    def _release_orphaned_allocations(self, context: Any) -> None:
        """Release what failed servers hold in placement, if this leads."""
        if options.CONF.nova_ext.release_orphaned_allocations:
            self._releaser.run()

    def graceful_shutdown(self, *args: Any, **kwargs: Any) -> None:
        """End, on SIGTERM from Nova 33 on: see ``shutdown.py``."""
        self._end(partial(super().graceful_shutdown, *args, **kwargs))

    def cleanup_host(self) -> None:
        """End, on SIGTERM before Nova 33: see ``shutdown.py``."""
        self._end(super().cleanup_host)

    def _end(self, end_requests: Callable[[], None]) -> None:
        serving = shutdown.stop_serving(self._server)
        try:
            end_requests()
        finally:
            shutdown.end(serving, self._mirror)

    def _list_fingerprints(self) -> list[str]:
        return accepted_secrets.list_fingerprints(self.host_manager)
