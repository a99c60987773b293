"""Answer RPC calls on the topic of nova-ext-scheduler."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import oslo_messaging as messaging

from nova_ext.client import wire
from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import (
    UnknownTopicError,
    WrongArgumentsError,
)
from nova_ext.core.decision import placement_diagnosis
from nova_ext.core.decision.decision import Decision, PlacementDiagnosis
from nova_ext.core.rpc.arguments import Name, Serial
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.core.rpc.losses import LossesRequest
from nova_ext.core.rpc.move_request import MoveRequest
from nova_ext.core.rpc.rehearsal import RehearsalRequest
from nova_ext.core.stats import capabilities as caps
from nova_ext.core.stats import zone_capabilities
from nova_ext.plugin import Driver
from nova_ext.record import shortening
from nova_ext.scheduler.facts.reports import ResourceStats, ServiceReports
from nova_ext.scheduler.rpc import driver_dispatch
from nova_ext.scheduler.rpc.exposed import (
    RefusingEndpoint,
    call_method,
    cast_method,
)
from nova_ext.scheduler.what_if.rehearse.rehearsals import Rehearsals
from nova_ext.scheduler.what_if.simulate.simulation_requests import (
    DIAGNOSIS_WAIT_S,
    MAX_RANKED,
    SimulationRequests,
)

#: Bytes of a decision in an answer; message buses carry several times that.
_MAX_BYTES = 4 * 1024 * 1024
#: Characters of a request to simulate: it may name all hosts of a cloud.
_SIMULATED_SIZE = 4 * 1024 * 1024
#: Characters of what a driver is asked. A question for offers has all room
#: that offers hold.
_SCHEDULED_SIZE = 16 * 1024 * 1024
#: Characters of a query to placement. Its web server takes about as many.
_MAX_QUERY = 16 * 1024


class SchedulerEndpoint(RefusingEndpoint):
    """Answer RPC calls.

    :param drivers: by topic.
    :param services: keeps reports.
    :param stats: keeps stats.
    :param list_needed_stats: returns the names of the stats that are needed.
    :param list_fingerprints: returns the fingerprints of the secrets of
        offers that are accepted.
    :param simulations: simulates boots.
    :param rehearsals: rehearses moves.
    :param describe_plugins: returns the active plugins.
    :param diagnose: diagnoses an answer of placement that was given some time
        ago: of this query, with this digest, by this time; it takes at most
        these seconds.
    """

    target = messaging.Target(version=wire.VERSION)

    def __init__(
        self, drivers: Mapping[str, Driver], services: ServiceReports,
        stats: ResourceStats, list_needed_stats: Callable[[], list[str]],
        list_fingerprints: Callable[[], list[str]],
        simulations: SimulationRequests, rehearsals: Rehearsals,
        describe_plugins: Callable[[], dict[str, Any]],
        diagnose: Callable[
            [str, str, datetime, float], PlacementDiagnosis | None
        ],
    ) -> None:
        super().__init__()
        self._drivers = drivers
        self._services = services
        self._stats = stats
        self._list_needed_stats = list_needed_stats
        self._list_fingerprints = list_fingerprints
        self._simulations = simulations
        self._rehearsals = rehearsals
        self._describe_plugins = describe_plugins
        self._diagnose = diagnose

    @call_method(_SCHEDULED_SIZE)
    def schedule(
        self, context: Any, topic: Name, schedule_method: Name,
        arguments: dict[str, Any],
    ) -> Any:
        """Run a method that the driver of a topic offers."""
        return driver_dispatch.schedule(
            self._drivers, context, topic, schedule_method, arguments
        )

    @cast_method
    def update_service_capabilities(
        self, context: Any, service_name: Name, host: Name, capabilities: Any,
        serial: Serial,
    ) -> None:
        """Take a report of a service.

        :param capabilities: see :func:`caps.validate`.
        """
        driver = self._drivers.get(service_name)
        if driver is None and service_name not in caps.HOST_SERVICES:
            raise UnknownTopicError(f'no driver of topic {service_name!r}')
        report = caps.validate(capabilities)
        self._services.check_host(service_name, host)
        if driver is not None:
            driver.update_service_capabilities(service_name, host, report)
        self._services.report(service_name, host, report, serial)

    @cast_method
    def update_resource_stats(
        self, context: Any, name: Any, stats: Any, serial: Serial
    ) -> None:
        """Take stats, see :meth:`ResourceStats.update`."""
        self._stats.update(name, stats, serial)

    @call_method()
    def required_stats(self, context: Any) -> list[str]:
        """Return the names of the stats that are worth sending."""
        return self._list_needed_stats()

    @call_method()
    def offers_honoured(self, context: Any) -> list[str]:
        """Return the fingerprints of the secrets of offers that are accepted.

        Empty where this scheduler ignores offers.
        """
        return self._list_fingerprints()

    @call_method(_SIMULATED_SIZE)
    def simulate(
        self, context: Any, request: BootRequest, changes: Changes,
        ranked_hosts: int,
    ) -> dict[str, Any]:
        """Decide a request, and do nothing.

        :returns: a :class:`Decision` as plain data.
        """
        _check_ranked(ranked_hosts)
        return _shorten(self._simulations.simulate(
            context, request, changes, ranked_hosts
        ))

    @call_method(_SIMULATED_SIZE)
    def simulate_move(
        self, context: Any, request: MoveRequest, changes: Changes,
        ranked_hosts: int,
    ) -> dict[str, Any]:
        """Decide where Nova would move a server, and do nothing.

        :returns: a :class:`.move_request.SimulatedMove` as plain data.
        """
        _check_ranked(ranked_hosts)
        move = self._simulations.simulate_move(
            context, request, changes, ranked_hosts
        )
        return {'decision': _shorten(move.decision), 'notes': move.notes}

    @call_method(_SIMULATED_SIZE)
    def rehearse(
        self, context: Any, request: RehearsalRequest
    ) -> dict[str, Any]:
        """Move the servers of hosts, one after the other, and change nothing.

        :returns: a :class:`.core.rpc.rehearsal.Rehearsal` as plain data.
        """
        return self._rehearsals.rehearse(context, request).to_dict()

    @call_method(_SIMULATED_SIZE)
    def rehearse_losses(
        self, context: Any, request: LossesRequest
    ) -> dict[str, Any]:
        """Rehearse losses, each from the same hosts, and change nothing.

        :returns: :class:`.core.rpc.losses.Losses` as plain data.
        """
        return self._rehearsals.rehearse_losses(context, request).to_dict()

    @call_method(_SIMULATED_SIZE)
    def capacity(
        self, context: Any, request: BootRequest, changes: Changes,
        is_empty: bool = False, diagnose: bool = True,
    ) -> dict[str, Any]:
        """Count how many more servers fit.

        :param is_empty: as if there were no servers yet.
        :param diagnose: ask what hosts lack, where placement offers none.
        :returns: a :class:`nova_ext.core.rpc.capacity.Capacity` as plain data.
        """
        result = self._simulations.capacity(
            context, request, changes, is_empty=is_empty, diagnose=diagnose
        )
        decision, result.decision = result.decision, None
        return {
            **result.to_dict(), 'decision': decision and _shorten(decision)
        }

    @call_method()
    def diagnose(
        self, context: Any, query: str, offered: str, ended: str
    ) -> dict[str, Any] | None:
        """Ask placement what the hosts lack that it left out.

        :param query: the query string of GET /allocation_candidates.
        :param offered: digest of the roots that it offered to a decision.
        :param ended: when the decision ended, ISO 8601.
        :returns: a :class:`PlacementDiagnosis` as plain data; None where
            there is none in time.
        """
        if len(query) > _MAX_QUERY:
            raise WrongArgumentsError('query is too long')
        try:
            at = placement_diagnosis.parse_time(ended)
        except (TypeError, ValueError):
            raise WrongArgumentsError('ended is no time') from None
        with self._simulations.limit_threads():
            diagnosis = self._diagnose(query, offered, at, DIAGNOSIS_WAIT_S)
        return None if diagnosis is None else plain_data.dump_sparse(diagnosis)

    @call_method()
    def service_capabilities(self, context: Any) -> dict[str, Any]:
        """Return the capabilities of all services that are up.

        :returns: ``services``: summaries by capability, by service;
            ``gathering``: whether there may be more: others may be up that
            have not reported since this scheduler started, or a capability
            has too many words to name them.
        """
        services = zone_capabilities.summarize_services(
            self._services.get_all()
        )
        is_cut = zone_capabilities.cut_long(services)
        return {
            'services': services,
            'gathering': self._services.is_gathering() or is_cut,
        }

    @call_method()
    def in_force(self, context: Any) -> dict[str, Any]:
        """Return the active filters, weighers and drivers."""
        return self._describe_plugins()


def _check_ranked(ranked_hosts: int) -> None:
    if not 0 < ranked_hosts <= MAX_RANKED:
        raise WrongArgumentsError(
            f'ranked_hosts is no integer from 1 to {MAX_RANKED}'
        )


def _shorten(decision: Decision) -> dict[str, Any]:
    """Return a decision as plain data, cut to what an answer may carry."""
    line = shortening.to_line(decision, _MAX_BYTES, in_full=True)
    return json.loads(line)
