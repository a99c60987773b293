"""Write the command that simulates what a server was requested with."""

import shlex
from collections.abc import Iterator
from typing import Any

from nova_ext.core.explanation.server_history import History


def build(history: History) -> str:
    """Return the command, as far as Nova's API shows the request.

    A resize has a flavor of its own, which the API does not show.
    """
    server = history.server
    resized = (history.newest or {}).get('action') == 'resize'
    flavor = (server.get('flavor') or {}).get('original_name', '')
    words = [
        '--flavor', '<flavor>' if resized or not flavor else flavor,
        *_list_disks(server),
    ]
    zone = server.get('pinned_availability_zone')
    if not zone and not server.get('OS-EXT-SRV-ATTR:host'):
        # Of a server without a host it is the requested one.
        zone = server.get('OS-EXT-AZ:availability_zone')
    if zone:
        words += ['--availability-zone', zone]
    for group in server.get('server_groups') or ():
        words += ['--server-group', group]
    hints = server.get('scheduler_hints') or {}
    for name, values in hints.items():
        if name != 'group':
            listed = values if isinstance(values, list) else [values]
            for value in listed:
                words += ['--hint', f'{name}={value}']
    return f'nova-ext simulate {" ".join(map(_quote, words))}'


def _list_disks(server: Any) -> Iterator[str]:
    image = server.get('image') or {}
    volumes = server.get('os-extended-volumes:volumes_attached') or ()
    if image.get('id'):
        yield from ('--image', image['id'])
    elif volumes:
        yield from ('--volume', volumes[0]['id'])


def _quote(word: str) -> str:
    return word if word == '<flavor>' else shlex.quote(str(word))
