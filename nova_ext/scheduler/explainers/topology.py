"""Explain the filters of NUMA cells and PCI devices, without fitting again."""

from typing import Any

from nova_ext.scheduler.explainers.reason import HostExplainer, Reason


def _numa(filter_: Any, spec: Any) -> HostExplainer:
    cells = spec.numa_topology.cells if spec.numa_topology else []
    extra_specs, image = spec.flavor.extra_specs, spec.image.properties
    wanted = ', '.join(
        f'{len(cell.total_cpus)} CPUs with {cell.memory} MB' for cell in cells
    )

    def explain(host: Any) -> Reason:
        if not host.numa_topology:
            return Reason('reports no NUMA topology')
        if not filter_._satisfies_cpu_policy(host, extra_specs, image):
            return Reason('has no hardware threads, which are required')
        return Reason(f'NUMA cells do not fit: {wanted}', _left(host))

    return explain


def _left(host: Any) -> str:
    left = [
        f'{cell.id}: {cell.avail_pcpus} free of {len(cell.pcpuset)} for '
        f'pinning, {cell.avail_memory} MB'
        for cell in host.numa_topology.cells
    ]
    return f'into cells {"; ".join(left)}'


def _pci(filter_: Any, spec: Any) -> HostExplainer:
    wanted = ', '.join(
        f'{request.count} of {request.alias_name or "a port"}'
        for request in spec.pci_requests.requests
    )

    def explain(host: Any) -> Reason:
        pools = host.pci_stats.pools if host.pci_stats else []
        has = ', '.join(
            f'{pool["count"]} of {pool["vendor_id"]}:{pool["product_id"]}'
            for pool in pools
        )
        return Reason(
            f'PCI devices wanted: {wanted}', f'and has {has or "none"} free'
        )

    return explain


EXPLAINERS = {'NUMATopologyFilter': _numa, 'PciPassthroughFilter': _pci}
