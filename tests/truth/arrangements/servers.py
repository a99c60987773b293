"""Arrange images, server groups and servers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.truth import ask
from tests.truth.stage import Stage


@dataclass(frozen=True)
class Image:
    """Upload an image with properties.

    :param uuid: a certain one, for good: Glance takes none twice. Empty: any.
    """

    name: str
    properties: Mapping[str, str] = field(default_factory=dict)
    uuid: str = ''
    disk_format: str = 'raw'

    def arrange(self, stage: Stage) -> None:
        """Upload it, and delete it at the end."""
        images = stage.cloud.image
        if self.uuid and images.get(
            f'/v2/images/{self.uuid}', raise_exc=False
        ).ok:
            stage.images[self.name] = self.uuid
            return
        body = images.post('/v2/images', json={
            'name': self.name, 'visibility': 'public',
            'container_format': 'bare', 'disk_format': self.disk_format,
            **self.properties, **({'id': self.uuid} if self.uuid else {}),
        }).json()
        path = f'/v2/images/{body["id"]}'
        if not self.uuid:
            stage.undo.callback(images.delete, path)
        images.put(
            f'{path}/file', data=b'0' * 512,
            headers={'Content-Type': 'application/octet-stream'},
        )
        stage.images[self.name] = body['id']


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
        body = stage.post('/os-server-groups', {'server_group': {
            'name': self.name, 'policy': self.policy,
            **(rules if self.most else {}),
        }}).json()['server_group']
        stage.undo.callback(
            stage.cloud.compute.delete, f'/os-server-groups/{body["id"]}'
        )
        stage.groups[self.name] = body['id']


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
