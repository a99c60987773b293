"""What the checks read of a cloud, as Nova and placement tell it."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

COMPUTE = 'nova-compute'


@dataclass(frozen=True)
class Service:
    """A service of Nova, as os-services shows it.

    :param status: ``enabled``, ``disabled``, or ``UNKNOWN`` where the
        database of its cell does not answer.
    :param state: ``up`` or ``down``.
    :param updated_at: seconds since 1970 of its last change, which a
        heartbeat is; None before the first.
    """

    id: str
    binary: str
    host: str
    status: str
    state: str
    forced_down: bool
    updated_at: float | None

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> 'Service':
        """From the API's answer; one of a silent cell has three fields."""
        return cls(
            data.get('id', ''), data['binary'], data['host'], data['status'],
            data.get('state', ''), data.get('forced_down', False),
            _seconds(data.get('updated_at')),
        )


@dataclass(frozen=True)
class Hypervisor:
    """A compute node, as os-hypervisors shows it.

    :param id: its UUID, which its provider bears too.
    :param name: the node's name, which its provider bears too.
    :param host: its service's.
    :param kind: such as ``QEMU`` or ``ironic``.
    :param sizes: total amounts by resource class, of those that Nova tells.
    """

    id: str
    name: str
    host: str
    kind: str
    sizes: Mapping[str, int]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> 'Hypervisor':
        """From the API's answer, microversion 2.53 to 2.87."""
        return cls(
            data['id'], data['hypervisor_hostname'], data['service']['host'],
            data.get('hypervisor_type') or '',
            {
                'VCPU': data['vcpus'], 'MEMORY_MB': data['memory_mb'],
                'DISK_GB': data['local_gb'],
            },
        )


@dataclass(frozen=True)
class Aggregate:
    """A host aggregate.

    :param uuid: the same in placement.
    """

    uuid: str
    name: str
    hosts: frozenset[str]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> 'Aggregate':
        """From the API's answer."""
        return cls(data['uuid'], data['name'], frozenset(data['hosts']))


@dataclass(frozen=True)
class Holding:
    """What placement holds for one provider.

    :param inventories: by resource class.
    :param consumers: UUIDs of those with an allocation.
    """

    inventories: Mapping[str, Mapping[str, Any]]
    consumers: frozenset[str]


def short(name: str) -> str:
    """A host's name without its domain."""
    return name.partition('.')[0]


def _seconds(text: str | None) -> float | None:
    if not text:
        return None
    # Nova gives UTC without saying so.
    moment = datetime.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return moment.timestamp()
