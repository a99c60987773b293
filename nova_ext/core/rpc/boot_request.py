"""What a boot would ask for, and what may be other than it is.

Both cross RPC as plain data. A field that a scheduler does not know is
refused: the answer would be one to another question.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError

#: Servers of one simulated request; Nova's time grows with each of them.
SERVERS = 100
#: CPUs of one server, and the greatest number of a CPU. Nova makes sets of as
#: many as it is told before it looks at what hosts have.
MOST_CPUS = 99_999

_CPUS = re.compile(r'hw[:_].*cpu')
_TOO_GREAT = re.compile(r'\d{6}')


@dataclass(frozen=True)
class _Asked:
    """Plain data that somebody sends."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what was sent.

        :raises WrongArgumentsError: for data that is none of the kind.
        """
        try:
            return plain_data.read(cls, data, strict=True)
        except TypeError as error:
            raise WrongArgumentsError(f'{cls.__name__}: {error}') from None

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        return asdict(self)


@dataclass(frozen=True)
class BootFlavor(_Asked):
    """The size that is asked for, in the words of Nova's database.

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
        if self.vcpus > MOST_CPUS:
            raise WrongArgumentsError(
                f'BootFlavor: vcpus is {self.vcpus}, over {MOST_CPUS}'
            )
        _check_cpus('BootFlavor', self.extra_specs)


@dataclass(frozen=True)
class BootRequest(_Asked):
    """What ``openstack server create`` asks of the scheduler.

    :param stored_flavor: the flavor is the cloud's own, as the caller may see
        it: nothing but the flavorid is taken of what is given.
    :param image: ``id``, ``disk_format``, ``min_ram`` and whatever else of
        the image Nova keeps, with its ``properties``; empty: none.
    :param boot_from_volume: the root disk is a volume, on no host.
    :param availability_zone: an administrator may write ``zone:host``,
        ``zone:host:node`` or ``zone::node``, which skips all filters.
    :param hints: scheduler hints; a text, or a list of texts. The one named
        ``group`` holds a server group's UUID.
    :param host: the host that alone may be chosen (``--host``).
    :param hypervisor_hostname: the same of a node.
    :param ignore_hosts: hosts that may not be chosen.
    :param project_id: whose servers they would be; empty: the caller's.
    :param count: servers, 1 to SERVERS.
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
        if not 0 < self.count <= SERVERS:
            raise WrongArgumentsError(
                f'BootRequest: count is {self.count}, not 1 to {SERVERS}'
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
        properties = self.image.get('properties')
        if isinstance(properties, Mapping):
            _check_cpus('BootRequest', properties)

    @property
    def zone_host_and_node(self) -> tuple[str, str, str]:
        """The availability zone, and the host and node that are forced."""
        zone, host, node = (*self.availability_zone.split(':'), '', '')[:3]
        return zone, host, node


@dataclass(frozen=True)
class Changes(_Asked):
    """What is to be other than it is in the scheduler that is asked.

    :param filters: names of the filters to enable, in order; None: those
        that are enabled.
    :param multipliers: of weighers, by class name, in place of the option's
        value. Those that aggregates' metadata give stay.
    :param driver: name of the driver of topic ``compute``; empty: the one
        that decides.
    """

    filters: list[str] | None = None
    multipliers: dict[str, float] = field(default_factory=dict)
    driver: str = ''

    def __post_init__(self) -> None:
        for weigher, multiplier in self.multipliers.items():
            if not math.isfinite(multiplier):
                raise WrongArgumentsError(
                    f'Changes: multiplier of {weigher} is no finite number'
                )


def _check_cpus(of: str, demands: Mapping[str, Any]) -> None:
    """Refuse extra specs or properties with CPUs that no host has."""
    for name, value in demands.items():
        if _CPUS.match(name) and _TOO_GREAT.search(str(value)):
            raise WrongArgumentsError(
                f'{of}: {name} has a CPU over {MOST_CPUS}'
            )
