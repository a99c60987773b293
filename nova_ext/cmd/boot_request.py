"""The options of ``openstack server create`` that the scheduler sees.

Flavor and image are looked up in the cloud of the environment, with the
caller's own token, so that nobody learns of those of others.
"""

import argparse
from typing import Any

from nova_ext.core.errors import NovaExtError
from nova_ext.core.what_if import SERVERS, BootFlavor, BootRequest

#: Shows the extra specs of a flavor.
_MICROVERSION = '2.61'
#: What of an image is no property of it (Glance's own schema).
_NO_PROPERTIES = frozenset((
    'id', 'name', 'status', 'visibility', 'protected', 'checksum', 'owner',
    'size', 'virtual_size', 'container_format', 'disk_format', 'created_at',
    'updated_at', 'tags', 'direct_url', 'min_ram', 'min_disk', 'self', 'file',
    'stores', 'schema', 'locations', 'os_hidden', 'os_hash_algo',
    'os_hash_value',
))
#: Options that the scheduler does not see; they are taken and left.
_UNSEEN = ('--nic', '--network', '--port', '--key-name', '--property',
           '--security-group', '--user-data')


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options, as they are typed there."""
    parser.add_argument('name', nargs='?', help='taken and not looked at')
    parser.add_argument('--flavor', required=True, help='name or id')
    parser.add_argument('--image', help='name or id')
    parser.add_argument(
        '--boot-from-volume', metavar='SIZE',
        help='the root disk is a volume, on no host',
    )
    parser.add_argument(
        '--availability-zone', metavar='ZONE', default='',
        help='zone, or zone:host:node',
    )
    parser.add_argument(
        '--hint', metavar='NAME=VALUE', action='append', default=[],
        help='scheduler hint; may be repeated',
    )
    parser.add_argument('--host', default='', help='the host to choose')
    parser.add_argument(
        '--hypervisor-hostname', metavar='NODE', default='',
        help='the node to choose',
    )
    parser.add_argument(
        '--max', metavar='N', type=int, default=1,
        help=f'servers of one request, {SERVERS} at most (default: 1)',
    )
    for option in _UNSEEN:
        parser.add_argument(
            option, action='append', help=argparse.SUPPRESS
        )
    parser.add_argument(
        '--wait', action='store_true', help=argparse.SUPPRESS
    )


def read(options: argparse.Namespace, cloud: Any) -> BootRequest:
    """The request that the options make.

    :param options: as :func:`add` declares them.
    :param cloud: of openstacksdk, connected.
    :raises NovaExtError: for a flavor or image that is not there, or a
        hint of another form.
    """
    return BootRequest(
        _flavor(cloud, options.flavor),
        image=_image(cloud, options.image) if options.image else {},
        boot_from_volume=bool(options.boot_from_volume),
        availability_zone=options.availability_zone,
        hints=_hints(options.hint),
        host=options.host, hypervisor_hostname=options.hypervisor_hostname,
        project_id=cloud.current_project_id or '',
        user_id=cloud.current_user_id or '', count=options.max,
    )


def _flavor(cloud: Any, wanted: str) -> BootFlavor:
    found = _found(
        cloud.compute, '/flavors/detail', 'flavors', wanted,
        microversion=_MICROVERSION,
    )
    return BootFlavor(
        vcpus=found['vcpus'], memory_mb=found['ram'], root_gb=found['disk'],
        ephemeral_gb=found['OS-FLV-EXT-DATA:ephemeral'],
        swap=found['swap'] or 0, name=found['original_name']
        if 'original_name' in found else found['name'],
        flavorid=found['id'], extra_specs=found['extra_specs'],
    )


def _image(cloud: Any, wanted: str) -> dict[str, Any]:
    found = _found(cloud.image, '/images', 'images', wanted)
    return {
        name: found.get(name)
        for name in ('id', 'disk_format', 'min_ram', 'min_disk')
    } | {'properties': {
        name: value for name, value in found.items()
        if name not in _NO_PROPERTIES
    }}


def _found(
    service: Any, path: str, kind: str, wanted: str, **how: Any
) -> dict[str, Any]:
    """The one of a name or id."""
    answer = service.get(path, **how)
    answer.raise_for_status()
    fitting: list[dict[str, Any]] = [
        one for one in answer.json()[kind] if wanted == one['id']
    ] or [one for one in answer.json()[kind] if wanted == one['name']]
    if len(fitting) == 1:
        return fitting[0]
    raise NovaExtError(
        f'there is no {kind[:-1]} {wanted}' if not fitting else
        f'{len(fitting)} {kind} are named {wanted}, give the id of one'
    )


def _hints(given: list[str]) -> dict[str, list[str]]:
    hints: dict[str, list[str]] = {}
    for text in given:
        name, equals, value = text.partition('=')
        if not equals:
            raise NovaExtError(f'--hint {text}: write NAME=VALUE')
        hints.setdefault(name, []).append(value)
    return hints
