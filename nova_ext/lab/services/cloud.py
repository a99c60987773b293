"""Clients of a lab's APIs, for the lab itself and for what drives it."""

import functools
from typing import Any

import requests
from keystoneauth1 import adapter, session
from keystoneauth1.identity import v3

from nova_ext.lab.configuration.config import REGION
from nova_ext.lab.services import layout
from nova_ext.lab.state.lab_state import State

#: By type of service. Nova's shows the hints of a server (2.100) and takes
#: ``--nic none`` (2.37).
MICROVERSIONS = {'compute': '2.100', 'placement': '1.39'}


class Cloud:
    """A user of a running lab.

    :param state: the lab's.
    :param user: ``admin`` or ``demo``.
    """

    def __init__(self, state: State, user: str = 'admin') -> None:
        self._urls = {
            endpoint.type: url
            for endpoint, url in layout.catalog(state).items()
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
        """Nova."""
        return self.service('compute')

    @functools.cached_property
    def placement(self) -> adapter.Adapter:
        """Placement."""
        return self.service('placement')

    @functools.cached_property
    def image(self) -> adapter.Adapter:
        """Glance."""
        return self.service('image')

    def service(self, kind: str) -> adapter.Adapter:
        """Return a service of the catalog, at its known address.

        :param kind: its type, such as ``compute``.
        """
        return adapter.Adapter(
            self.session, service_type=kind, region_name=REGION,
            endpoint_override=self._urls[kind],
            default_microversion=MICROVERSIONS.get(kind),
        )

    def get(self, kind: str, path: str) -> Any:
        """Return the body of a GET."""
        return self.service(kind).get(path).json()
