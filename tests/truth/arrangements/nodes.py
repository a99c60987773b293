"""Arrange what Nova knows of compute nodes, and their child providers."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nova import objects

from tests.truth.model import hosts
from tests.truth.stage import Stage


@dataclass(frozen=True)
class Node:
    """Have Nova know something else of hosts, in a column of their rows."""

    names: str
    column: str
    value: Any

    def arrange(self, stage: Stage) -> None:
        """Change it, and undo that at the end."""
        for host in hosts(self.names):
            before = stage.lab.set_node(host, self.column, self.value)
            stage.undo.callback(
                stage.lab.set_node, host, self.column, before
            )


@dataclass(frozen=True)
class Numa:
    """Have hosts report one NUMA cell.

    :param pages: free memory pages by their size in KiB.
    """

    names: str
    pages: Mapping[int, int] = field(default_factory=dict)

    def arrange(self, stage: Stage) -> None:
        """Have Nova know it."""
        objects.register_all()
        cell = objects.NUMACell(
            id=0, cpuset=set(range(16)), pcpuset=set(), memory=16384,
            cpu_usage=0, memory_usage=0, pinned_cpus=set(), siblings=[],
            mempages=[
                objects.NUMAPagesTopology(
                    size_kb=size_kib, total=free, used=0, reserved=0
                ) for size_kib, free in self.pages.items()
            ],
        )
        Node(
            self.names, 'numa_topology',
            objects.NUMATopology(cells=[cell])._to_json(),
        ).arrange(stage)


@dataclass(frozen=True)
class Child:
    """Give hosts' resource providers a child each.

    :param resources: how much of which resource class it has.
    """

    names: str
    resources: Mapping[str, int]
    traits: Sequence[str] = ()

    def arrange(self, stage: Stage) -> None:
        """Create it, and delete it at the end."""
        placement = stage.cloud.placement
        for host in hosts(self.names):
            child = str(uuid.uuid4())
            placement.post('/resource_providers', json={
                'uuid': child, 'name': child,
                'parent_provider_uuid': stage.providers[host],
            })
            path = f'/resource_providers/{child}'
            stage.undo.callback(placement.delete, path)
            placement.put(f'{path}/inventories', json={
                'resource_provider_generation': 0, 'inventories': {
                    name: {'total': total}
                    for name, total in self.resources.items()
                },
            })
            placement.put(f'{path}/traits', json={
                'resource_provider_generation': 1, 'traits': [*self.traits],
            })
