"""Check a caller's request for servers, and describe their boot."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib import parse

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.boot_request import MAX_SERVERS, BootFlavor, BootRequest
from nova_ext.scheduler.launch.compute_api import ComputeClient

_HOST = 'the driver chooses the host'
_ONE = 'each server is created with a request of its own'
#: Fields of a server that are refused, and why.
_REFUSED_FIELDS = {
    'host': _HOST, 'hypervisor_hostname': _HOST,
    'min_count': _ONE, 'max_count': _ONE,
    # Nova would answer with that id in place of the server's.
    'return_reservation_id': _ONE,
}
#: The last microversion that shows an image.
_IMAGES = '2.35'


@dataclass(frozen=True)
class ServerRequest:
    """Represent a request for servers that are alike.

    :param server: a server as in POST /servers.
    :param count: how many of it.
    :param hints: scheduler hints.
    :raises WrongArgumentsError: for fields that are refused.
    """

    server: Mapping[str, Any]
    count: int
    hints: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.server, Mapping) or not isinstance(
            self.hints, Mapping
        ):
            raise WrongArgumentsError('server and hints have to be mappings')
        if type(self.count) is not int or not 0 < self.count <= MAX_SERVERS:
            raise WrongArgumentsError(
                f'count is no number from 1 to {MAX_SERVERS}'
            )
        for name, reason in _REFUSED_FIELDS.items():
            if name in self.server:
                raise WrongArgumentsError(
                    f'server: {name} is not taken, as {reason}'
                )
        if ':' in self._zone:
            raise WrongArgumentsError(
                'server: availability_zone names a host; the driver chooses'
            )
        if not isinstance(self.server.get('flavorRef'), str):
            raise WrongArgumentsError('server: flavorRef is no text')

    def body(self, number: int, hint: Mapping[str, str]) -> dict[str, Any]:
        """Return the body of POST /servers for one of the servers.

        :param number: 0 for the first; names are numbered as Nova does.
        :param hint: one more hint.
        """
        server = dict(self.server)
        if self.count > 1:
            server['name'] = f'{server.get("name", "")}-{number + 1}'
        return {
            'server': server,
            'os:scheduler_hints': {**self.hints, **hint},
        }

    def describe_boot(self, api: ComputeClient) -> BootRequest:
        """Describe the boot, as Nova's API would.

        Flavor and image are read through the API in the caller's name, which
        hides those of others.

        :raises SchedulingError: for a flavor or an image that is not there,
            or a token that is refused.
        """
        flavor_id = self.server['flavorRef'].rpartition('/')[2]
        api.get(f'/flavors/{parse.quote(flavor_id, safe="")}', '2.1')
        image = self._image(api)
        return BootRequest(
            # The scheduler reads the rest of a stored flavor for itself.
            flavor=BootFlavor(vcpus=0, memory_mb=0, flavorid=flavor_id),
            stored_flavor=True, image=image, boot_from_volume=not image,
            availability_zone=self._zone, count=self.count,
            hints={
                name: _list_values(value)
                for name, value in self.hints.items()
            },
        )

    @property
    def _zone(self) -> str:
        return str(self.server.get('availability_zone') or '')

    def _image(self, api: ComputeClient) -> dict[str, Any]:
        """Return what filters read of the image; empty without an image."""
        reference = str(self.server.get('imageRef') or '')
        if not reference:
            return {}
        image_id = reference.rpartition('/')[2]
        image = api.get(
            f'/images/{parse.quote(image_id, safe="")}', _IMAGES
        )['image']
        return {
            'id': image['id'], 'min_disk': image['minDisk'],
            'min_ram': image['minRam'], 'properties': image['metadata'],
        }


def _list_values(hint: Any) -> list[Any]:
    """Return the values of a hint; numbers as texts, as Nova keeps them."""
    return [
        str(value) if isinstance(value, int | float) else value
        for value in (hint if isinstance(hint, list) else [hint])
    ]
