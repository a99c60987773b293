"""Reach the zones of a lab, and read what commands and servers they have."""

from collections.abc import Iterable, Mapping
from typing import Any

from nova_ext.lab.lifecycle import status
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state import lab_state, paths, zone
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import LabFolder

#: The demonstration's builds, and so its servers, as many as are in all zones
#: of a lab with hosts of its own.
NAME, COUNT = 'demo-zones', 30
PLAN = ('openstack', 'scheduler', 'build', 'plan')
REQUEST = (
    '--flavor', 'm1.tiny', '--image', 'cirros', '--network', 'none',
    '--count', str(COUNT),
)


def connect(lab: LabFolder, state: lab_state.State) -> dict[str, Cloud]:
    """Return clients of a lab and its child zones, by what it calls them.

    :raises LabError: when it is not the first of several zones, or when one
        of them is stopped.
    """
    if state.zone is None:
        raise LabError(
            f'lab {lab.name} has no zones; one with zones is another lab: '
            f'nova-ext lab up --name {lab.name}-zones --zones 3'
        )
    if state.zone.depth:
        first = state.zone.labs[0]
        raise LabError(
            f'lab {lab.name} is a zone of lab {first}; the demonstration is '
            f'of all zones: nova-ext lab demo zones --name {first}'
        )
    return {
        '/'.join(zone.NAMES[1:depth + 1]) or state.zone.name: Cloud(
            status.load_running(paths.find(name))
        ) for depth, name in enumerate(state.zone.labs)
    }


def read_table(text: str) -> list[dict[str, str]]:
    """Return the rows of the first table in a command's output, by column."""
    lines = [
        [cell.strip() for cell in line.strip('|').split('|')]
        for line in text.splitlines() if line.startswith('|')
    ]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def describe(counts: Mapping[str, int], zones: Iterable[str]) -> str:
    """Return how many servers are in each zone, as ``1 in a, 0 in b``."""
    return ', '.join(f'{counts.get(name, 0)} in {name}' for name in zones)


def read_properties(text: str) -> dict[str, str]:
    """Return the values of a table of properties."""
    return {row['Property']: row['Value'] for row in read_table(text)}


def get_info(cloud: Cloud) -> Mapping[str, Any]:
    """Return what a zone says of itself."""
    info: Mapping[str, Any] = cloud.get('scheduler', '/v1/zones/info')['zone']
    return info


def list_builds(cloud: Cloud) -> set[str]:
    """Return the UUIDs of all builds with the demonstration's name."""
    return {
        build['id'] for build in cloud.get('scheduler', '/v1/builds')['builds']
        if build['name'] == NAME
    }


def count_servers(clouds: Mapping[str, Cloud]) -> dict[str, int]:
    """Return the number of the demonstration's servers in each zone."""
    return {
        name: len(list_servers(cloud)) for name, cloud in clouds.items()
    }


def list_servers(cloud: Cloud) -> list[Mapping[str, str]]:
    """Return the demonstration's servers in a zone, of all projects."""
    servers: list[Mapping[str, str]] = cloud.get(
        'compute', f'/servers/detail?all_tenants=1&name=^{NAME}-'
    )['servers']
    return servers
