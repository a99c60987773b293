"""Share what commands of OpenStackClient have in common."""

import argparse
from typing import Any

from osc_lib.command import command

from nova_ext.cli.api_client import Client


def get_client(run: command.Command) -> Client:
    """Return the client of nova-ext-api."""
    manager: Any = run.app.client_manager
    return manager.scheduler


def add_object(parser: argparse.ArgumentParser, kind: str) -> None:
    """Add the argument that names an object.

    :param kind: such as ``zone``; the argument's destination, too.
    """
    parser.add_argument(
        kind, metavar=f'<{kind}>', help=f'{kind.capitalize()} (name or ID)'
    )


def add_deleted(parser: argparse.ArgumentParser, kind: str) -> None:
    """Add the argument that names objects to delete.

    :param kind: as of :func:`add_object`; the destination has an ``s``.
    """
    parser.add_argument(
        f'{kind}s', metavar=f'<{kind}>', nargs='+',
        help=f'{kind.capitalize()}(s) to delete (name or ID)',
    )
