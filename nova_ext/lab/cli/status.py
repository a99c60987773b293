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
        from nova_ext.lab.state import paths

        if parsed_args.name is None:
            return _labs()
        return _one(paths.existing(parsed_args.name))


def _labs() -> tuple[tuple[str, ...], Iterable[tuple[Any, ...]]]:
    from nova_ext.lab.lifecycle import running
    from nova_ext.lab.state import lab_state, paths
    from nova_ext.lab.state.errors import LabError

    rows: list[tuple[Any, ...]] = []
    for each in paths.every():
        try:
            state = lab_state.load(each)
        except LabError:
            rows.append(
                (each.name, 'damaged', 0, '', '', '', str(each.folder))
            )
            continue
        rows.append((
            each.name, running.condition(each, state), len(state.hosts),
            _scheduler(state), state.broker,
            state.created, str(each.folder),
        ))
    return (
        'Name', 'Status', 'Hosts', 'Scheduler', 'Broker', 'Created', 'Folder',
    ), rows


def _scheduler(state: Any) -> str:
    if not state.stock_schedulers:
        return 'nova-ext'
    return 'stock' if state.stock else 'both'


def _one(
    there: Any,
) -> tuple[tuple[str, ...], Iterable[tuple[Any, ...]]]:
    from nova_ext.lab.lifecycle import running
    from nova_ext.lab.services import layout
    from nova_ext.lab.state import lab_state

    state = lab_state.load(there)
    rows: list[tuple[Any, ...]] = []
    for service in layout.services(state):
        now = running.phase(there, state, service)
        known = state.processes.get(service.name)
        rows.append((
            'service', service.name, now.text, _where(state, service),
            known.pid if known and now != running.STOPPED else '',
        ))
    (computes,) = layout.find(state, 'compute')
    up = running.phase(there, state, computes).ready
    for host in state.hosts:
        size = f'{host.vcpus} vcpus, {host.ram_mb} MiB, {host.disk_gb} GiB'
        rows.append((
            'host', host.name, 'up' if up else 'stopped',
            f'{size}, az {host.az}' if host.az else size, '',
        ))
    return ('Kind', 'Name', 'Status', 'Where', 'PID'), rows


def _where(state: Any, service: Any) -> str:
    """Where a service listens for its clients."""
    if service.port in state.ports:
        return str(state.url(service.port))
    return ' '.join(
        f'{name} 127.0.0.1:{state.ports[name]}'
        for name in service.own_ports[:1] if name in state.ports
    )
