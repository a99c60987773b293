"""Choose hosts for servers that are about to be created."""

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

from nova import exception

from nova_ext.scheduler.base.printable_error import describe
from nova_ext.scheduler.cycle.effects import ProbeEffects
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.cycle.nova_source import NovaSource

LOG = logging.getLogger(__name__)


class NamedHost(NamedTuple):
    """Name a host and its node, as Nova does."""

    host: str
    nodename: str


def choose(
    live: NovaDecider, context: Any, spec: Any, servers: Sequence[str]
) -> tuple[Sequence[NamedHost], str]:
    """Choose hosts for as many servers of one request as fit.

    Servers that never exist claim resources meanwhile, so that several fit
    side by side. The claims are released: each server's boot claims its own.

    :param live: decides real boots.
    :param spec: the request spec; it is changed as a real one is.
    :param servers: UUIDs that no server has.
    :returns: one a server, and why there are not more.
    :raises nova.exception.NoValidHost: where none fits, or a plugin raised.
    """
    effects = ProbeEffects()
    decider = NovaDecider(
        live.host_manager, live.driver, NovaSource(), effects
    )
    try:
        chosen = decider.select_destinations(
            context, spec_obj=spec, instance_uuids=servers,
            return_objects=True,
        )
    except exception.NoValidHost as error:
        if not effects.chosen or error.__cause__ is not None:
            raise
        hosts = [
            NamedHost(each.host, each.nodename) for each in effects.chosen
        ]
        return hosts, ' '.join(str(error).split())
    finally:
        _release(decider, context, servers)
    return [
        NamedHost(first.service_host, first.nodename) for first, *_ in chosen
    ], ''


def _release(
    decider: NovaDecider, context: Any, servers: Sequence[str]
) -> None:
    """Release each claim, also one that placement did not answer."""
    for server in servers:
        try:
            decider.placement_client.delete_allocation_for_instance(
                context, server, force=True
            )
        except Exception as error:
            LOG.error(
                'What schedule_run_instance claimed for a choice is not '
                'given back: allocation %s, which no server has (%s: '
                '%s). See "nova-manage placement audit"',
                server, type(error).__name__, describe(error),
            )
