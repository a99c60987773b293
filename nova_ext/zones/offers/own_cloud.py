"""Reach the compute, image and network APIs of this zone's own cloud."""

from typing import Any

from keystoneauth1 import adapter, session
from keystoneauth1.identity import access
from oslo_config import cfg

#: Seconds in which each of its answers has to begin.
TIME_LIMIT_S = 10
#: The first version that shows flavors with their extra specs, and takes
#: networks that are allocated automatically, or not at all.
_COMPUTE_VERSION = '2.61'


class OwnCloud:
    """Send requests to the zone's own cloud, in the name of one user.

    Region and interface of its endpoints are those of Keystone, as
    ``[keystone_authtoken]`` has them.

    :param opened: a session with that user's token.
    """

    def __init__(self, opened: session.Session) -> None:
        self._session = opened

    @property
    def compute(self) -> adapter.Adapter:
        """Return the compute API."""
        return self._adapt('compute', default_microversion=_COMPUTE_VERSION)

    @property
    def image(self) -> adapter.Adapter:
        """Return the image API."""
        return self._adapt('image', min_version='2', max_version='2.latest')

    @property
    def network(self) -> adapter.Adapter:
        """Return the network API."""
        return self._adapt('network', min_version='2', max_version='2.latest')

    def _adapt(self, service_type: str, **more: Any) -> adapter.Adapter:
        group = cfg.CONF.keystone_authtoken
        return adapter.Adapter(
            self._session, service_type=service_type,
            region_name=group.region_name, interface=group.interface,
            raise_exc=True, **more,
        )


def open_caller_session(auth: Any) -> session.Session:
    """Return a session that uses the token of a request.

    :param auth: keystonemiddleware's plugin. By itself it would send a token
        of the service, too, which is nobody else's business.
    """
    return open_session(access.AccessInfoPlugin(auth.user))


def open_session(auth: Any) -> session.Session:
    """Return a session.

    :param auth: an auth plugin of keystoneauth.
    """
    group = cfg.CONF.keystone_authtoken
    return session.Session(
        auth, verify=False if group.insecure else group.cafile or True,
        timeout=TIME_LIMIT_S, app_name='nova-ext',
    )
