"""The servers that a caller wants, as a request for the scheduler."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib import parse

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.boot_request import SERVERS, BootFlavor, BootRequest
from nova_ext.scheduler.launch.compute_api import Caller

_HOST = 'the driver chooses the host'
_ONE = 'each server is created with a request of its own'
#: Fields of a server that are refused, and why.
_NOT_TAKEN = {
    'host': _HOST, 'hypervisor_hostname': _HOST,
    'min_count': _ONE, 'max_count': _ONE,
    # Nova would answer with that id in place of the server's.
    'return_reservation_id': _ONE,
}
#: The last microversion that shows an image.
_IMAGES = '2.35'


@dataclass(frozen=True)
class Wish:
    """What a caller asks for.

    :param server: a server as in POST /servers.
    :param count: how many of it.
    :param hints: scheduler hints.
    :raises WrongArgumentsError: for what is not taken here.
    """

    server: Mapping[str, Any]
    count: int
    hints: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.server, Mapping) or not isinstance(
            self.hints, Mapping
        ):
            raise WrongArgumentsError('server and hints have to be mappings')
        if type(self.count) is not int or not 0 < self.count <= SERVERS:
            raise WrongArgumentsError(
                f'count is no number from 1 to {SERVERS}'
            )
        for name, why in _NOT_TAKEN.items():
            if name in self.server:
                raise WrongArgumentsError(
                    f'server: {name} is not taken, as {why}'
                )
        if ':' in self._zone:
            raise WrongArgumentsError(
                'server: availability_zone names a host; the driver chooses'
            )
        if not isinstance(self.server.get('flavorRef'), str):
            raise WrongArgumentsError('server: flavorRef is no text')

    def body(self, number: int, hint: Mapping[str, str]) -> dict[str, Any]:
        """The body of POST /servers for one of the servers.

        :param number: 0 for the first; Nova numbers several alike.
        :param hint: one more hint.
        """
        server = dict(self.server)
        if self.count > 1:
            server['name'] = f'{server.get("name", "")}-{number + 1}'
        return {
            'server': server,
            'os:scheduler_hints': {**self.hints, **hint},
        }

    def boot_request(self, api: Caller) -> BootRequest:
        """Describe the boot, as Nova's API would.

        Flavor and image are read through the API, in the caller's name, so
        that nobody learns of those of others.

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
            hints={name: _texts(value) for name, value in self.hints.items()},
        )

    @property
    def _zone(self) -> str:
        return str(self.server.get('availability_zone') or '')

    def _image(self, api: Caller) -> dict[str, Any]:
        """What filters look at of the image; empty where there is none."""
        reference = str(self.server.get('imageRef') or '')
        if not reference:
            return {}
        image_id = reference.rpartition('/')[2]
        found = api.get(
            f'/images/{parse.quote(image_id, safe="")}', _IMAGES
        )['image']
        return {
            'id': found['id'], 'min_disk': found['minDisk'],
            'min_ram': found['minRam'], 'properties': found['metadata'],
        }


def _texts(hint: Any) -> list[Any]:
    """The values of a hint; numbers as Nova keeps them, which is as texts."""
    return [
        str(value) if isinstance(value, int | float) else value
        for value in (hint if isinstance(hint, list) else [hint])
    ]
