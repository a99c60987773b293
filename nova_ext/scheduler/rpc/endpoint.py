"""The RPC server of nova-ext-scheduler, on a topic of its own."""

import functools
import inspect
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

import oslo_messaging as messaging
from nova import rpc

from nova_ext.client import wire
from nova_ext.core.base.scheduling_errors import (
    SchedulingError,
    UnknownTopicError,
    WrongArgumentsError,
)
from nova_ext.core.decision.decision import Decision
from nova_ext.core.extension import Driver
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.core.stats import capabilities as caps
from nova_ext.record import shortening
from nova_ext.scheduler.base.rate_limited_log import LONGEST, Seldom
from nova_ext.scheduler.facts.resource_stats import ResourceStats
from nova_ext.scheduler.facts.services import Services
from nova_ext.scheduler.rpc import driver_dispatch
from nova_ext.scheduler.rpc.guarded_dispatcher import Guarded
from nova_ext.scheduler.simulate.questions import MAX_RANKED, WhatIf

#: Characters of a topic's or a host's name.
_LONGEST_NAME = LONGEST
#: Bytes of a decision in an answer; message buses carry several times that.
_MAX_BYTES = 4 * 1024 * 1024

LOG = logging.getLogger(__name__)


def server(host: str, endpoint: 'Endpoint') -> Any:
    """Make the RPC server of one scheduler worker; it is not started yet.

    :param host: the name of the scheduler's host.
    :returns: oslo.messaging's server, with threads of its own beside those
        that Nova's has.
    """
    made = rpc.get_server(
        messaging.Target(topic=wire.TOPIC, server=host), [endpoint]
    )
    made.dispatcher = Guarded(made.dispatcher)
    return made


def _answer(method: Callable[..., Any]) -> Any:
    """Answer arguments of the wrong names or kinds with a typed error."""
    signature = inspect.signature(method)

    @messaging.expected_exceptions(SchedulingError)
    def answering(self: Any, context: Any, /, **message: Any) -> Any:
        try:
            signature.bind(self, context, **message)
        except TypeError as error:
            refusal = WrongArgumentsError(
                f'{method.__name__}: {str(error)[:LONGEST]}'
            )
            # Who sends a report or stats waits for no answer.
            self._complain('A message is refused', refusal)
            raise refusal from None
        return method(self, context, **message)

    return functools.wraps(method)(answering)


class Endpoint:
    """What may be asked of nova-ext-scheduler over RPC.

    :param drivers: by topic.
    :param services: where reports are kept.
    :param stats: where stats are kept.
    :param needed_stats: gives the names of the stats that are needed.
    :param offers_honoured: gives the fingerprint of the offers' secret.
    :param what_if: answers what boots would come to.
    :param in_force: tells which extensions decide.
    """

    target = messaging.Target(version=wire.VERSION)

    def __init__(
        self, drivers: Mapping[str, Driver], services: Services,
        stats: ResourceStats, needed_stats: Callable[[], list[str]],
        offers_honoured: Callable[[], str],
        what_if: WhatIf, in_force: Callable[[], dict[str, Any]],
    ) -> None:
        self._drivers = drivers
        self._services = services
        self._stats = stats
        self._needed_stats = needed_stats
        self._offers_honoured = offers_honoured
        self._what_if = what_if
        self._in_force = in_force
        self._complaints = Seldom(LOG)

    @_answer
    def schedule(
        self, context: Any, topic: str, schedule_method: str,
        arguments: Mapping[str, Any],
    ) -> Any:
        """Run a method that the driver of a topic offers."""
        if not isinstance(arguments, Mapping):
            raise WrongArgumentsError('schedule: arguments are no mapping')
        return driver_dispatch.schedule(
            self._drivers, context, _name('topic', topic),
            _name('schedule_method', schedule_method), arguments,
        )

    @_answer
    def update_service_capabilities(
        self, context: Any, service_name: str, host: str,
        capabilities: Mapping[str, Any], serial: int,
    ) -> None:
        """Take a report; who sent it waits for no answer."""
        try:
            self._take(service_name, host, capabilities, serial)
        except Exception as error:
            self._complain('A report of capabilities is refused', error)

    @_answer
    def update_resource_stats(
        self, context: Any, name: Any, stats: Any, serial: int
    ) -> None:
        """Take stats of a host; who sent them waits for no answer."""
        try:
            self._stats.update(name, stats, _serial(serial))
        except Exception as error:
            self._complain('Stats are refused', error)

    @_answer
    def required_stats(self, context: Any) -> list[str]:
        """Names of the stats that are worth sending."""
        return self._needed_stats()

    @_answer
    def offers_honoured(self, context: Any) -> str:
        """Whose offers are honoured here; '' where none are."""
        return self._offers_honoured()

    @_answer
    def simulate(
        self, context: Any, request: Any, changes: Any, ranked_hosts: Any
    ) -> dict[str, Any]:
        """Decide a request, and do nothing; see :class:`WhatIf`.

        :param request: a :class:`BootRequest` as plain data.
        :param changes: :class:`Changes` as plain data.
        :returns: a :class:`Decision` as plain data.
        """
        if type(ranked_hosts) is not int or not (
            0 < ranked_hosts <= MAX_RANKED
        ):
            raise WrongArgumentsError(
                f'ranked_hosts is no integer from 1 to {MAX_RANKED}'
            )
        return _bounded(self._what_if.simulate(
            context, BootRequest.from_dict(request),
            Changes.from_dict(changes), ranked_hosts,
        ))

    @_answer
    def capacity(
        self, context: Any, request: Any, changes: Any
    ) -> dict[str, Any]:
        """Count how many more servers fit; see :class:`WhatIf`.

        :returns: a :class:`nova_ext.core.rpc.capacity.Capacity` as plain data.
        """
        found = self._what_if.capacity(
            context, BootRequest.from_dict(request),
            Changes.from_dict(changes),
        )
        decision, found.decision = found.decision, None
        return {
            **found.to_dict(), 'decision': decision and _bounded(decision)
        }

    @_answer
    def in_force(self, context: Any) -> dict[str, Any]:
        """Which filters, weighers and drivers decide here."""
        return self._in_force()

    def _take(
        self, service_name: Any, host: Any, capabilities: Any, serial: Any
    ) -> None:
        topic = _name('service_name', service_name)
        host = _name('host', host)
        if topic not in self._drivers:
            raise UnknownTopicError(f'no driver of topic {topic!r}')
        reported, serial = caps.checked(capabilities), _serial(serial)
        self._drivers[topic].update_service_capabilities(
            topic, host, reported
        )
        self._services.report(topic, host, reported, serial)

    def _complain(self, what: str, error: Exception) -> None:
        known = isinstance(error, SchedulingError)
        self._complaints.warning(
            '%s: %s', what, error if known else repr(error)
        )


def _serial(given: Any) -> int:
    if type(given) is not int:
        raise WrongArgumentsError('serial is no integer')
    return given


def _name(what: str, given: Any) -> str:
    if not isinstance(given, str) or not 0 < len(given) <= _LONGEST_NAME:
        raise WrongArgumentsError(
            f'{what} is no text of 1 to {_LONGEST_NAME} characters'
        )
    return given


def _bounded(decision: Decision) -> dict[str, Any]:
    """A decision as plain data, as long as an answer may be."""
    line = shortening.to_line(decision, _MAX_BYTES, in_full=True)
    plain: dict[str, Any] = json.loads(line)
    return plain
