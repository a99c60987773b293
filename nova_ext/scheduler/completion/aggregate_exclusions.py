"""Find the hosts that placement leaves out for their aggregates.

Nova's prefilters put the zone, the project's aggregates and isolated
aggregates into the query to placement, so that no filter sees such hosts.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from nova_ext.core.decision.decision import Decision
from nova_ext.scheduler.explainers.reason import Reason


def find_reasons(
    decision: Decision, hosts: Iterable[str], aggregates: Iterable[Any]
) -> dict[str, Reason]:
    """Return why hosts were no candidates, as far as aggregates say it.

    The zone that the caller asked for comes first. Names of aggregates stand
    in the details only.

    :param hosts: the hosts that placement did not offer.
    :param aggregates: Nova's host aggregates.
    :returns: one reason a host, by host; none for others.
    """
    hosts = list(hosts)
    known = {aggregate.uuid: aggregate for aggregate in aggregates}
    prefilters = decision.prefilters or {}
    zone = decision.request.get('availability_zone', '')
    zones = {
        uuid for uuid, aggregate in known.items()
        if aggregate.availability_zone == zone
    }
    required = [
        set(item.split(',')) for item in prefilters.get('aggregates', ())
    ]
    reasons: dict[str, Reason] = {}
    if zones in required:
        reason = Reason(f'not in availability zone {zone}')
        reasons |= dict.fromkeys(_outside(hosts, zones, known), reason)
    forbidden = _get_aggregate_names(
        prefilters.get('forbidden_aggregates', ()), known
    )
    reasons |= {
        host: Reason(
            'kept for others', f'by aggregate {", ".join(forbidden[host])}'
        )
        for host in hosts if host in forbidden and host not in reasons
    }
    for uuids in required:
        # Only placement knows the hosts of others, such as those of subnets.
        if uuids <= known.keys():
            names = sorted(known[uuid].name for uuid in uuids)
            reason = Reason(
                'not in a required aggregate', f'such as {", ".join(names)}'
            )
            reasons |= {
                host: reason for host in _outside(hosts, uuids, known)
                if host not in reasons
            }
    return reasons


def _outside(
    hosts: Iterable[str], uuids: Iterable[str], known: Mapping[str, Any]
) -> list[str]:
    """Return the hosts that are in none of these aggregates."""
    inside = {host for uuid in uuids for host in known[uuid].hosts}
    return [host for host in hosts if host not in inside]


def _get_aggregate_names(
    uuids: Collection[str], known: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Return the names of these aggregates, by the hosts in them."""
    names = defaultdict(list)
    for uuid in uuids:
        if uuid in known:
            for host in known[uuid].hosts:
                names[host].append(known[uuid].name)
    return names
