"""Ask Nova for a server, or for something of a server that exists."""

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.truth.explained import Explained
from tests.truth.model import Arrangement
from tests.truth.stage import Stage

IMAGE = 'cirros'
#: Seconds after which a scheduler has found out why placement has no host.
_LATER_S = 5.0


@dataclass(frozen=True)
class Asked:
    """Hold what was asked, when it has ended.

    :param server: UUID of the server to explain.
    :param request_id: the request's, as Nova's API answered it.
    :param fault: the server's fault, as Nova's API shows it.
    :param explained: what is to be judged, where that is the answer itself.
    :param name: of the server, where it is explained by that.
    """

    server: str
    request_id: str
    fault: str = ''
    explained: Explained | None = None
    name: str = ''


@dataclass(frozen=True)
class Flavor:
    """Describe what a server wants.

    :param memory_mb: MiB, as swap; disks in GiB.
    :param extra: extra specs.
    """

    vcpus: int = 1
    memory_mb: int = 512
    disk_gb: int = 1
    extra: Mapping[str, str] = field(default_factory=dict)
    name: str = ''
    ephemeral_gb: int = 0
    swap_mb: int = 0

    def create(self, stage: Stage) -> str:
        """Create the flavor; it is deleted at the end. Return its id."""
        name = self.name or f'truth-{uuid.uuid4()}'
        body = stage.post('/flavors', {'flavor': {
            'name': name, 'vcpus': self.vcpus, 'ram': self.memory_mb,
            'disk': self.disk_gb, 'swap': self.swap_mb,
            'OS-FLV-EXT-DATA:ephemeral': self.ephemeral_gb,
        }}).json()['flavor']['id']
        stage.undo.callback(stage.cloud.compute.delete, f'/flavors/{body}')
        if self.extra:
            stage.post(
                f'/flavors/{body}/os-extra_specs',
                {'extra_specs': dict(self.extra)},
            )
        return str(body)


@dataclass(frozen=True)
class Boot:
    """Boot servers with one request.

    :param hints: a value ``server:NAME`` stands for that server's UUID.
    :param group: name of the server group that they are to join.
    :param which: the server to explain, from 0.
    :param by_name: explain it by its name.
    :param after_s: explain it after these seconds, whether it is built or not;
        0: when it is built.
    """

    flavor: Flavor = field(default_factory=Flavor)
    image: str = IMAGE
    zone: str = ''
    host: str = ''
    count: int = 1
    hints: Mapping[str, str] = field(default_factory=dict)
    group: str = ''
    which: int = 0
    name: str = 'asked'
    by_name: bool = False
    after_s: float = 0.0

    def ask(self, stage: Stage) -> Asked:
        """Boot, and wait until each server is ACTIVE or has its fault."""
        body: dict[str, Any] = {
            'name': self.name, 'flavorRef': self.flavor.create(stage),
            'imageRef': find_image(stage, self.image), 'networks': 'none',
        }
        if self.zone:
            body['availability_zone'] = self.zone
        if self.host:
            body['host'] = self.host
        if self.count > 1:
            body |= {'min_count': self.count, 'max_count': self.count,
                     'return_reservation_id': True}
        hints = {
            name: _resolve(stage, value) for name, value in self.hints.items()
        }
        if self.group:
            hints['group'] = stage.groups[self.group]
        answer = stage.post(
            '/servers', {'server': body, 'os:scheduler_hints': hints}
        )
        request = answer.headers['x-openstack-request-id']
        if self.count > 1:
            server = self._find(stage, answer.json()['reservation_id'])
        else:
            server = answer.json()['server']['id']
        if self.after_s:
            time.sleep(self.after_s)
            shown = stage.show(server)
        else:
            shown = wait_until_built(stage, server)
        return Asked(
            server, request, _get_fault(shown),
            name=self.name if self.by_name else '',
        )

    def _find(self, stage: Stage, reservation: str) -> str:
        """Return the one to explain, when all of them have ended."""
        def find() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = stage.cloud.get(
                'compute',
                f'/servers/detail?all_tenants=1&reservation_id={reservation}',
            )['servers']
            return found if len(found) == self.count else []

        servers = stage.wait_until(find, f'{self.count} servers')
        for server in servers:
            wait_until_built(stage, server['id'])
        servers.sort(key=lambda s: s['OS-EXT-SRV-ATTR:launch_index'])
        return str(servers[self.which]['id'])


@dataclass(frozen=True)
class Simulate:
    """Simulate a boot; the answer is judged as an explanation is."""

    flavor: Flavor = field(default_factory=Flavor)
    zone: str = ''
    host: str = ''
    hints: Mapping[str, str] = field(default_factory=dict)

    def ask(self, stage: Stage) -> Asked:
        """Ask nova-ext-api."""
        answer = stage.cloud.service('scheduler').post(
            '/v1/simulations', raise_exc=False, json=self.build(stage)
        )
        if not answer.ok:
            return Asked('', '', explained=Explained(message=answer.text))
        document = answer.json()['simulation']
        return Asked(
            '', document['request_id'], explained=Explained(document)
        )

    def build(self, stage: Stage) -> dict[str, Any]:
        """Return the body of the call."""
        return {'request': {
            'flavor': {
                'vcpus': self.flavor.vcpus, 'name': 'simulated',
                'memory_mb': self.flavor.memory_mb,
                'root_gb': self.flavor.disk_gb,
                'extra_specs': dict(self.flavor.extra),
            },
            'image': {
                'id': find_image(stage, IMAGE), 'disk_format': 'raw',
                'min_ram': 0, 'min_disk': 0, 'properties': {},
            },
            'availability_zone': self.zone, 'host': self.host,
            'hints': dict(self.hints),
        }}


@dataclass(frozen=True)
class Act:
    """Ask for an action on a server that exists, and wait for its end.

    :param body: of the action; a :class:`Flavor` in it is created.
    """

    server: str
    action: str
    body: Any = None

    def ask(self, stage: Stage) -> Asked:
        """Ask for it, and wait until nothing of it is left to do."""
        server = stage.servers[self.server]
        answer = stage.post(
            f'/servers/{server}/action', {self.action: self._build(stage)}
        )
        request = answer.headers['x-openstack-request-id']
        shown = stage.wait_until(
            lambda: self._has_ended(stage, server, request), self.action
        )
        return Asked(server, request, _get_fault(shown))

    def _build(self, stage: Stage) -> Any:
        if self.action == 'rebuild':
            return {'imageRef': find_image(stage, self.body)}
        if isinstance(self.body, Flavor):
            return {'flavorRef': self.body.create(stage)}
        return self.body

    @staticmethod
    def _has_ended(
        stage: Stage, server: str, request: str
    ) -> dict[str, Any] | None:
        """Return the server, if all events of the request are over."""
        shown = stage.show(server)
        if shown['OS-EXT-STS:task_state']:
            return None
        answer = stage.cloud.compute.get(
            f'/servers/{server}/os-instance-actions/{request}',
            raise_exc=False,
        )
        action = answer.json().get('instanceAction') or {}
        events = action.get('events') or []
        over = events and all(event['finish_time'] for event in events)
        return shown if over else None


@dataclass(frozen=True)
class Fill:
    """Ask how many servers fit, and boot them until one fails.

    What is explained is whether as many were placed as were counted.
    """

    flavor: Flavor = field(default_factory=Flavor)
    group: str = ''

    def ask(self, stage: Stage) -> Asked:
        """Count them, and fill the cloud."""
        group = {'group': stage.groups[self.group]} if self.group else {}
        answer = stage.cloud.service('scheduler').post(
            '/v1/capacities', raise_exc=False,
            json=Simulate(self.flavor, hints=group).build(stage),
        )
        if not answer.ok:
            return Asked('', '', explained=Explained(message=answer.text))
        total = answer.json()['capacity']['total']
        placed, boot = 0, Boot(self.flavor, group=self.group)
        while not boot.ask(stage).fault:
            placed += 1
        return Asked('', '', explained=Explained(message=(
            f'{total["least"]} to {total["most"]} counted, {placed} placed'
        )))


@dataclass(frozen=True)
class Then:
    """Ask, and change the cloud before it is explained."""

    what: Boot
    arrange: Sequence[Arrangement]

    def ask(self, stage: Stage) -> Asked:
        """Ask; change it when a scheduler of ours has asked placement."""
        asked = self.what.ask(stage)
        time.sleep(_LATER_S)
        for arrangement in self.arrange:
            arrangement.arrange(stage)
        return asked


def resize(server: str, flavor: Flavor) -> Act:
    """Ask for a resize."""
    return Act(server, 'resize', flavor)


def migrate(server: str, host: str = '') -> Act:
    """Ask for a cold migration, to a host or to any."""
    return Act(server, 'migrate', {'host': host} if host else None)


def live_migrate(server: str, host: str | None = None) -> Act:
    """Ask for a live migration, to a host or to any."""
    return Act(server, 'os-migrateLive', {
        'host': host, 'block_migration': 'auto',
    })


def evacuate(server: str, host: str = '') -> Act:
    """Ask for an evacuation, to a host or to any."""
    return Act(server, 'evacuate', {'host': host} if host else {})


def unshelve(server: str, **body: Any) -> Act:
    """Ask for a shelved server to come back, to a zone or a host."""
    return Act(server, 'unshelve', body or None)


def rebuild(server: str, image: str) -> Act:
    """Ask for a rebuild with an image."""
    return Act(server, 'rebuild', image)


def find_image(stage: Stage, name: str) -> str:
    """Return the UUID of an image."""
    if name not in stage.images:
        (image,) = stage.cloud.get(
            'image', f'/v2/images?name={name}'
        )['images']
        stage.images[name] = image['id']
    return stage.images[name]


def wait_until_built(stage: Stage, server: str) -> dict[str, Any]:
    """Return a server when it is ACTIVE or has its fault."""
    def find() -> dict[str, Any] | None:
        shown = stage.show(server)
        ended = shown['status'] == 'ACTIVE' or 'fault' in shown
        return shown if ended else None

    shown: dict[str, Any] = stage.wait_until(find, f'{server} built')
    return shown


def _get_fault(server: Mapping[str, Any]) -> str:
    return str((server.get('fault') or {}).get('message') or '')


def _resolve(stage: Stage, value: str) -> str:
    kind, _, name = value.partition(':')
    return stage.servers[name] if kind == 'server' else value
