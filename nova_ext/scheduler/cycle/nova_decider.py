"""Choose hosts by Nova's own code, and let a driver rank them.

The one class that overrides how Nova decides. Each hook asks the source,
where hosts come from, or the effects, what else the decision does.
"""

from typing import Any

import oslo_messaging as messaging
from nova import exception, objects
from nova.scheduler import manager

from nova_ext.core.base import errors, offer_signature
from nova_ext.core.base.mode import Mode
from nova_ext.core.request import scheduler_hints
from nova_ext.core.request.operation import Operation, get_operation
from nova_ext.plugin import ComputeDriver
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.cycle import (
    accepted_secrets,
    cycle,
    driver_ranking,
)
from nova_ext.scheduler.cycle.cycle import Cycle
from nova_ext.scheduler.cycle.effects import LiveEffects, TracedRequest
from nova_ext.scheduler.cycle.nova_source import NovaSource
from nova_ext.scheduler.plugins.traced_placement import (
    TracedPlacementClient,
    trace_report_client,
)
from nova_ext.scheduler.trace import request_facts


class NovaDecider(manager.SchedulerManager):
    """Run cycles: choose hosts for the servers of a request.

    It inherits Nova's code that decides, and nothing that serves: Nova's
    constructor, which connects and reads all servers, is the service's. Any
    number of deciders may stand beside it, each with parts of its own.

    :param host_manager: Nova's host manager, with filters and weighers.
    :param driver: ranks the hosts that pass.
    :param source: where candidates and hosts come from.
    :param effects: what else a decision does.
    """

    def __init__(
        self, host_manager: Any, driver: ComputeDriver, source: NovaSource,
        effects: LiveEffects,
    ) -> None:
        self.host_manager = host_manager
        self.driver = driver
        self.source = source
        self.effects = effects
        self.notifier = effects.notifier

    @property
    def placement_client(self) -> Any:
        """Return the placement client that a request uses, traced."""
        return self.source.wrap(TracedPlacementClient(
            self.effects.get_placement(lambda: trace_report_client(
                super(NovaDecider, self).placement_client
            ))
        ))

    def select_destinations(
        self, context: Any, request_spec: Any = None,
        filter_properties: Any = None, spec_obj: Any = None,
        instance_uuids: Any = None, return_objects: bool = False,
        return_alternates: bool = False,
    ) -> Any:
        """Choose hosts as Nova does, through the driver.

        Arguments and result are those of Nova's method.

        :raises NoValidHost: not wrapped for an RPC server.
        """
        if spec_obj is None:
            spec_obj = objects.RequestSpec.from_primitives(
                context, request_spec, filter_properties
            )
        request_facts.log_request(context, spec_obj, filter_properties)
        nova_errors: list[BaseException] = []

        def schedule() -> Any:
            try:
                return _call_unwrapped(
                    self.source.select,
                    super(NovaDecider, self).select_destinations,
                    self._select_destinations, context, spec_obj=spec_obj,
                    instance_uuids=instance_uuids,
                    return_objects=return_objects,
                    return_alternates=return_alternates,
                )
            except errors.FAILURES as error:
                nova_errors.append(error)
                raise

        current = Cycle(
            Mode.SCHEDULER, spec_obj, instance_uuids,
            self.source.is_to_verify(),
            journaled=self.effects.begin_journal(context, spec_obj, {
                'return_objects': return_objects,
                'return_alternates': return_alternates,
            }),
        )
        traced = TracedRequest(
            context, current, type(self.driver), self.effects
        )
        try:
            with (
                self.effects.go_first(), cycle.running(current), traced,
                driver_ranking.blame_driver(self.driver, nova_errors),
            ):
                self._set_readers()
                self.source.begin(current)
                destinations = self.driver.select_destinations(
                    context, spec_obj, filter_properties or {}, schedule
                )
                hosts = traced.set_destinations(destinations)
        except exception.NoValidHost as error:
            if error.__cause__ is not None:  # a plugin raised
                self._release_claims(context, spec_obj, instance_uuids)
            raise
        finally:
            self.source.end(current)
        if get_operation(spec_obj) is not Operation.REBUILD:
            self.effects.notify_driver(self.driver, hosts, spec_obj, context)
        return destinations

    def _select_destinations(
        self, context: Any, spec_obj: Any, instance_uuids: Any,
        *candidates: Any, **kwargs: Any,
    ) -> Any:
        """Choose hosts, and notify of it if the effects do."""
        choose = self._schedule
        if self.effects.notifier is not None:
            choose = super()._select_destinations
        return choose(context, spec_obj, instance_uuids, *candidates, **kwargs)

    def _schedule(
        self, context: Any, spec_obj: Any, instance_uuids: Any,
        *candidates: Any, **kwargs: Any,
    ) -> Any:
        """Choose hosts from the source."""
        # Nova itself needs no client here: a rebuild does without placement.
        client = self.placement_client if self.source.has_hosts() else None
        return self.source.schedule(
            super()._schedule, client, context, spec_obj,
            instance_uuids, *candidates, **kwargs
        )

    def _get_all_host_states(self, *args: Any) -> Any:
        """Return Nova's host states; none where the source has hosts."""
        if self.source.has_hosts():
            return iter(())
        return self.effects.isolate(super()._get_all_host_states(*args))

    def _get_sorted_hosts(
        self, spec_obj: Any, host_states: Any, index: int
    ) -> Any:
        """Return the hosts that pass, as the driver ranks them."""
        self.effects.before_ranking(spec_obj)
        ranked = self.source.rank(
            super()._get_sorted_hosts, spec_obj, host_states, index
        )
        attempt = cycle.get_attempt()
        if ranked and not self._was_offered(spec_obj):
            ranked = driver_ranking.rank(
                self.driver, ranked, spec_obj, attempt
            )
        if attempt is not None:
            attempt.end(ranked)
            journaled = cycle.get_journaled()
            if journaled is not None:
                journaled.end_attempt(ranked)
        kept = self.source.keep(ranked)
        self.effects.after_ranking(spec_obj, ranked)
        return kept

    def _ensure_sufficient_hosts(
        self, context: Any, hosts: Any, required_count: int, *claimed: Any
    ) -> None:
        """Note the chosen hosts, which Nova refuses if they are too few."""
        self.effects.note_chosen(hosts, required_count)
        super()._ensure_sufficient_hosts(
            context, hosts, required_count, *claimed
        )

    def _cleanup_allocations(self, context: Any, instance_uuids: Any) -> None:
        """Delete claims, unless who asked does."""
        if self.effects.releases_claims:
            super()._cleanup_allocations(context, instance_uuids)

    def _release_claims(
        self, context: Any, spec_obj: Any, servers: Any
    ) -> None:
        """Delete claims for new servers that will not be built.

        Nova does so only where hosts run out. It undoes a failed move
        itself: there the server's own claim must stay.
        """
        if servers and (
            len(servers) > 1 or get_operation(spec_obj) is Operation.FIRST_BOOT
        ):
            self._cleanup_allocations(context, servers)

    def _was_offered(self, spec_obj: Any) -> bool:
        """Say whether the driver chose before, and OfferFilter checks it.

        The driver can't choose again: nova-ext creates the server, so that
        the caller's address is this host's.
        """
        return bool(
            scheduler_hints.get_hint_values(spec_obj, offer_signature.HINT)
            and get_operation(spec_obj) is Operation.FIRST_BOOT
            and accepted_secrets.list_fingerprints(self.host_manager)
        )

    @best_effort
    def _set_readers(self) -> None:
        """Set which classes may read hints of the request, and decide."""
        filters = list(map(type, self.host_manager.enabled_filters))
        weighers = list(map(type, self.host_manager.weighers))
        trace, journaled = cycle.get_trace(), cycle.get_journaled()
        if trace is not None:
            trace.readers = [*filters, *weighers, type(self.driver)]
        if journaled is not None:
            journaled.set_plugins(filters, weighers, type(self.driver))


def _call_unwrapped(method: Any, *args: Any, **kwargs: Any) -> Any:
    """Call an RPC method of Nova's, and raise its exception unwrapped.

    ``expected_exceptions`` wraps an exception for the RPC server. Wrapped
    twice, it would reach the caller as an unexpected one.
    """
    try:
        return method(*args, **kwargs)
    except messaging.ExpectedException as wrapped:
        error = wrapped.exc_info[1]
    raise error
