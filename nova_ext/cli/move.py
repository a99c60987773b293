"""Build a move from the options of a simulation."""

import argparse
import contextlib
from typing import Any

from nova_ext.cli import boot, servers
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.rpc.move_request import Move

#: Options of server create that say nothing of a move, with their names in
#: the parsed options.
_OF_BOOTS = {
    '--availability-zone': 'availability_zone', '--hint': 'hints',
    '--hypervisor-hostname': 'hypervisor_hostname',
    '--image-property': 'image_properties',
    '--server-group': 'server_group', '--snapshot': 'snapshot',
    '--volume': 'volume',
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that ask for a move in place of a boot."""
    parser.add_argument(
        '--server', metavar='<server>',
        help='simulate an --operation on this server (name or ID) in place of '
             'a boot',
    )
    parser.add_argument(
        '--operation', choices=[str(operation) for operation in Move],
        help='what is to be done with the --server; resize takes --flavor, '
             'rebuild takes --image, the others but these take --host',
    )


def is_move(options: argparse.Namespace) -> bool:
    """Say whether a move is asked for, and check what belongs together.

    :raises NovaExtError: for options that are missing or do not fit.
    """
    if not options.server and not options.operation:
        if not options.flavor:
            raise NovaExtError(
                'name a flavor with --flavor, or a server with --server and '
                '--operation'
            )
        return False
    if not options.server or not options.operation:
        raise NovaExtError('--server and --operation belong together')
    if unfit := [
        *(option for option, name in _OF_BOOTS.items()
          if getattr(options, name)),
        *(f'--{name}' for name in ('min', 'max')
          if getattr(options, name) != 1),
    ]:
        raise NovaExtError(
            f'with --server, leave out {", ".join(unfit)}: Nova keeps what '
            f'the server was requested with'
        )
    return True


def build_request(cloud: Any, options: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of a MoveRequest; names are looked up as the user.

    :param cloud: a connection of openstacksdk.
    :raises NovaExtError: for a name that the cloud does not have.
    """
    server = servers.identify(
        options.server, lambda: contextlib.nullcontext(cloud)
    )
    if not servers.is_server(server):
        raise NovaExtError(f'--server {server} is the ID of a request')
    request = {
        'server': server,
        'operation': options.operation, 'host': options.host,
        'flavor': options.flavor and boot.get_flavor(
            cloud.compute, options.flavor
        )['id'],
        'image': boot.convert_image(boot.get_image(cloud, options)),
    }
    return {name: value for name, value in request.items() if value}
