"""Arrange a cloud: hosts, aggregates, images, groups and servers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.truth import ask
from tests.truth.model import hosts
from tests.truth.stage import Stage


@dataclass(frozen=True)
class Down:
    """Let Nova know that the nova-compute services of hosts are down."""

    names: str

    def arrange(self, stage: Stage) -> None:
        """Force them down."""
        stage.set_services(hosts(self.names), forced_down=True)


@dataclass(frozen=True)
class Disabled:
    """Disable the nova-compute services of hosts."""

    names: str
    reason: str = ''

    def arrange(self, stage: Stage) -> None:
        """Disable them, and wait until placement knows."""
        reason = {'disabled_reason': self.reason} if self.reason else {}
        stage.set_services(hosts(self.names), status='disabled', **reason)
        stage.wait_for_disabled()


@dataclass(frozen=True)
class Enabled:
    """Enable hosts that were disabled."""

    names: str

    def arrange(self, stage: Stage) -> None:
        """Enable them, and wait until placement knows."""
        stage.set_services(hosts(self.names), status='enabled')
        stage.wait_for_disabled()


@dataclass(frozen=True)
class Full:
    """Let others take a resource of hosts.

    :param left: how much of it stays free.
    """

    names: str
    resource: str = 'MEMORY_MB'
    left: int = 0

    def arrange(self, stage: Stage) -> None:
        """Allocate it to nobody."""
        for host in hosts(self.names):
            capacity = stage.count_capacity(host, self.resource)
            stage.allocate(host, self.resource, capacity - self.left)


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
        shown = stage.cloud.get('placement', path)
        traits = set(shown['traits']) - {self.trait}
        stage.cloud.placement.put(path, json={
            'resource_provider_generation':
                shown['resource_provider_generation'],
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


@dataclass(frozen=True)
class Aggregate:
    """Put hosts into an aggregate.

    :param metadata: ``{project}`` in it stands for the asking project's id.
    :param zone: the availability zone that it is.
    """

    name: str
    names: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    zone: str = ''

    def arrange(self, stage: Stage) -> None:
        """Create it, and undo that at the end."""
        body = {'name': self.name}
        if self.zone:
            body['availability_zone'] = self.zone
        made = stage.post(
            '/os-aggregates', {'aggregate': body}
        ).json()['aggregate']
        path = f'/os-aggregates/{made["id"]}'
        stage.undo.callback(stage.cloud.compute.delete, path)
        project = stage.cloud.session.get_project_id()
        if self.metadata:
            stage.post(f'{path}/action', {'set_metadata': {'metadata': {
                key.format(project=project): value.format(project=project)
                for key, value in self.metadata.items()
            }}})
        for host in sorted(hosts(self.names)):
            stage.post(f'{path}/action', {'add_host': {'host': host}})
            stage.undo.callback(
                stage.post, f'{path}/action', {'remove_host': {'host': host}}
            )


@dataclass(frozen=True)
class Image:
    """Upload an image with properties.

    :param uuid: empty: any.
    """

    name: str
    properties: Mapping[str, str] = field(default_factory=dict)
    uuid: str = ''
    disk_format: str = 'raw'

    def arrange(self, stage: Stage) -> None:
        """Upload it, and delete it at the end."""
        images = stage.cloud.image
        made = images.post('/v2/images', json={
            'name': self.name, 'visibility': 'public',
            'container_format': 'bare', 'disk_format': self.disk_format,
            **self.properties, **({'id': self.uuid} if self.uuid else {}),
        }).json()
        path = f'/v2/images/{made["id"]}'
        stage.undo.callback(images.delete, path)
        images.put(
            f'{path}/file', data=b'0' * 512,
            headers={'Content-Type': 'application/octet-stream'},
        )
        stage.images[self.name] = made['id']


@dataclass(frozen=True)
class Group:
    """Create a server group.

    :param most: servers that an anti-affinity group may have on a host.
    """

    name: str
    policy: str
    most: int = 0

    def arrange(self, stage: Stage) -> None:
        """Create it, and delete it at the end."""
        rules = {'rules': {'max_server_per_host': self.most}}
        made = stage.post('/os-server-groups', {'server_group': {
            'name': self.name, 'policy': self.policy,
            **(rules if self.most else {}),
        }}).json()['server_group']
        stage.undo.callback(
            stage.cloud.compute.delete, f'/os-server-groups/{made["id"]}'
        )
        stage.groups[self.name] = made['id']


@dataclass(frozen=True)
class Server:
    """Boot a server that is ACTIVE on a host.

    :param host: empty: any.
    :param body: see :class:`tests.truth.ask.Boot`; ``forced`` in it skips
        the filters.
    """

    name: str
    host: str = ''
    body: Mapping[str, Any] = field(default_factory=dict)

    def arrange(self, stage: Stage) -> None:
        """Boot it, and make sure that it is there."""
        body = {**self.body, 'name': self.name}
        if body.pop('forced', False):
            body['zone'] = f'nova:{self.host}'
        else:
            body['host'] = self.host
        asked = ask.Boot(**body).ask(stage)
        shown = stage.show(asked.server)
        if shown['status'] != 'ACTIVE' or self.host not in (
            '', shown['OS-EXT-SRV-ATTR:host']
        ):
            raise AssertionError(f'{self.name}: {shown}')
        stage.servers[self.name] = asked.server


@dataclass(frozen=True)
class Shelved:
    """Shelve a server off its host."""

    server: str

    def arrange(self, stage: Stage) -> None:
        """Shelve it, and wait until it has no host."""
        server = stage.servers[self.server]
        stage.post(f'/servers/{server}/action', {'shelve': None})
        stage.wait_until(
            lambda: stage.show(server)['status'] == 'SHELVED_OFFLOADED',
            f'{self.server} shelved',
        )


@dataclass(frozen=True)
class Done:
    """Ask for something before, whatever comes of it."""

    what: Any

    def arrange(self, stage: Stage) -> None:
        """Ask for it."""
        self.what.ask(stage)
