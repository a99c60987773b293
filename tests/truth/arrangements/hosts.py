"""Arrange services, resources and aggregates of hosts."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from tests.truth.model import hosts
from tests.truth.stage import Stage

#: Seconds in which the messages of a change have come, on a busy machine.
_MESSAGES_S = 0.3


@dataclass(frozen=True)
class Down:
    """Let Nova know that the nova-compute services of hosts are down."""

    names: str
    fact: ClassVar[str] = 'down'

    def arrange(self, stage: Stage) -> None:
        """Force them down."""
        stage.set_services(hosts(self.names), forced_down=True)


@dataclass(frozen=True)
class Disabled:
    """Disable the nova-compute services of hosts."""

    names: str
    reason: str = ''
    fact: ClassVar[str] = 'disabled'

    def arrange(self, stage: Stage) -> None:
        """Disable them, and wait until placement knows."""
        reason = {'disabled_reason': self.reason} if self.reason else {}
        stage.set_services(hosts(self.names), status='disabled', **reason)
        stage.wait_for_disabled()


@dataclass(frozen=True)
class Enabled:
    """Enable hosts that were disabled."""

    names: str
    ends: ClassVar[str] = 'disabled'

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

    @property
    def fact(self) -> str:
        """Return what the hosts lack."""
        return self.resource

    def arrange(self, stage: Stage) -> None:
        """Allocate it to nobody."""
        for host in hosts(self.names):
            capacity = stage.count_capacity(host, self.resource)
            stage.allocate(host, self.resource, capacity - self.left)


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
        created = stage.post(
            '/os-aggregates', {'aggregate': body}
        ).json()['aggregate']
        path = f'/os-aggregates/{created["id"]}'
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
        # A scheduler takes messages in several threads: one that tells of
        # the aggregate before its last host may come last. Tell all again.
        time.sleep(_MESSAGES_S)
        stage.cloud.compute.put(path, json={'aggregate': {'name': self.name}})
