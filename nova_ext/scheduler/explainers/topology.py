"""Explain the filters of NUMA cells and PCI devices, without fitting again."""

from collections.abc import Sequence
from typing import Any

from nova_ext.scheduler.explainers.reason import HostExplainer, Reason


def _numa(filter_: Any, spec: Any) -> HostExplainer:
    cells = spec.numa_topology.cells if spec.numa_topology else []
    extra_specs, image = spec.flavor.extra_specs, spec.image.properties
    sizes_kib = sorted({
        cell.pagesize for cell in cells if (cell.pagesize or 0) > 0
    })
    wanted = ', '.join(map(_describe_wanted, cells))

    def explain(host: Any) -> Reason:
        if not host.numa_topology:
            return Reason('reports no NUMA topology')
        if not filter_._satisfies_cpu_policy(host, extra_specs, image):
            return Reason('has no hardware threads, which are required')
        for size_kib in sizes_kib:
            if not any(
                _list_pages(cell, size_kib)
                for cell in host.numa_topology.cells
            ):
                return Reason(f'has no memory pages of {size_kib} KiB')
        free = [
            _describe_free(cell, sizes_kib)
            for cell in host.numa_topology.cells
        ]
        return Reason(
            f'NUMA cells do not fit: {wanted}', f'into cells {"; ".join(free)}'
        )

    return explain


def _describe_wanted(cell: Any) -> str:
    wanted = f'{len(cell.total_cpus)} CPUs with {cell.memory} MB'
    # Nova's kinds of sizes, such as "large", are negative.
    if (cell.pagesize or 0) > 0:
        wanted += f' in pages of {cell.pagesize} KiB'
    return wanted


def _list_pages(cell: Any, size_kib: int) -> list[Any]:
    return [pages for pages in cell.mempages if pages.size_kb == size_kib]


def _describe_free(cell: Any, sizes_kib: Sequence[int]) -> str:
    """Describe what one of a host's cells has free."""
    free = (
        f'{cell.id}: {cell.avail_pcpus} free of {len(cell.pcpuset)} for '
        f'pinning, {cell.avail_memory} MB'
    )
    for size_kib in sizes_kib:
        for pages in _list_pages(cell, size_kib):
            free += (
                f', {pages.free * size_kib // 1024} MB in free pages of '
                f'{size_kib} KiB'
            )
    return free


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
