"""Arrange what placement knows of hosts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.truth.model import hosts
from tests.truth.stage import Stage


@dataclass(frozen=True)
class Inventory:
    """Change what placement knows of a resource of hosts."""

    names: str
    resource: str
    changes: Mapping[str, int]

    def arrange(self, stage: Stage) -> None:
        """Change it, and undo that at the end."""
        for host in hosts(self.names):
            before = stage.inventory(host)[self.resource]
            self._put(stage, host, {**before, **self.changes})
            stage.undo.callback(self._put, stage, host, before)

    def _put(self, stage: Stage, host: str, body: Mapping[str, Any]) -> None:
        path = f'/resource_providers/{stage.providers[host]}'
        generation = stage.cloud.get('placement', path)['generation']
        stage.cloud.placement.put(
            f'{path}/inventories/{self.resource}',
            json={**body, 'resource_provider_generation': generation},
        )


@dataclass(frozen=True)
class Trait:
    """Give hosts a trait; with no hosts, only let it exist."""

    trait: str
    names: str = ''

    def arrange(self, stage: Stage) -> None:
        """Create the trait, and add it."""
        stage.cloud.placement.put(f'/traits/{self.trait}')
        stage.undo.callback(
            stage.cloud.placement.delete, f'/traits/{self.trait}',
            raise_exc=False,
        )
        for host in hosts(self.names):
            self._change(stage, host, has=True)
            stage.undo.callback(self._change, stage, host, has=False)

    def _change(self, stage: Stage, host: str, *, has: bool) -> None:
        path = f'/resource_providers/{stage.providers[host]}/traits'
        body = stage.cloud.get('placement', path)
        traits = set(body['traits']) - {self.trait}
        stage.cloud.placement.put(path, json={
            'resource_provider_generation':
                body['resource_provider_generation'],
            'traits': sorted(traits | ({self.trait} if has else set())),
        })


@dataclass(frozen=True)
class ResourceClass:
    """Let a resource class exist; hosts of ``names`` have ``total`` of it."""

    resource: str
    names: str = ''
    total: int = 1

    def arrange(self, stage: Stage) -> None:
        """Create it."""
        stage.cloud.placement.put(f'/resource_classes/{self.resource}')
        stage.undo.callback(
            stage.cloud.placement.delete,
            f'/resource_classes/{self.resource}', raise_exc=False,
        )
        for host in hosts(self.names):
            path = f'/resource_providers/{stage.providers[host]}'
            generation = stage.cloud.get('placement', path)['generation']
            stage.cloud.placement.post(f'{path}/inventories', json={
                'resource_class': self.resource, 'total': self.total,
                'resource_provider_generation': generation,
            })
            stage.undo.callback(
                stage.cloud.placement.delete,
                f'{path}/inventories/{self.resource}', raise_exc=False,
            )
