"""Provide ``nova-ext lab status``."""

import argparse
from collections.abc import Iterable
from typing import Any

from cliff import lister

from nova_ext.lab.cli import base


class Status(lister.Lister):
    """Show all labs, or the services and hosts of one."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--name', metavar='<name>',
            help='a lab (default: one line for each)',
        )
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[tuple[str, ...], Iterable[tuple[Any, ...]]]:
        base.require()
        from nova_ext.lab.state import paths

        if parsed_args.name is None:
            return _list_labs()
        return _show_lab(paths.find(parsed_args.name))


def _list_labs() -> tuple[tuple[str, ...], Iterable[tuple[Any, ...]]]:
    from nova_ext.lab.lifecycle import status
    from nova_ext.lab.state import lab_state, paths
    from nova_ext.lab.state.errors import LabError

    rows: list[tuple[Any, ...]] = []
    for lab in paths.list_labs():
        folder = str(lab.path)
        try:
            state = lab_state.load(lab)
        except LabError:
            rows.append((lab.name, 'damaged', 0, '', '', '', '', folder))
            continue
        rows.append((
            lab.name, status.describe(lab, state), len(state.hosts),
            _name_scheduler(state), state.broker,
            state.zone.name if state.zone else '', state.created, folder,
        ))
    return (
        'Name', 'Status', 'Hosts', 'Scheduler', 'Broker', 'Zone', 'Created',
        'Folder',
    ), rows


def _name_scheduler(state: Any) -> str:
    if not state.stock_schedulers:
        return 'nova-ext'
    return 'stock' if state.stock else 'both'


def _show_lab(
    lab: Any,
) -> tuple[tuple[str, ...], Iterable[tuple[Any, ...]]]:
    from nova_ext.lab.lifecycle import status
    from nova_ext.lab.services import layout
    from nova_ext.lab.state import lab_state

    state = lab_state.load(lab)
    rows: list[tuple[Any, ...]] = []
    for service in layout.list_services(state):
        phase = status.find_phase(lab, state, service)
        known = state.processes.get(service.name)
        rows.append((
            'service', service.name, phase.text, _find_address(state, service),
            known.pid if known and phase != status.STOPPED else '',
        ))
    (computes,) = layout.find(state, 'compute')
    up = status.find_phase(lab, state, computes).ready
    for host in state.hosts:
        size = f'{host.vcpus} vcpus, {host.ram_mb} MiB, {host.disk_gb} GiB'
        rows.append((
            'host', host.name, 'up' if up else 'stopped',
            f'{size}, az {host.az}' if host.az else size, '',
        ))
    rows += _list_zones(lab, state)
    return ('Kind', 'Name', 'Status', 'Where', 'PID'), rows


def _list_zones(lab: Any, state: Any) -> Iterable[tuple[Any, ...]]:
    """Return a row for each other zone, with its lab."""
    from nova_ext.lab.state import paths, zone

    if state.zone is None:
        return
    for name, other in zip(zone.NAMES, state.zone.labs, strict=False):
        if other != lab.name:
            yield (
                'zone', name, _describe(paths.locate(other)), f'lab {other}',
                '',
            )


def _describe(lab: Any) -> str:
    from nova_ext.lab.lifecycle import status
    from nova_ext.lab.state import lab_state
    from nova_ext.lab.state.errors import LabError

    try:
        return status.describe(lab, lab_state.load(lab))
    except LabError:
        return 'damaged' if lab.exists() else 'absent'


def _find_address(state: Any, service: Any) -> str:
    """Return where a service listens for its clients."""
    if service.port in state.ports:
        return str(state.url(service.port))
    return ' '.join(
        f'{name} 127.0.0.1:{state.ports[name]}'
        for name in service.own_ports[:1] if name in state.ports
    )
