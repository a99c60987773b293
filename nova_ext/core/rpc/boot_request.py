"""Describe a boot to simulate, and changes to the scheduler for it.

Both cross RPC as plain data. A scheduler refuses a field that it does not
know: without it the request would be another one.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.message import Message

#: Servers of one simulated request; each takes Nova time.
MAX_SERVERS = 100
#: CPUs of one server or of all lists together, and the greatest number of a
#: CPU. Nova builds sets of as many before it looks at any host.
MAX_CPUS = 99_999

#: Policies of a server group, as Nova has them.
GROUP_POLICIES = (
    'affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity',
)

_CPUS = re.compile(r'hw[:_].*cpu')
#: Python's int() takes underscores between digits: nobody needs them.
_TOO_GREAT = re.compile(r'\d{6}|\d_')
_RANGE = re.compile(r'(\d+)\s*-\s*\+?(\d+)')


@dataclass(frozen=True)
class BootFlavor(Message):
    """Represent the flavor, with the field names of Nova's database.

    :param swap: in MiB.
    """

    vcpus: int
    memory_mb: int
    root_gb: int = 0
    ephemeral_gb: int = 0
    swap: int = 0
    name: str = ''
    flavorid: str = ''
    extra_specs: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.vcpus > MAX_CPUS:
            raise WrongArgumentsError(
                f'BootFlavor: vcpus is {self.vcpus}, over {MAX_CPUS}'
            )
        _check_cpus('BootFlavor', self.extra_specs)


@dataclass(frozen=True)
class BootRequest(Message):
    """Represent what ``openstack server create`` asks of the scheduler.

    :param stored_flavor: use the cloud's flavor with this flavorid, if the
        caller may see it, and ignore the flavor's other fields.
    :param image: ``id``, ``disk_format``, ``min_ram`` and what else Nova
        keeps of an image, with its ``properties``; empty: none.
    :param boot_from_volume: the root disk is a volume, on no host.
    :param availability_zone: for administrators also ``zone:host``,
        ``zone:host:node`` or ``zone::node``, which skip all filters.
    :param hints: scheduler hints; a text, or a list of texts. ``group`` is a
        server group's UUID.
    :param host: the only host that may be chosen (``--host``).
    :param project_id: project of the servers; empty: the caller's.
    :param count: number of servers, 1 to MAX_SERVERS.
    """

    flavor: BootFlavor
    image: dict[str, Any] = field(default_factory=dict)
    boot_from_volume: bool = False
    availability_zone: str = ''
    hints: dict[str, Any] = field(default_factory=dict)
    host: str = ''
    hypervisor_hostname: str = ''
    ignore_hosts: list[str] = field(default_factory=list)
    project_id: str = ''
    user_id: str = ''
    count: int = 1
    stored_flavor: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.count <= MAX_SERVERS:
            raise WrongArgumentsError(
                f'BootRequest: count is {self.count}, not 1 to {MAX_SERVERS}'
            )
        if self.availability_zone.count(':') > 2:
            raise WrongArgumentsError(
                'BootRequest: availability_zone is no zone:host:node'
            )
        for name, value in self.hints.items():
            values = value if isinstance(value, list) else [value]
            if not all(isinstance(text, str) for text in values):
                raise WrongArgumentsError(
                    f'BootRequest: hint {name} is neither a text nor a list '
                    'of texts'
                )
        properties = self.image.get('properties', {})
        if not isinstance(properties, Mapping):
            raise WrongArgumentsError(
                'BootRequest: properties of the image are no mapping'
            )
        _check_cpus('BootRequest', properties)

    @property
    def zone_host_and_node(self) -> tuple[str, str, str]:
        """Return the availability zone, and the forced host and node."""
        zone, host, node = (*self.availability_zone.split(':'), '', '')[:3]
        return zone, host, node


@dataclass(frozen=True)
class Changes(Message):
    """Represent what differs from the scheduler and its cloud as they are.

    :param filters: names of the filters to enable, in order; None: no
        change.
    :param multipliers: multipliers by weigher class. They replace the
        options' values, and not those of aggregate metadata.
    :param driver: name of a driver of topic ``compute``; empty: no change.
    :param ignore_room: offer hosts as if placement had no allocations.
    :param new_group: policy of a server group that has no members yet, in
        which the servers are to be; empty: in none, or in that of the hint.
    """

    filters: list[str] | None = None
    multipliers: dict[str, float] = field(default_factory=dict)
    driver: str = ''
    ignore_room: bool = False
    new_group: str = ''

    def __post_init__(self) -> None:
        if self.new_group not in ('', *GROUP_POLICIES):
            raise WrongArgumentsError(
                f'Changes: new_group is {self.new_group!r}, none of '
                f'{", ".join(GROUP_POLICIES)}'
            )
        for weigher, multiplier in self.multipliers.items():
            if not math.isfinite(multiplier):
                raise WrongArgumentsError(
                    f'Changes: multiplier of {weigher} is no finite number'
                )


def _check_cpus(kind: str, demands: Mapping[str, Any]) -> None:
    """Refuse extra specs or properties with CPUs that no host has."""
    total = 0
    for name, value in demands.items():
        if not _CPUS.match(name):
            continue
        text = str(value)
        if _TOO_GREAT.search(text):
            raise WrongArgumentsError(
                f'{kind}: {name} has a CPU over {MAX_CPUS}, or one with _'
            )
        total += sum(
            max(0, int(last) - int(first))
            for first, last in _RANGE.findall(text)
        )
        if total > MAX_CPUS:
            raise WrongArgumentsError(
                f'{kind}: {name} and others list over {MAX_CPUS} CPUs'
            )
