"""Check one thing each of a running cloud.

A check is a module with a function ``check(facts)`` that yields findings.
Add it to ``CHECKS`` here to have it run. ``cmd`` imports it.
"""

from nova_ext.doctor.check import DoctorCheck
from nova_ext.doctor.checks import (
    aggregates,
    allocations,
    cells,
    clocks,
    computes,
    inventories,
    max_placement_results,
    metadata,
    mirrors,
    offered,
    providers,
    record,
    schedulers,
)

#: In the order in which they run.
CHECKS = tuple(
    DoctorCheck(module.__name__.rpartition('.')[2], module.check)
    for module in (
        computes, offered, max_placement_results, cells, providers,
        inventories, allocations, aggregates, metadata, schedulers, mirrors,
        record, clocks,
    )
)
