"""Check one thing each of a running cloud.

A check is a module with a function ``check(facts)`` that yields findings.
Add it to ``CHECKS`` here to have it run. ``cmd`` imports it.
"""

from nova_ext.doctor.check import Check
from nova_ext.doctor.checks import (
    aggregates,
    allocations,
    cells,
    clocks,
    computes,
    inventories,
    limit,
    offered,
    providers,
    record,
    schedulers,
)

#: In the order in which they run.
CHECKS = (
    Check('computes', 'computes that are down, cells that don\'t answer',
          computes.check),
    Check('offered', 'disabled computes that placement offers all the same',
          offered.check),
    Check('limit', 'max_placement_results against the number of hosts',
          limit.check),
    Check('cells', 'computes that are mapped to no cell', cells.check),
    Check('providers', 'compute nodes and placement\'s resource providers',
          providers.check),
    Check('inventories', 'sizes in Nova and in placement',
          inventories.check),
    Check('allocations', 'allocations of servers that don\'t exist',
          allocations.check),
    Check('aggregates', 'members of aggregates in Nova and in placement',
          aggregates.check),
    Check('schedulers', 'configuration and versions of the schedulers',
          schedulers.check),
    Check('record', 'decisions that could not be recorded', record.check),
    Check('clocks', 'clocks of the APIs and heartbeats of services',
          clocks.check),
)
