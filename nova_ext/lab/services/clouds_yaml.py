"""clouds.yaml: how OpenStack's clients find a lab."""

from typing import Any

import yaml

from nova_ext.core.base import atomic_file
from nova_ext.lab.configuration.config import REGION
from nova_ext.lab.services.cloud import MICROVERSIONS
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import Place

USERS = ('admin', 'demo')


def write(
    place: Place, state: State, more: dict[str, dict[str, Any]] | None = None
) -> None:
    """Write the file, readable by its owner alone.

    :param more: clouds beside ``admin`` and ``demo``, by name.
    """
    clouds = {user: entry(state, user) for user in USERS} | (more or {})
    atomic_file.write(
        place.clouds_file,
        yaml.safe_dump({'clouds': clouds}, sort_keys=False), mode=0o600,
    )


def entry(state: State, user: str) -> dict[str, Any]:
    """Return one cloud: a user of the lab."""
    return {
        'auth': {
            'auth_url': state.url('keystone', '/v3'),
            'username': user,
            'password': state.passwords[user],
            'project_name': user,
            'user_domain_name': 'Default',
            'project_domain_name': 'Default',
        },
        'region_name': REGION,
        'identity_api_version': '3',
        # openstackclient reads the first, openstacksdk the second.
        'compute_api_version': MICROVERSIONS['compute'],
        'compute_default_microversion': MICROVERSIONS['compute'],
        'placement_api_version': MICROVERSIONS['placement'],
    }
