"""Run nova-ext journal import: make a journal of tables."""

import argparse
from importlib import import_module
from pathlib import Path
from typing import Any

from cliff import command

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.base.progress import Progress
from nova_ext.core.explanation.text_format import pluralize
from nova_ext.journal import tables
from nova_ext.journal.writer import SUFFIX


class ImportJournal(command.Command):
    """Make a journal of CSV tables of hosts and requests.

    ``nova-ext replay --rolling`` decides the requests in their order, under
    any configuration. Nothing decided them before.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = super().get_parser(prog_name)
        parser.add_argument(
            'hosts', metavar='HOSTS.csv', type=Path,
            help='table of hosts: name, vcpus, memory_mb, disk_gb, and others',
        )
        parser.add_argument(
            'requests', metavar='REQUESTS.csv', type=Path,
            help='table of requests: when, vcpus, memory_mb, and others',
        )
        parser.add_argument(
            '-o', '--output', metavar='JOURNAL', type=Path, required=True,
            help=f'journal to write; its name ends with {SUFFIX}. It is '
                 'replaced if it is there',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        output = parsed_args.output
        if output.suffix != SUFFIX:
            raise NovaExtError(f'{output}: give a name that ends with '
                               f'{SUFFIX}')
        progress = Progress()
        with progress.step('read the tables'):
            hosts = tables.read_hosts(parsed_args.hosts)
            requests = tables.read_requests(parsed_args.requests)
        imported = _load_writer()
        part = output.with_name(f'{output.name}.part')
        with progress.step('write the journal'):
            try:
                imported.write(
                    part, hosts, requests, lambda number: progress.detail(
                        f'{number} of {len(requests)}'
                    ),
                )
                part.replace(output)
            except OSError as error:
                raise NovaExtError(
                    f'{output} can\'t be written: {error.strerror}'
                ) from error
            finally:
                part.unlink(missing_ok=True)
        servers = sum(request.count for request in requests)
        self.app.stdout.write(
            f'{output}: {pluralize(len(hosts), "host")}, '
            f'{pluralize(len(requests), "request")} for '
            f'{pluralize(servers, "server")}\n'
        )


def _load_writer() -> Any:
    """Return the module that writes Nova's objects.

    :raises NovaExtError: where Nova is not installed.
    """
    try:
        return import_module('nova_ext.scheduler.what_if.replay.imported')
    except ImportError as error:
        raise NovaExtError(
            f'{error}; pip install \'nova-ext[scheduler]\' brings Nova, whose '
            f'objects a journal holds'
        ) from error
