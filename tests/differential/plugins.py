"""Plugins that answer for many hosts at once, as Nova would load them."""

from nova_ext.filters.specified_host import SpecifiedHostFilter
from nova_ext.filters.stats import StatsFilter
from nova_ext.plugin import PASS, Filter, Weigher, reject
from nova_ext.scheduler.plugins.adapters import FilterAdapter, WeigherAdapter
from nova_ext.testing import FakeFacts
from nova_ext.weighers.specified_host import SpecifiedHostWeigher
from nova_ext.weighers.stats import StatsWeigher

_FACTS = FakeFacts(stats={
    f'h{number}': {'ext:load1': number} for number in range(0, 14, 3)
})
_OPTIONS = {'names': ['load1'], 'weight_multiplier': 1.0}


class HeadroomFilter(Filter):
    """Keep memory free, by columns."""

    hints = ()

    def check(self, host, request):
        """Reject a host that would be too full."""
        left = host.free_ram_mb - request.flavor.memory_mb
        return PASS if left >= 1 else reject('full', f'by {left} MiB')

    def check_all(self, hosts, request):
        """Read one column."""
        size = request.flavor.memory_mb
        return [
            PASS if free - size >= 1
            else reject('full', f'by {free - size} MiB')
            for free in hosts.free_ram_mb
        ]


class RackFilter(Filter):
    """Pass hosts of one aggregate at most, one by one."""

    hints = ()

    def check(self, host, request):
        """Read a list."""
        found = len(host.aggregates)
        return reject(f'in {found} racks') if found > 1 else PASS


class HeadroomWeigher(Weigher):
    """Weigh by servers for each processor, by columns."""

    hints = ()
    multiplier_option = 'weight_multiplier'

    def weigh(self, host, request):
        """Divide."""
        return host.num_instances / host.vcpus_total

    def weigh_all(self, hosts, request):
        """Read two columns."""
        return [
            servers / total for servers, total
            in zip(hosts.num_instances, hosts.vcpus_total, strict=True)
        ]


def load_filters():
    """Return filters, of nova-ext and of an author."""
    return [_load(FilterAdapter, cls) for cls in (
        SpecifiedHostFilter, StatsFilter, HeadroomFilter, RackFilter,
    )]


def load_weighers():
    """Return weighers, of nova-ext and of an author."""
    return [_load(WeigherAdapter, cls) for cls in (
        SpecifiedHostWeigher, StatsWeigher, HeadroomWeigher,
    )]


def _load(adapter, cls):
    adapted = adapter.adapt(cls)()
    adapted.plugin = cls(dict(_OPTIONS), _FACTS)
    return adapted
