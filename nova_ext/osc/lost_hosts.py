"""Find the hosts that are lost together."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation.text_format import pluralize
from nova_ext.osc import racks

#: Words that stand before a name, and how each is asked for.
_RACK = 'rack'
KINDS = ('aggregate', 'zone', _RACK)
#: Names of hosts in a note.
_MAX_NAMES = 10
ANY_HOST, ANY_RACK = 'any-host', 'any-rack'


def find(
    cloud: Any, wanted: Sequence[str], options: argparse.Namespace
) -> dict[str, list[str]]:
    """Return lists of hosts, each lost for itself, by what is lost.

    :param cloud: a connection of openstacksdk.
    :param wanted: names of hosts; a kind and a name; or ``any-…``.
    :param options: those of :func:`.racks.add_options`.
    :raises NovaExtError: for what the cloud does not have.
    """
    kind, *names = wanted
    option = racks.name_option(options)
    if option and kind not in (_RACK, ANY_RACK):
        raise NovaExtError(
            f'{option} belongs to "--lose rack NAME" and "--lose {ANY_RACK}"'
        )
    if kind in (ANY_HOST, ANY_RACK):
        if names:
            raise NovaExtError(f'{kind} takes no name: {" ".join(names)}')
        if kind == ANY_HOST:
            return {host: [host] for host in racks.list_hosts(cloud.compute)}
        return racks.find(cloud, options)
    if kind not in KINDS:
        return {', '.join(wanted): list(wanted)}
    if len(names) != 1:
        raise NovaExtError(f'write one name behind {kind}')
    listed = _list_groups(cloud, kind, options)
    hosts = listed.get(names[0])
    if not hosts:
        raise NovaExtError(
            f'there is no {kind} {names[0]} with hosts; there are '
            f'{", ".join(sorted(listed)) or "none"}'
        )
    return {f'{kind} {names[0]}': hosts}


def note_others(
    cloud: Any, losses: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return a note on the hosts that no loss has; empty: each has one."""
    others = set(racks.list_hosts(cloud.compute)).difference(*losses.values())
    if not others:
        return []
    some = sorted(others)[:_MAX_NAMES]
    more = ' …' * (len(others) > len(some))
    return [
        f'not lost, as in no rack: {pluralize(len(others), "host")}: '
        f'{" ".join(some)}{more}'
    ]


def _list_groups(
    cloud: Any, kind: str, options: argparse.Namespace
) -> dict[str, list[str]]:
    """Return the hosts of each aggregate, zone or rack, by name."""
    if kind == _RACK:
        return racks.find(cloud, options)
    if kind == 'aggregate':
        return racks.group(
            (aggregate.name, aggregate.hosts or ())
            for aggregate in cloud.compute.aggregates()
        )
    return racks.group(
        (service.availability_zone, [service.host])
        for service in cloud.compute.services(binary='nova-compute')
    )
