"""Provide ``nova-ext lab up``."""

import argparse
from typing import Any

from nova_ext.lab.cli import base
from nova_ext.lab.state import zone

_MOST_PROCESSES = 16
#: Hosts that are named when the lab is up.
_MOST_NAMES = 12


class Up(base.NamedCommand):
    """Create a lab, start a stopped one, or change a running one."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--computes', nargs='+', metavar='<compute>',
            help='fake computes: one number, or for each its '
            'name[:vcpus=N,ram_mb=N,disk_gb=N,az=NAME] '
            '(default: cmp-1 cmp-2 cmp-3 doc-1 ops-1 dev-1)',
        )
        parser.add_argument(
            '--set', action='append', default=[], dest='settings',
            metavar='<group.option=value>',
            help='set an option of nova.conf, for this and later starts; '
            'repeat for several, or for several values of one',
        )
        parser.add_argument(
            '--unset', action='append', default=[],
            metavar='<group.option>',
            help='remove an option that --set has set; repeat for several',
        )
        kind = parser.add_mutually_exclusive_group()
        kind.add_argument(
            '--stock', action=argparse.BooleanOptionalAction,
            help='Nova\'s own scheduler, with nova-ext\'s filters only',
        )
        kind.add_argument(
            '--stock-schedulers', type=_parse_count, metavar='<number>',
            help='number of schedulers, from the last one on, that are '
            'Nova\'s own; needs a broker',
        )
        parser.add_argument(
            '--broker', choices=('none', 'rabbit'),
            help='none: all of Nova in one process; rabbit: each service in '
            'a process of its own, over RabbitMQ, which must be installed '
            '(default: none)',
        )
        parser.add_argument(
            '--schedulers', type=_parse_count, metavar='<number>',
            help='number of schedulers; needs a broker (default: 1)',
        )
        parser.add_argument(
            '--zones', type=int, choices=range(2, len(zone.NAMES) + 1),
            metavar='<number>',
            help=f'{", ".join(zone.NAMES)}: as many labs, each a zone whose '
            'child zone is the next one; all other options hold for each',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        from nova_ext.core.base.progress import Progress
        from nova_ext.lab.lifecycle import zones
        from nova_ext.lab.state import hosts, lab_state, paths
        from nova_ext.lab.state.desired_state import LabChanges, parse_settings

        lab = paths.locate(parsed_args.name)
        computes = parsed_args.computes
        changed = zones.bring_up(
            lab, parsed_args.zones,
            LabChanges(
                hosts=None if computes is None else hosts.parse(computes),
                settings=parse_settings(parsed_args.settings),
                unset=parsed_args.unset, stock=parsed_args.stock,
                broker=parsed_args.broker,
                schedulers=parsed_args.schedulers,
                stock_schedulers=parsed_args.stock_schedulers,
            ),
            Progress(),
        )
        self._describe(lab.name, lab_state.load(lab), changed)

    def _describe(self, name: str, state: Any, changed: bool) -> None:
        """Say that the lab runs, on which hosts, and what to type."""
        from nova_ext.lab.nova import program

        names = [host.name for host in state.hosts]
        more = len(names) - _MOST_NAMES
        programs = sorted(set(program.list_schedulers(state).values()))
        condition = 'is ready' if changed else 'is running already'
        self.app.stdout.write(
            f'Lab {name} {condition}, with {" and ".join(programs)}. '
            f'Hosts: {" ".join(names[:_MOST_NAMES])}'
            f'{f" and {more} more" if more > 0 else ""}\n\n'
            'Boot a server on a host of your choice:\n\n'
            f'  {base.format_command(name, "run")} -- '
            f'{base.format_boot(state)}\n\n'
            'or type openstack commands in a shell of their own:\n\n'
            f'  {base.format_command(name, "shell")}\n'
        )
        if state.zone is not None:
            self.app.stdout.write(_describe_zone(name, state.zone))


def _describe_zone(name: str, place: zone.Zone) -> str:
    """Say which labs are its child zones, and what shows them."""
    text = f'\nIt is zone {place.name}'
    for lab, known in zip(place.labs, zone.NAMES, strict=False):
        if lab != name:
            text += f'; zone {known} is lab {lab}'
    if place.child is None:
        return f'{text}.\n'
    return (
        f'{text}. See its child zone:\n\n'
        f'  {base.format_command(name, "run")} -- '
        'openstack scheduler zone list\n'
    )


def _parse_count(word: str) -> int:
    """Return a number of processes."""
    if word.isdecimal() and 1 <= int(word) <= _MOST_PROCESSES:
        return int(word)
    raise argparse.ArgumentTypeError(f'between 1 and {_MOST_PROCESSES}')
