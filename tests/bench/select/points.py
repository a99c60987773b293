"""Tell what is measured: a base point, and one factor varied at a time."""

import itertools
from dataclasses import asdict, dataclass, replace

#: Filters that deployers enable, beside those of Nova's default.
FILTERS = {
    'default': (),
    'kolla with Blazar': ('BlazarFilter',),
    'openstack-ansible': (
        'AggregateNumInstancesFilter', 'AggregateIoOpsFilter',
        'NUMATopologyFilter',
    ),
    'RHOSO': (
        'AggregateInstanceExtraSpecsFilter', 'SameHostFilter',
        'DifferentHostFilter', 'PciPassthroughFilter', 'NUMATopologyFilter',
    ),
    'Atmosphere': ('AggregateTypeAffinityFilter', 'PciPassthroughFilter'),
}


@dataclass(frozen=True)
class Point:
    """Hold one value of each factor.

    :param hosts: number of them.
    :param servers: of one request.
    :param limit: of placement's candidates; 0: more than there are hosts.
    :param clients: that ask at once, each in a thread.
    :param subset: host_subset_size.
    :param filters: name of a set of filters.
    :param fallback: percentage of requests that the mirror leaves to Nova.
    :param churn: changes of hosts a second, by others.
    :param workers: of the scheduler, each a process.
    """

    hosts: int = 10_000
    servers: int = 1
    limit: int = 1000
    clients: int = 1
    subset: int = 1
    filters: str = 'default'
    fallback: int = 0
    churn: int = 0
    workers: int = 1

    def describe(self, base=None):
        """Return the factors in words; those that differ from a base."""
        mine, others = asdict(self), asdict(base) if base else {}
        return ', '.join(
            f'{key} {value or "none"}' if key == 'limit' else f'{key} {value}'
            for key, value in mine.items() if others.get(key) != value
        )

    @property
    def sees_all(self):
        """Say whether stock and the mirror choose among the same hosts."""
        return not self.limit or self.limit >= self.hosts


BASE = Point()
_SMALL = replace(BASE, hosts=1000)
_TINY = replace(BASE, hosts=100)


#: The part of all time after which no point of so many hosts begins, so that
#: a slow machine comes to those of more.
_SHARES = {_TINY.hosts: 0.25, _SMALL.hosts: 0.45}

_SUBSETS = ({'subset': 3}, {'subset': 10})
_FILTERS = tuple({'filters': name} for name in list(FILTERS)[1:])
_CHURN = {'churn': 10}

#: What differs from the base point of so many hosts. With more hosts, stock
#: would take hours for the rest.
_FACTORS = {
    _TINY: (
        {'servers': 10}, {'servers': 100}, *_SUBSETS, *_FILTERS, _CHURN,
        {'clients': 4}, {'clients': 16}, {'clients': 4, 'workers': 2},
        {'clients': 16, 'workers': 2}, {'fallback': 20}, {'fallback': 80},
    ),
    _SMALL: (
        {'servers': 10}, {'limit': 100}, *_SUBSETS, *_FILTERS, _CHURN,
        {'clients': 4},
    ),
    BASE: (
        {'servers': 10}, {'servers': 100}, {'limit': 0}, _CHURN,
        {'filters': 'kolla with Blazar'},
    ),
}


def list_default():
    """Return all points, those with few hosts first."""
    return sort([
        replace(base, **factors)
        for base, some in _FACTORS.items() for factors in ({}, *some)
    ])


def list_quick():
    """Return some of up to 1,000 hosts."""
    return [_TINY, _SMALL, replace(_SMALL, servers=10)]


def list_crossing(words):
    """Return all combinations of some values.

    :param words: ``KEY=VALUE[,VALUE...]``, each.
    :raises ValueError: for one that names no factor, or no value of it.
    """
    values = {}
    for word in words:
        key, _, given = word.partition('=')
        if key not in asdict(BASE):
            raise ValueError(f'{key}: not one of {", ".join(asdict(BASE))}')
        kind = type(getattr(BASE, key))
        values[key] = [kind(value) for value in given.split(',')]
    return sort([
        replace(BASE, **dict(zip(values, each, strict=True)))
        for each in itertools.product(*values.values())
    ])


def sort(points):
    """Return points in an order in which hosts are only added."""
    return sorted(points, key=get_order)


def get_order(point):
    """Return what points are sorted by.

    Those of the default filters, of one worker and of few servers come first.
    """
    return (
        point.hosts, list(FILTERS).index(point.filters), point.workers,
        point.servers,
    )


def get_share(point, points):
    """Return the part of all time after which a point does not begin.

    Base points are compared with each other, so that none is left out early.
    """
    most = max(each.hosts for each in points)
    if point.hosts == most or point == replace(BASE, hosts=point.hosts):
        return 1.0
    return _SHARES.get(point.hosts, 1.0)
