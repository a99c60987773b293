"""nova-ext lab status."""

import argparse
from collections.abc import Iterable
from typing import Any

from cliff import lister

from nova_ext.lab.cli import base


class Status(lister.Lister):
    """Show all labs, or the services and hosts of one."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Declare the arguments."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--name', metavar='<name>',
            help='a lab (default: one line for each)',
        )
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[tuple[str, ...], Iterable[tuple[Any, ...]]]:
        """The table."""
        base.require()
        from nova_ext.lab import place

        if parsed_args.name is None:
            return _labs()
        return _one(place.existing(parsed_args.name))


def _labs() -> tuple[tuple[str, ...], Iterable[tuple[Any, ...]]]:
    from nova_ext.lab import place, running, states
    from nova_ext.lab.errors import LabError

    rows: list[tuple[Any, ...]] = []
    for each in place.every():
        try:
            state = states.load(each)
        except LabError:
            rows.append((each.name, 'damaged', 0, '', '', str(each.folder)))
            continue
        rows.append((
            each.name, running.word(each, state), len(state.hosts),
            'stock' if state.stock else 'nova-ext', state.created,
            str(each.folder),
        ))
    return ('Name', 'Status', 'Hosts', 'Scheduler', 'Created', 'Folder'), rows


def _one(
    there: Any,
) -> tuple[tuple[str, ...], Iterable[tuple[Any, ...]]]:
    from nova_ext.lab import phase, processes, running, states

    state = states.load(there)
    rows: list[tuple[Any, ...]] = []
    for service in states.SERVICES:
        known = state.processes.get(service)
        process = processes.alive(known) if known else None
        now = phase.read(there, service, known.pid).text if known else ''
        rows.append((
            'service', service,
            now if process else 'stopped',
            state.url(service) if service in state.ports else '',
            process.pid if process else '',
        ))
    nova = running.serves(there, state, 'nova')
    for host in state.hosts:
        size = f'{host.vcpus} vcpus, {host.ram_mb} MiB, {host.disk_gb} GiB'
        rows.append((
            'host', host.name, 'up' if nova else 'stopped',
            f'{size}, az {host.az}' if host.az else size, '',
        ))
    return ('Kind', 'Name', 'Status', 'Where', 'PID'), rows
