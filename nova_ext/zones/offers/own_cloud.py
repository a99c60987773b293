"""Reach this zone's own cloud, and find there what a build describes."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib import parse

from keystoneauth1 import adapter, session
from keystoneauth1 import exceptions as keystone
from keystoneauth1.identity import access
from oslo_config import cfg

from nova_ext.cli import boot
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.rpc.boot_request import BootFlavor
from nova_ext.zones.server_spec import AUTO, NONE, ServerSpec

#: Seconds in which each of its answers has to begin.
TIME_LIMIT_S = 10
#: The first version that shows flavors with their extra specs, and takes
#: networks that are allocated automatically, or not at all.
_COMPUTE_VERSION = '2.61'


#: Of Nova's limits of a project, those of servers and their flavors.
_LIMITS = (
    'maxTotalInstances', 'maxTotalCores', 'maxTotalRAMSize',
    'totalInstancesUsed', 'totalCoresUsed', 'totalRAMUsed',
)
#: Flavors or images of one answer, and answers that are read.
_PAGE, _PAGES = 1000, 100


class NoMatchError(NovaExtError):
    """Report that the cloud has none, or more than one, of what is asked for.

    :param code: ``no_flavor``, ``two_flavors``, ``no_image``, ``two_images``,
        ``no_network``, ``two_networks``, ``no_key``; ``cloud_silent``: an API
        of the zone's cloud did not answer.
    """

    def __init__(self, code: str, message: str = '') -> None:
        super().__init__(message or code)
        self.code = code


@dataclass(frozen=True)
class Matched:
    """Represent what the zone has of what a build asks for.

    :param flavor: with its ``flavorid``.
    :param image: what Nova keeps of it, with its ``id``; empty: none.
    :param networks: UUIDs; or ``auto`` or ``none``.
    """

    flavor: BootFlavor
    image: dict[str, Any]
    networks: Any


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

    def match(self, build: ServerSpec, project_id: str) -> Matched:
        """Find the flavor, the image and the networks of a build.

        IDs differ from zone to zone. Each is found by what it is, and exactly
        one has to match.

        :param project_id: of who creates the servers: its private images and
            networks count.
        :raises NoMatchError: naming what none or two match.
        """
        with _wrap_errors():
            matched = Matched(
                self._find_flavor(build.flavor),
                self._find_image(build.image, project_id),
                self._find_networks(build.networks, project_id),
            )
            if build.key_name:
                self._check_key(build.key_name)
            return matched

    def get_limits(self) -> dict[str, int]:
        """Return Nova's limits of the user's project, and what it uses.

        :raises NoMatchError: where Nova gives no answer that can be used.
        """
        with _wrap_errors():
            limits = self.compute.get('/limits').json()['limits']['absolute']
            return {name: int(limits[name]) for name in _LIMITS}

    def _find_flavor(self, wanted: Mapping[str, Any]) -> BootFlavor:
        described = _without_id(BootFlavor.from_dict(wanted).to_dict())
        fitting = [
            flavor for flavor in map(boot.convert_flavor, self._list_flavors())
            if _without_id(flavor) == described
        ]
        return BootFlavor.from_dict(_take_only(fitting, 'flavor'))

    def _list_flavors(self) -> Iterator[dict[str, Any]]:
        query: dict[str, Any] = {'limit': _PAGE}
        for _ in range(_PAGES):
            answer = self.compute.get(
                '/flavors/detail', params=query
            ).json()
            yield from answer['flavors']
            if not answer.get('flavors_links'):
                return
            query['marker'] = answer['flavors'][-1]['id']

    def _find_image(
        self, wanted: Mapping[str, Any], project_id: str
    ) -> dict[str, Any]:
        if not wanted:
            return {}
        described = {
            **wanted.get('properties', {}),
            **({'name': wanted['name']} if wanted.get('name') else {}),
        }
        hash_ = wanted.get('os_hash_value')
        fitting = [
            image for image in self._list_images(wanted.get('name'))
            if described and described.items() <= image.items()
            and image['status'] == 'active'
            and (image['visibility'] == 'public'
                 or image['owner'] == project_id)
            and (not hash_ or image.get('os_hash_value') in (None, hash_))
        ]
        # In the cloud in which the user named it, its ID tells it from others.
        same = [image for image in fitting if image['id'] == wanted.get('id')]
        image: dict[str, Any] = _take_only(same or fitting, 'image')
        return boot.convert_image(image)

    def _list_images(self, name: str | None) -> list[dict[str, Any]]:
        """List the images with a name; None: all of them."""
        query = {'limit': str(_PAGE)} if name is None else {'name': name}
        images: list[dict[str, Any]] = []
        for _ in range(_PAGES):
            answer = self.image.get('/images', params=query).json()
            images += answer['images']
            if not answer.get('next'):
                break
            query['marker'] = answer['images'][-1]['id']
        return images

    def _find_networks(self, wanted: Any, project_id: str) -> Any:
        if wanted in (AUTO, NONE):
            return wanted
        return [self._find_network(name, project_id) for name in wanted]

    def _find_network(self, name: str, project_id: str) -> str:
        networks = self.network.get(
            '/networks', params={'name': name}
        ).json()['networks']
        network = _take_only([
            network for network in networks if network['name'] == name and (
                network['shared'] or network['tenant_id'] == project_id
            )
        ], 'network')
        return str(network['id'])

    def _check_key(self, name: str) -> None:
        try:
            self.compute.get(f'/os-keypairs/{parse.quote(name, safe="")}')
        except keystone.NotFound:
            raise NoMatchError('no_key') from None


@contextlib.contextmanager
def _wrap_errors() -> Iterator[None]:
    """Turn errors of the cloud's APIs into :class:`NoMatchError`."""
    try:
        yield
    except keystone.ClientException as error:
        raise NoMatchError(
            'cloud_silent', f'an API of this zone\'s cloud: {error}'
        ) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NoMatchError(
            'cloud_silent', f'an answer of this zone\'s cloud can\'t be '
            f'read: {type(error).__name__}'
        ) from error


def open_caller_cloud(auth: Any) -> OwnCloud:
    """Return the zone's own cloud in the name of who sent a request.

    :param auth: as of :func:`open_caller_session`.
    """
    return OwnCloud(open_caller_session(auth))


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


def _without_id(flavor: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in flavor.items() if name != 'flavorid'
    }


def _take_only(matches: Iterable[Any], kind: str) -> Any:
    """Return the only one.

    :raises NoMatchError: where there are none, or two.
    """
    each = list(matches)
    if len(each) != 1:
        raise NoMatchError(f'two_{kind}s' if each else f'no_{kind}')
    return each[0]
