"""Describe one server of a build: how to create it, and the zones that fit.

It is stored as JSON, and zones send it to each other. Each finds its own
flavor, image and networks by it. A zone refuses a field that it does not know:
it would create other servers than the user wants.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.boot_request import BootFlavor
from nova_ext.core.stats import capabilities as caps

#: Servers of one build.
MAX_SERVERS = 1000
#: Values in place of the networks' names, as Nova has them.
AUTO, NONE = 'auto', 'none'
#: The hint, and the key of metadata, with the opaque id of an owner.
OWNER_HINT = 'nova_ext_owner'
_UUID = re.compile('[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}')
#: What stands before a constraint on zones.
_PREFIX = 'zone:'
#: Hints that name what one zone alone has, or that nova-ext itself sends.
_REFUSED_HINTS = frozenset({
    'group', 'same_host', 'different_host', 'build_near_host_ip', 'cidr',
    'requested_host', 'target_cell', 'nova_ext_offer', OWNER_HINT,
})


@dataclass(frozen=True)
class ServerSpec:
    """Represent one server of a build, as each zone has to create it.

    :param flavor: fields of a :class:`BootFlavor` but for its ``flavorid``,
        which differs from zone to zone. ``memory_mb`` and ``swap`` in MiB.
    :param image: its ``name``, and perhaps its ``id`` and ``os_hash_value``
        in the user's cloud; or ``properties``, values of Glance by name; or
        both.
    :param networks: a list of names; or ``auto`` or ``none``.
    :param key_name: name of the key pair; empty: none.
    :param availability_zone: without a host; empty: any.
    :param hints: scheduler hints; a text, or a list of texts.
    :param constraints: ``key=value;value``; a zone has to have one of the
        values of this general capability.
    :param owner: an opaque id; servers of one owner have the same in every
        zone.
    """

    flavor: dict[str, Any]
    image: dict[str, Any]
    networks: Any = AUTO
    key_name: str = ''
    metadata: dict[str, str] = field(default_factory=dict)
    availability_zone: str = ''
    hints: dict[str, Any] = field(default_factory=dict)
    constraints: list[str] = field(default_factory=list)
    owner: str = ''

    def __post_init__(self) -> None:
        BootFlavor.from_dict(self.flavor)
        if ':' in self.availability_zone:
            raise WrongArgumentsError(
                'availability_zone names a host: a zone alone is taken'
            )
        refused = sorted(_REFUSED_HINTS & self.hints.keys())
        if refused:
            raise WrongArgumentsError(
                f'hint {refused[0]} is not taken: it means nothing in other '
                f'zones'
            )
        for name, value in self.hints.items():
            texts = value if isinstance(value, list) else [value]
            if any(_UUID.search(str(text)) for text in texts):
                raise WrongArgumentsError(
                    f'hint {name!r:.99} holds an ID, which means nothing in '
                    f'other zones'
                )
        if OWNER_HINT in self.metadata:
            raise WrongArgumentsError(
                f'metadata {OWNER_HINT} is set by nova-ext alone'
            )
        for constraint in self.constraints:
            parse_constraint(constraint)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build the request from plain data.

        :raises WrongArgumentsError: for unknown fields, wrong types, or what
            no zone can be asked for.
        """
        try:
            return plain_data.load(cls, data, strict=True)
        except TypeError as error:
            raise WrongArgumentsError(f'the build: {error}') from None

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain data."""
        return asdict(self)

    def fits(self, general: caps.Capabilities) -> bool:
        """Return whether general capabilities meet the constraints."""
        return all(
            set(general.get(key, ())) & set(values)
            for text in self.constraints
            for key, values in parse_constraint(text).items()
        )


def parse_constraint(text: str) -> caps.Capabilities:
    """Parse a constraint on zones.

    :param text: ``hypervisor=kvm;xen``, with or without ``zone:`` before it.
    :raises WrongArgumentsError: for text that is malformed.
    """
    constraint = caps.parse(text.removeprefix(_PREFIX))
    if not constraint or not all(constraint.values()):
        raise WrongArgumentsError(
            f'zone constraint {text!r:.99} is no key=value'
        )
    return constraint
