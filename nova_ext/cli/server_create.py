"""The options of ``openstack server create``.

python-openstackclient, whose they are, is not there beside nova-scheduler.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from osc_lib.cli import parseractions

from nova_ext.core.rpc.boot_request import SERVERS

#: Taken and passed over: but for ports and networks, which the answer says
#: were not looked at, they say nothing of where the server goes.
VALUES = (
    '--block-device-mapping', '--config-drive', '--description',
    '--ephemeral', '--file', '--hostname', '--key-name', '--network', '--nic',
    '--password', '--port', '--property', '--security-group', '--swap',
    '--tag', '--trusted-image-cert', '--user-data',
)
FLAGS = (
    '--auto-network', '--delete-on-termination', '--no-config-drive',
    '--no-network', '--no-security-group', '--use-config-drive', '--wait',
)


class _BlockDevice(parseractions.MultiKeyValueAction):
    """``key=value,…``, or the name of a JSON file."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace,
        values: Any, option_string: str | None = None,
    ) -> None:
        try:
            device = json.loads(Path(values).read_bytes())
        except OSError:
            super().__call__(parser, namespace, values, option_string)
            return
        except ValueError as error:
            raise argparse.ArgumentError(self, f'{values}: {error}') from None
        if not isinstance(device, dict):
            raise argparse.ArgumentError(self, f'{values}: no JSON object')
        given = getattr(namespace, self.dest) or []
        setattr(namespace, self.dest, [*given, device])


def add(parser: argparse.ArgumentParser) -> None:
    """Add them, under the names that they have there."""
    parser.add_argument(
        'server_name', metavar='<server-name>', nargs='?',
        help='taken and passed over: no server comes of it',
    )
    parser.add_argument(
        '--flavor', metavar='<flavor>', required=True, help='name or ID'
    )
    _add_disks(parser)
    parser.add_argument(
        '--availability-zone', metavar='<zone-name>',
        help='zone, zone:host, zone:host:node or zone::node',
    )
    parser.add_argument(
        '--host', metavar='<host>', help='the host that alone may be chosen'
    )
    parser.add_argument(
        '--hypervisor-hostname', metavar='<hypervisor-hostname>',
        help='the node that alone may be chosen',
    )
    parser.add_argument(
        '--server-group', metavar='<server-group>', help='name or ID'
    )
    parser.add_argument(
        '--hint', metavar='<key=value>', dest='hints',
        action=parseractions.KeyValueAppendAction,
        help='scheduler hint; repeat for several',
    )
    parser.add_argument(
        '--min', metavar='<count>', type=int, default=1,
        help='no more than --max, and passed over (default: 1)',
    )
    parser.add_argument(
        '--max', metavar='<count>', type=int, default=1,
        help=f'servers of one request, {SERVERS} at most (default: 1)',
    )
    _add_passed_over(parser)


def _add_disks(parser: argparse.ArgumentParser) -> None:
    disk = parser.add_mutually_exclusive_group()
    disk.add_argument('--image', metavar='<image>', help='name or ID')
    disk.add_argument(
        '--image-property', metavar='<key=value>', dest='image_properties',
        action=parseractions.KeyValueAction,
        help='the first image that has it; repeat for several properties',
    )
    disk.add_argument(
        '--volume', metavar='<volume>', help='the root disk is this volume'
    )
    disk.add_argument(
        '--snapshot', metavar='<snapshot>',
        help='the root disk is a volume made of this snapshot',
    )
    parser.add_argument(
        '--boot-from-volume', metavar='<volume-size>', type=int,
        help='the root disk is a volume made of the image',
    )
    parser.add_argument(
        '--block-device', metavar='<block-device>', dest='block_devices',
        action=_BlockDevice,
        help='key=value,… or a JSON file; the one with boot_index 0 is the '
             'root disk, others are passed over',
    )


def _add_passed_over(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        'taken and passed over',
        f'networks, access and contents of the server: '
        f'{", ".join((*VALUES, *FLAGS))}',
    )
    for option in VALUES:
        group.add_argument(option, action='append', help=argparse.SUPPRESS)
    for option in FLAGS:
        group.add_argument(
            option, action='store_true', help=argparse.SUPPRESS
        )
