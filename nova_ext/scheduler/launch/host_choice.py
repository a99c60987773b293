"""Choose hosts for servers that are about to be created."""

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

from nova import exception

from nova_ext.core.decision import decision as d
from nova_ext.scheduler.base.printable_error import describe
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.decide.deciding import DecidingManager, call_unwrapped
from nova_ext.scheduler.decide.decision_only import DecisionOnlyManager
from nova_ext.scheduler.trace import trace

LOG = logging.getLogger(__name__)


class Host(NamedTuple):
    """Name a host and its node, as Nova does."""

    host: str
    nodename: str


class HostChooser(DecisionOnlyManager):
    """Choose hosts for the servers of one request.

    Servers that never exist claim resources meanwhile, so that several fit
    side by side. The claims are given back: each server's boot claims its own.

    :param live: the manager that decides real boots.
    """

    def __init__(self, live: DecidingManager) -> None:
        self.drivers = live.drivers
        self.host_manager = live.host_manager
        self._first_hosts: list[Host] = []

    def choose(
        self, context: Any, spec: Any, servers: Sequence[str]
    ) -> tuple[Sequence[Host], str]:
        """Choose hosts for as many servers as fit.

        :param spec: the request spec; it is changed as a real one is.
        :param servers: UUIDs that no server has.
        :returns: one a server, and why there are not more.
        :raises nova.exception.NoValidHost: where none fits, or an extension
            raised.
        """
        try:
            chosen = call_unwrapped(
                self.select_destinations, context, spec_obj=spec,
                instance_uuids=servers, return_objects=True,
            )
        except exception.NoValidHost as error:
            if not self._first_hosts or error.__cause__ is not None:
                raise
            return self._first_hosts, ' '.join(str(error).split())
        finally:
            self._release(context, servers)
        return [
            Host(first.service_host, first.nodename) for first, *_ in chosen
        ], ''

    def _ensure_sufficient_hosts(
        self, context: Any, hosts: Any, required_count: int, *claimed: Any
    ) -> None:
        """Keep the first hosts, where Nova refuses too few of them."""
        if len(hosts) < required_count:
            self._first_hosts = [
                Host(host.host, host.nodename) for host in hosts
            ]
        super()._ensure_sufficient_hosts(
            context, hosts, required_count, *claimed
        )

    def _cleanup_allocations(self, context: Any, instance_uuids: Any) -> None:
        """Do nothing: :meth:`choose` gives claims back on every exit."""

    def _release(self, context: Any, servers: Sequence[str]) -> None:
        """Give back each claim, also one that placement did not answer."""
        for server in servers:
            try:
                super()._cleanup_allocations(context, [server])
            except Exception as error:
                LOG.error(
                    'What schedule_run_instance claimed for a choice is not '
                    'given back: allocation %s, which no server has (%s: '
                    '%s). See "nova-manage placement audit"',
                    server, type(error).__name__, describe(error),
                )

    def _trace_request(self, *args: Any) -> recorder.TracedRequest:
        return recorder.TracedRequest(*args, describe=_set_operation)


def _set_operation(open_trace: trace.Trace) -> None:
    open_trace.decision.operation = d.CHOICE
