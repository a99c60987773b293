"""Hosts that placement leaves out for the aggregates that they are in.

Nova's prefilters put the zone, the project's aggregates and those that are
isolated into the question to placement, so that no filter sees such hosts.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from nova_ext.core.decision import decision as d
from nova_ext.scheduler.explainers.reason import Reason


def by_host(
    made: d.Decision, hosts: Iterable[str], aggregates: Iterable[Any]
) -> dict[str, Reason]:
    """Why some hosts were no candidates, as far as aggregates tell it.

    :param hosts: the hosts that placement did not offer.
    :param aggregates: Nova's host aggregates.
    :returns: one reason a host, first what the caller asked for; no names
        of aggregates but in the details.
    """
    hosts = list(hosts)
    known = {aggregate.uuid: aggregate for aggregate in aggregates}
    asked = made.prefilters or {}
    zone = made.request.get('availability_zone', '')
    zones = {
        uuid for uuid, aggregate in known.items()
        if aggregate.availability_zone == zone
    }
    wanted = [set(item.split(',')) for item in asked.get('aggregates', ())]
    found: dict[str, Reason] = {}
    if zones in wanted:
        reason = Reason(f'not in availability zone {zone}')
        found |= dict.fromkeys(_outside(hosts, zones, known), reason)
    kept = _kept(asked.get('forbidden_aggregates', ()), known)
    found |= {
        host: Reason(
            'kept for others', f'by aggregate {", ".join(kept[host])}'
        )
        for host in hosts if host in kept and host not in found
    }
    for uuids in wanted:
        # Of others, such as those of subnets, only placement knows the hosts.
        if uuids <= known.keys():
            names = sorted(known[uuid].name for uuid in uuids)
            reason = Reason(
                'not in a required aggregate', f'such as {", ".join(names)}'
            )
            found |= {
                host: reason for host in _outside(hosts, uuids, known)
                if host not in found
            }
    return found


def _outside(
    hosts: Iterable[str], uuids: Iterable[str], known: Mapping[str, Any]
) -> list[str]:
    """The hosts that are in none of these aggregates."""
    inside = {host for uuid in uuids for host in known[uuid].hosts}
    return [host for host in hosts if host not in inside]


def _kept(
    uuids: Collection[str], known: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Names of these aggregates by the hosts that are in them."""
    names = defaultdict(list)
    for uuid in uuids:
        if uuid in known:
            for host in known[uuid].hosts:
                names[host].append(known[uuid].name)
    return names
