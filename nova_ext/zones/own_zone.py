"""Describe this zone as its parents see it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nova_ext.core.base.errors import ConfigurationError
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats import capabilities as caps
from nova_ext.core.stats import zone_capabilities
from nova_ext.core.stats.zone_capabilities import ZoneCapabilities
from nova_ext.zones.tables.models import Zone

#: Bytes of the capabilities in an answer, a quarter of what parents read.
MAX_BYTES = 256 * 1024


def parse_general(text: str) -> caps.Capabilities:
    """Parse ``[nova_ext_zones] zone_capabilities``.

    :raises ConfigurationError: for text that is malformed.
    """
    try:
        return caps.parse(text)
    except WrongArgumentsError as error:
        raise ConfigurationError(
            '[nova_ext_zones] zone_capabilities', text, str(error),
            'write key=value;value, key=value',
        ) from None


def list_routable(zones: Iterable[Zone]) -> list[Zone]:
    """Return the child zones to which requests may be routed."""
    return [
        zone for zone in zones if zone.is_active and not zone.is_disabled
    ]


def describe(
    uuid: str, name: str, general: caps.Capabilities,
    services: Mapping[str, Any], children: Sequence[Zone],
) -> dict[str, Any]:
    """Describe the zone, together with child zones.

    :param uuid: the zone's own.
    :param name: what it calls itself.
    :param services: what a scheduler answers to ``service_capabilities``.
    :param children: those whose capabilities are shown as its own.
    :returns: its uuid and name; ``capabilities``, without parts that would
        make the answer too long; ``gathering``: whether it may have more than
        these: a part is left out, or a scheduler has just started, here or in
        a child zone.
    """
    parts: list[ZoneCapabilities] = [
        {'general': zone_capabilities.summarize_general(general),
         'services': {}},
        {'general': {}, 'services': services['services']},
        *(json.loads(child.capabilities) for child in children),
    ]
    gathering = services['gathering'] or any(
        child.is_gathering for child in children
    )
    whole = zone_capabilities.join_zones([])
    for part in parts:
        joined = zone_capabilities.join_zones([whole, part])
        if len(json.dumps(joined)) > MAX_BYTES:
            gathering = True
        else:
            whole = joined
    return {
        'uuid': uuid, 'name': name, 'gathering': gathering,
        'capabilities': whole,
    }
