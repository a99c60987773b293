"""Represent what the checks read from Nova and placement."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

COMPUTE = 'nova-compute'


@dataclass(frozen=True)
class Service:
    """Represent a service, as os-services shows it.

    :param status: ``enabled``, ``disabled``, or ``UNKNOWN`` where the
        database of its cell does not answer.
    :param state: ``up`` or ``down``.
    :param updated_at: time of its last change, such as a heartbeat, in
        seconds since 1970; None before the first.
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
        """Read the API's answer; of a silent cell it has three fields."""
        return cls(
            data.get('id', ''), data['binary'], data['host'], data['status'],
            data.get('state', ''), data.get('forced_down', False),
            _seconds(data.get('updated_at')),
        )


@dataclass(frozen=True)
class Hypervisor:
    """Represent a compute node, as os-hypervisors shows it.

    :param id: its UUID, which its provider bears too.
    :param name: the node's name, which its provider bears too.
    :param host: its service's.
    :param kind: such as ``QEMU`` or ``ironic``.
    :param sizes: total amounts by resource class; Nova reports three.
    """

    id: str
    name: str
    host: str
    kind: str
    sizes: Mapping[str, int]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> 'Hypervisor':
        """Read the API's answer, of microversion 2.53 to 2.87."""
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
    """Represent a host aggregate.

    :param uuid: the same in placement.
    """

    uuid: str
    name: str
    hosts: frozenset[str]
    metadata: Mapping[str, str]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> 'Aggregate':
        """Read the API's answer."""
        return cls(
            data['uuid'], data['name'], frozenset(data['hosts']),
            data['metadata'],
        )


@dataclass(frozen=True)
class Holding:
    """Hold a provider's inventories and consumers.

    :param inventories: by resource class.
    :param consumers: UUIDs of those with an allocation.
    """

    inventories: Mapping[str, Mapping[str, Any]]
    consumers: frozenset[str]


def strip_domain(name: str) -> str:
    """Return a host's name without its domain."""
    return name.partition('.')[0]


def _seconds(text: str | None) -> float | None:
    if not text:
        return None
    # Nova gives UTC without saying so.
    moment = datetime.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return moment.timestamp()
