"""Find in this zone's own cloud what a build asks for by description.

IDs of flavors and networks differ from zone to zone, and those of images, too.
So they are found by what they are: exactly one has to fit.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib import parse

from keystoneauth1 import exceptions as keystone

from nova_ext.cli import boot
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.rpc.boot_request import BootFlavor
from nova_ext.zones.build_request import AUTO, NONE, BuildRequest
from nova_ext.zones.offers.own_cloud import OwnCloud

#: Flavors or images of one answer, and answers that are read.
_PAGE, _PAGES = 1000, 100


class NoMatchError(NovaExtError):
    """Report what none, or more than one, of the zone's own fits.

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


def find(cloud: OwnCloud, build: BuildRequest, project_id: str) -> Matched:
    """Find the flavor, the image and the networks of a build.

    :param cloud: in the name of who will create the servers.
    :param project_id: their project: its private images and networks count.
    :raises NoMatchError: saying what none or two fit.
    """
    try:
        matched = Matched(
            _find_flavor(cloud, build.flavor),
            _find_image(cloud, build.image, project_id),
            _find_networks(cloud, build.networks, project_id),
        )
        if build.key_name:
            _check_key(cloud, build.key_name)
        return matched
    except keystone.ClientException as error:
        raise NoMatchError(
            'cloud_silent', f'an API of this zone\'s cloud: {error}'
        ) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NoMatchError(
            'cloud_silent', f'an answer of this zone\'s cloud can\'t be '
            f'read: {type(error).__name__}'
        ) from error


def _find_flavor(cloud: OwnCloud, wanted: Mapping[str, Any]) -> BootFlavor:
    described = _without_id(BootFlavor.from_dict(wanted).to_dict())
    found = [
        flavor for flavor in map(boot.convert_flavor, _list_flavors(cloud))
        if _without_id(flavor) == described
    ]
    return BootFlavor.from_dict(_take_only(found, 'flavor'))


def _list_flavors(cloud: OwnCloud) -> Iterator[dict[str, Any]]:
    query: dict[str, Any] = {'limit': _PAGE}
    for _ in range(_PAGES):
        answer = cloud.compute.get(
            '/flavors/detail', params=query
        ).json()
        yield from answer['flavors']
        if not answer.get('flavors_links'):
            return
        query['marker'] = answer['flavors'][-1]['id']


def _without_id(flavor: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in flavor.items() if name != 'flavorid'
    }


def _find_image(
    cloud: OwnCloud, wanted: Mapping[str, Any], project_id: str
) -> dict[str, Any]:
    if not wanted:
        return {}
    described = {
        **wanted.get('properties', {}),
        **({'name': wanted['name']} if wanted.get('name') else {}),
    }
    hash_ = wanted.get('os_hash_value')
    fitting = [
        image for image in _list_images(cloud, wanted.get('name'))
        if described and described.items() <= image.items()
        and image['status'] == 'active'
        and (image['visibility'] == 'public' or image['owner'] == project_id)
        and (not hash_ or image.get('os_hash_value') in (None, hash_))
    ]
    # In the cloud in which the user named it, its ID tells it from others.
    same = [image for image in fitting if image['id'] == wanted.get('id')]
    found: dict[str, Any] = _take_only(same or fitting, 'image')
    return boot.convert_image(found)


def _list_images(cloud: OwnCloud, name: str | None) -> list[dict[str, Any]]:
    """List the images with a name; None: all of them."""
    query = {'limit': str(_PAGE)} if name is None else {'name': name}
    images: list[dict[str, Any]] = []
    for _ in range(_PAGES):
        answer = cloud.image.get('/images', params=query).json()
        images += answer['images']
        if not answer.get('next'):
            break
        query['marker'] = answer['images'][-1]['id']
    return images


def _find_networks(cloud: OwnCloud, wanted: Any, project_id: str) -> Any:
    if wanted in (AUTO, NONE):
        return wanted
    return [_find_network(cloud, name, project_id) for name in wanted]


def _find_network(cloud: OwnCloud, name: str, project_id: str) -> str:
    networks = cloud.network.get(
        '/networks', params={'name': name}
    ).json()['networks']
    found = _take_only([
        network for network in networks if network['name'] == name and (
            network['shared'] or network['tenant_id'] == project_id
        )
    ], 'network')
    return str(found['id'])


def _check_key(cloud: OwnCloud, name: str) -> None:
    try:
        cloud.compute.get(f'/os-keypairs/{parse.quote(name, safe="")}')
    except keystone.NotFound:
        raise NoMatchError('no_key') from None


def _take_only(found: Iterable[Any], kind: str) -> Any:
    """Return the only one.

    :raises NoMatchError: where there are none, or two.
    """
    each = list(found)
    if len(each) != 1:
        raise NoMatchError(f'two_{kind}s' if each else f'no_{kind}')
    return each[0]
