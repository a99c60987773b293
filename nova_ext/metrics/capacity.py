"""Ask how many servers of each flavor fit, and find what is stranded."""

import logging
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.metrics import placement
from nova_ext.metrics.answers import Failure, Sample
from nova_ext.metrics.cloud_client import (
    CloudClient,
    ReasonedError,
    is_refused,
)

#: Flavors, zones and aggregates that have metrics. There is a metric for each
#: flavor in each zone and in each aggregate.
MAX_FLAVORS, MAX_GROUPS = 50, 100
#: What adding up parts of hosts may lose.
_TINY = 1e-6

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Fit:
    """Represent how many servers of a flavor fit, at least.

    :param flavor: of openstacksdk.
    :param hosts: by name of the host, as the decision record has it.
    """

    flavor: Any
    total: int
    zones: Mapping[str, int]
    aggregates: Mapping[str, int]
    hosts: Mapping[str, int]


def ask(
    cloud: CloudClient, names: Sequence[str], rooms: placement.Rooms
) -> Iterator[Sample]:
    """Yield what fits, and what is stranded.

    :param names: of the flavors; none: all public ones.
    :param rooms: reads what hosts have free.
    :raises NovaExtError: saying why there is no answer.
    """
    flavors, left_out = list_flavors(cloud, names)
    fits = ask_each(cloud, flavors)
    yield Sample(
        'nova_ext_left_out', left_out + len(flavors) - len(fits), ('flavor',)
    )
    zones, aggregates = cloud.list_zones(), cloud.list_aggregates()
    for kind, groups in (('zone', zones), ('aggregate', aggregates)):
        yield Sample(
            'nova_ext_left_out', max(0, len(groups) - MAX_GROUPS), (kind,)
        )
    shares = divide_hosts(fits)
    for fit in fits:
        flavor = str(fit.flavor.name)
        yield Sample('nova_ext_servers_fit', fit.total, (flavor,))
        yield Sample('nova_ext_servers_fit_shared', shares[flavor], (flavor,))
        for kind, groups, counts in (
            ('zone', zones, fit.zones),
            ('aggregate', aggregates, fit.aggregates),
        ):
            for group in groups[:MAX_GROUPS]:
                yield Sample(
                    f'nova_ext_servers_fit_by_{kind}', counts.get(group, 0),
                    (flavor, group),
                )
    yield _find_largest(fits)
    yield from _find_stranded(fits, rooms.read(cloud))


def ask_empty(cloud: CloudClient, names: Sequence[str]) -> Iterator[Sample]:
    """Yield what would fit if there were no servers; see :func:`ask`."""
    for fit in ask_each(
        cloud, list_flavors(cloud, names)[0], is_empty=True
    ):
        yield Sample(
            'nova_ext_servers_fit_empty', fit.total, (str(fit.flavor.name),)
        )


def list_flavors(
    cloud: CloudClient, names: Sequence[str]
) -> tuple[list[Any], int]:
    """Return flavors by their names, and how many are left out.

    :param names: none: all public ones.
    :raises NovaExtError: for a name that no flavor has.
    """
    flavors = sorted(
        cloud.connection.compute.flavors(details=True, is_public=None),
        key=lambda flavor: flavor.name,
    )
    wanted = set(names)
    if absent := wanted - {flavor.name for flavor in flavors}:
        raise NovaExtError(
            f'--flavors: there is no flavor {", ".join(sorted(absent))}'
        )
    chosen = [
        flavor for flavor in flavors
        if (flavor.name in wanted if wanted else flavor.is_public)
    ]
    return chosen[:MAX_FLAVORS], max(0, len(chosen) - MAX_FLAVORS)


def divide_hosts(fits: Sequence[Fit]) -> Mapping[str, int]:
    """Return how many servers of each flavor fit on its part of each host.

    A host is divided equally among the flavors that fit there.
    """
    sharing = Counter(
        host for fit in fits for host, count in fit.hosts.items() if count
    )
    return {
        fit.flavor.name: math.floor(_TINY + sum(
            count / sharing[host] for host, count in fit.hosts.items() if count
        )) for fit in fits
    }


def ask_each(
    cloud: CloudClient, flavors: Sequence[Any], *, is_empty: bool = False
) -> list[Fit]:
    """Return what fits of each flavor; leave out what is not known.

    :raises ReasonedError: where it is known of none.
    """
    fits = []
    for flavor in flavors:
        try:
            fit = _ask_one(cloud, flavor, is_empty=is_empty)
        except NovaExtError as error:
            if not is_refused(error):
                raise
            LOG.warning('Flavor %s is left out: %s', flavor.name, error)
        else:
            fits += [fit] if fit else []
    if flavors and not fits:
        raise ReasonedError(Failure.UNKNOWN, 'it is known of no flavor')
    return fits


def _ask_one(cloud: CloudClient, flavor: Any, *, is_empty: bool) -> Fit | None:
    """Return what fits; None where the scheduler does not know."""
    body: dict[str, Any] = {'request': {'flavor': {
        'vcpus': flavor.vcpus, 'memory_mb': flavor.ram,
        'root_gb': flavor.disk, 'ephemeral_gb': flavor.ephemeral or 0,
        'swap': flavor.swap or 0, 'name': flavor.name, 'flavorid': flavor.id,
        'extra_specs': flavor.extra_specs or {},
    }}, 'diagnose': False}
    if is_empty:
        body['is_empty'] = True
    answer = cloud.post('/v1/capacities', body)['capacity']
    if answer['unknown']:
        decision = answer['decision'] or {}
        LOG.warning(
            'Flavor %s is left out: %s', flavor.name,
            decision.get('sentence') or 'the scheduler\'s log has more',
        )
        return None
    fit = Fit(flavor, answer['total']['least'], *(
        {name: room['least'] for name, room in answer[kind].items()}
        for kind in ('zones', 'aggregates', 'hosts')
    ))
    if fit.total and not fit.hosts:
        raise ReasonedError(
            Failure.UNAUTHORIZED, 'the policy nova_ext:hosts:get hides hosts'
        )
    return fit


def _find_largest(fits: Iterable[Fit]) -> Sample:
    flavors = [fit.flavor for fit in fits if fit.total]
    if not flavors:
        return Sample('nova_ext_largest_flavor_memory_bytes', 0, ('',))
    largest = max(flavors, key=lambda flavor: (
        flavor.ram, flavor.vcpus, flavor.disk, flavor.name
    ))
    return Sample(
        'nova_ext_largest_flavor_memory_bytes', largest.ram * 2**20,
        (largest.name,),
    )


def _find_stranded(
    fits: Iterable[Fit], rooms: Sequence[placement.Room]
) -> Iterator[Sample]:
    """Yield what is free where no flavor fits, and how many hosts are empty.

    :param rooms: of the compute nodes that are not disabled.
    """
    usable = {
        host for fit in fits for host, count in fit.hosts.items() if count
    }
    stranded: Counter[str] = Counter()
    for room in rooms:
        for resource_class, units in room.free.items():
            stranded[resource_class] += units * (room.host not in usable)
    for resource_class, units in stranded.items():
        yield Sample('nova_ext_stranded', units, (resource_class,))
    yield Sample('nova_ext_hosts', len(rooms))
    yield Sample('nova_ext_empty_hosts', sum(each.is_empty for each in rooms))
