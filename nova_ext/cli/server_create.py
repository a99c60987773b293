"""Take the options of ``openstack server create``, and print a simulation.

python-openstackclient, whose options they are, is not installed where
nova-scheduler runs.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from osc_lib.cli import parseractions

from nova_ext.cli import move
from nova_ext.cli.output import DocumentLister, ExplanationLister
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import counterfactual
from nova_ext.core.explanation.text_format import sanitize
from nova_ext.core.rpc.boot_request import MAX_SERVERS

#: Options that don't say where a server goes; only ports and networks may,
#: and a note says that they were not looked up.
IGNORED_VALUES = (
    '--block-device-mapping', '--config-drive', '--description',
    '--ephemeral', '--file', '--hostname', '--key-name', '--network', '--nic',
    '--password', '--port', '--property', '--security-group', '--swap',
    '--tag', '--trusted-image-cert', '--user-data',
)
IGNORED_FLAGS = (
    '--auto-network', '--delete-on-termination', '--no-config-drive',
    '--no-network', '--no-security-group', '--use-config-drive', '--wait',
)


class ServerCreateLister(DocumentLister):
    """Take the options of ``openstack server create``.

    That command shows one server: its formats are taken here, too, and its
    columns are ignored.
    """

    #: Whether a server that exists may be named in place of a flavor.
    takes_moves: ClassVar = False
    #: Entry points of cliff's formats for lists, and shell.
    formatter_namespace = 'nova_ext.what_if.formats'

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        add_options(parser, flavor_required=not self.takes_moves)
        parser.add_argument(
            '--try-filter', action='append', metavar='<filter>',
            help='use this filter in place of the enabled filters; repeat '
                 'for several',
        )
        return parser

    def _generate_columns_and_selector(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str]
    ) -> tuple[list[str], list[bool] | None]:
        """Select all columns where none of the requested ones exists."""
        try:
            return super()._generate_columns_and_selector(
                parsed_args, column_names
            )
        except ValueError:
            return list(column_names), None


class SimulationLister(ServerCreateLister, ExplanationLister):
    """Say where the server would go."""

    takes_moves = True

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        move.add_options(parser)
        parser.add_argument(
            '--instead-of', metavar='<server|request>',
            help='compare with the newest recorded decision about a server '
                 '(name or ID) or a request (ID, req-…)',
        )
        return parser

    def show_simulation(
        self, explanation: Mapping[str, Any], decision: Decision,
        before: Decision | None, notes: Sequence[str], *, weights: bool,
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Prepare a simulation for printing.

        :param before: the decision to compare with.
        :param notes: what the simulation lacks.
        :param weights: see :meth:`show_explanation`.
        """
        if before:
            comparison = counterfactual.compare(before, decision)
            notes = [sanitize(comparison), *notes]
        return self.show_explanation(explanation, notes, weights=weights)


class _BlockDevice(parseractions.MultiKeyValueAction):
    """Take ``key=value,…``, or the name of a JSON file."""

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
        devices = getattr(namespace, self.dest) or []
        setattr(namespace, self.dest, [*devices, device])


def add_options(
    parser: argparse.ArgumentParser, *, flavor_required: bool = True
) -> None:
    """Add the options, under the names that ``server create`` gives them."""
    parser.add_argument(
        'server_name', metavar='<server-name>', nargs='?',
        help='ignored: no server is created',
    )
    parser.add_argument(
        '--flavor', metavar='<flavor>', required=flavor_required,
        help='name or ID',
    )
    _add_disks(parser)
    parser.add_argument(
        '--availability-zone', metavar='<zone-name>',
        help='zone, zone:host, zone:host:node or zone::node',
    )
    parser.add_argument(
        '--host', metavar='<host>', help='the only host that may be chosen'
    )
    parser.add_argument(
        '--hypervisor-hostname', metavar='<hypervisor-hostname>',
        help='the only node that may be chosen',
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
        help='checked against --max, otherwise ignored (default: 1)',
    )
    parser.add_argument(
        '--max', metavar='<count>', type=int, default=1,
        help=f'number of servers, {MAX_SERVERS} at most (default: 1)',
    )
    group = parser.add_argument_group(
        'ignored options',
        f'networks, access and contents of the server: '
        f'{", ".join((*IGNORED_VALUES, *IGNORED_FLAGS))}',
    )
    for option in IGNORED_VALUES:
        group.add_argument(option, action='append', help=argparse.SUPPRESS)
    for option in IGNORED_FLAGS:
        group.add_argument(
            option, action='store_true', help=argparse.SUPPRESS
        )


def _add_disks(parser: argparse.ArgumentParser) -> None:
    disk = parser.add_mutually_exclusive_group()
    disk.add_argument('--image', metavar='<image>', help='name or ID')
    disk.add_argument(
        '--image-property', metavar='<key=value>', dest='image_properties',
        action=parseractions.KeyValueAction,
        help='use the first image that has this property; repeat for several '
             'properties',
    )
    disk.add_argument(
        '--volume', metavar='<volume>', help='the root disk is this volume'
    )
    disk.add_argument(
        '--snapshot', metavar='<snapshot>',
        help='the root disk is a volume created from this snapshot',
    )
    parser.add_argument(
        '--boot-from-volume', metavar='<volume-size>', type=int,
        help='the root disk is a volume created from the image',
    )
    parser.add_argument(
        '--block-device', metavar='<block-device>', dest='block_devices',
        action=_BlockDevice,
        help='key=value,… or a JSON file; the device with boot_index 0 is the '
             'root disk, others are ignored',
    )
