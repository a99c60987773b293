"""Reach a lab's APIs: by a client of the lab, or through clouds.yaml."""

import functools
from typing import Any

import requests
import yaml
from keystoneauth1 import adapter, session
from keystoneauth1.identity import v3

from nova_ext.core.base import atomic_file
from nova_ext.lab.configuration.config import REGION
from nova_ext.lab.services import layout
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder

#: Microversion by type of service. Nova's shows a server's hints (2.100)
#: and takes ``--nic none`` (2.37).
MICROVERSIONS = {'compute': '2.100', 'placement': '1.39', 'scheduler': '1.0'}

USERS = ('admin', 'demo')


class LabUser:
    """Act as a user of a running lab.

    :param state: the lab's.
    :param user: one of USERS.
    """

    def __init__(self, state: State, user: str = 'admin') -> None:
        self._urls = {
            endpoint.type: url
            for endpoint, url in layout.build_catalog(state).items()
        }
        # The services are on this machine, whatever proxy a site has.
        connection = requests.Session()
        connection.trust_env = False
        self.session = session.Session(
            session=connection,
            auth=v3.Password(
                auth_url=state.url('keystone', '/v3'),
                username=user, password=state.passwords[user],
                project_name=user, user_domain_name='Default',
                project_domain_name='Default',
            )
        )

    @functools.cached_property
    def compute(self) -> adapter.Adapter:
        """Return a client of Nova."""
        return self.service('compute')

    @functools.cached_property
    def placement(self) -> adapter.Adapter:
        """Return a client of Placement."""
        return self.service('placement')

    @functools.cached_property
    def image(self) -> adapter.Adapter:
        """Return a client of Glance."""
        return self.service('image')

    def service(self, kind: str) -> adapter.Adapter:
        """Return a client of a service.

        :param kind: the type of service, such as ``compute``.
        """
        return adapter.Adapter(
            self.session, service_type=kind, region_name=REGION,
            endpoint_override=self._urls[kind],
            default_microversion=MICROVERSIONS.get(kind),
        )

    def get(self, kind: str, path: str) -> Any:
        """Return the body of a GET."""
        return self.service(kind).get(path).json()


def write_clouds_yaml(
    lab: LabFolder, state: State, more: dict[str, dict[str, Any]] | None = None
) -> None:
    """Write clouds.yaml, readable by its owner alone.

    :param more: clouds beside ``admin`` and ``demo``, by name.
    """
    clouds = {user: build_cloud_entry(state, user) for user in USERS}
    atomic_file.write(
        lab.clouds_file,
        yaml.safe_dump({'clouds': clouds | (more or {})}, sort_keys=False),
        mode=0o600,
    )


def build_cloud_entry(state: State, user: str) -> dict[str, Any]:
    """Return an entry of clouds.yaml, for a user of the lab."""
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
        # openstacksdk takes it for the microversion, too, and refuses another
        # one of a command beside compute_default_microversion.
        'compute_api_version': MICROVERSIONS['compute'],
        'placement_api_version': MICROVERSIONS['placement'],
    }
