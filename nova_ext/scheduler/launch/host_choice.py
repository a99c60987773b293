"""Hosts for servers that are about to be created."""

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

from nova import exception

from nova_ext.core.decision import decision as d
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.decide.deciding import DecidingManager, unwrapped
from nova_ext.scheduler.decide.rehearsal import Rehearsal
from nova_ext.scheduler.trace import trace

LOG = logging.getLogger(__name__)


class Host(NamedTuple):
    """A host and its node, as Nova names them."""

    host: str
    nodename: str


class ChoiceRecording(recorder.Recording):
    """Record a decision as a choice, not as a boot's."""

    def __enter__(self) -> None:
        super().__enter__()
        open_trace = trace.current()
        if open_trace is not None:
            open_trace.decision.operation = d.CHOICE


class Choice(Rehearsal):
    """Chooses hosts for the servers of one request.

    So that several fit side by side, their room is claimed in the names of
    servers that never will be. The servers' own boots will claim it in
    theirs.

    :param live: the manager that decides real boots.
    """

    def __init__(self, live: DecidingManager) -> None:
        self.drivers = live.drivers
        self.host_manager = live.host_manager
        self._found: list[Host] = []

    def hosts(
        self, context: Any, spec: Any, servers: Sequence[str]
    ) -> tuple[Sequence[Host], str]:
        """Choose hosts for as many servers as there is room for.

        :param spec: the request spec; it is changed as a real one is.
        :param servers: UUIDs that no server has.
        :returns: one a server, and why there are not more.
        :raises nova.exception.NoValidHost: where there is room for none, or
            an extension raised.
        """
        try:
            chosen = unwrapped(
                self.select_destinations, context, spec_obj=spec,
                instance_uuids=servers, return_objects=True,
            )
        except exception.NoValidHost as error:
            if not self._found or error.__cause__ is not None:
                raise
            return self._found, ' '.join(str(error).split())
        finally:
            self._release(context, servers)
        return [
            Host(first.service_host, first.nodename) for first, *_ in chosen
        ], ''

    def _ensure_sufficient_hosts(
        self, context: Any, hosts: Any, required_count: int, *claimed: Any
    ) -> None:
        """Keep what was found, where Nova refuses for want of the rest."""
        if len(hosts) < required_count:
            self._found = [Host(host.host, host.nodename) for host in hosts]
        super()._ensure_sufficient_hosts(
            context, hosts, required_count, *claimed
        )

    def _cleanup_allocations(self, context: Any, instance_uuids: Any) -> None:
        """Leave it to :meth:`hosts`, which does so on every exit."""

    def _release(self, context: Any, servers: Sequence[str]) -> None:
        """Give back each claim, also one of which no answer came."""
        for server in servers:
            try:
                super()._cleanup_allocations(context, [server])
            except Exception as error:
                LOG.error(
                    'What schedule_run_instance claimed for a choice is not '
                    'given back: allocation %s, which no server has (%s: '
                    '%s). See "nova-manage placement audit"',
                    server, type(error).__name__, error,
                )

    def _recording(self, *about: Any) -> recorder.Recording:
        return ChoiceRecording(*about)
