"""openstack scheduler explain, decision list and decision show."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from osc_lib.command import command

from nova_ext.cli import server_state
from nova_ext.cli.explanation import ALL_COLUMNS, ExplanationLister
from nova_ext.core.base import atomic_file
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import serialized
from nova_ext.osc import decision_queries

LIST_COLUMNS = ('ID', *ALL_COLUMNS)


class Explain(ExplanationLister, command.Lister):
    """Say why the scheduler placed a server, or could not."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Arguments and options, as nova-ext explain has them."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'server', metavar='<server>',
            help='Server (name or ID), or the ID of a request, req-…',
        )
        form = parser.add_mutually_exclusive_group()
        form.add_argument(
            '--all', action='store_true',
            help='List all decisions, the newest first, instead of '
                 'explaining the newest',
        )
        _add_html(form)
        parser.add_argument(
            '--record-only', action='store_true',
            help='Do not ask the compute API what became of the server after '
                 'the scheduler',
        )
        _add_weights(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Ask for the newest decision, or for all."""
        manager: Any = self.app.client_manager
        about = decision_queries.about(manager, parsed_args.server)
        if parsed_args.all:
            found = decision_queries.listed(manager.scheduler, **about)
            older = found.matches - len(found.decisions)
            self.notes = [*serialized.not_listed(older), *found.notes]
            return ALL_COLUMNS, [_line(each)[1:] for each in found.decisions]
        told, number = decision_queries.newest(manager.scheduler, **about)
        (wanted,) = about.values()
        after = [] if parsed_args.record_only else server_state.after(
            Decision.from_dict(told['decision']), wanted,
            lambda: manager.sdk_connection.compute,
        )
        if parsed_args.html:
            _write(
                manager.scheduler, number, parsed_args.html, told['server']
            )
        return self.explanation(told, after, weights=parsed_args.weights)


class ListDecisions(command.Lister):
    """List decisions, the newest first."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """What to list."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--server', metavar='<server>', help='About this server (ID)',
        )
        parser.add_argument(
            '--request', metavar='<request-id>', help='Of this request',
        )
        parser.add_argument(
            '--project', metavar='<project>',
            help='Of this project (ID); operators only',
        )
        parser.add_argument(
            '--outcome',
            choices=('placed', 'passed', 'no valid host', 'failed'),
            help='With this outcome',
        )
        parser.add_argument(
            '--marker', metavar='<decision>', type=int,
            help='Those behind this one of an earlier list (ID)',
        )
        parser.add_argument(
            '--limit', metavar='<number>', type=_count, default=decision_queries.PAGE,
            help='At most so many (default: %(default)s)',
        )
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Ask for as many pages as it takes."""
        manager: Any = self.app.client_manager
        found = decision_queries.listed(
            manager.scheduler, parsed_args.limit,
            server=parsed_args.server, request=parsed_args.request,
            project=parsed_args.project, outcome=parsed_args.outcome,
            marker=parsed_args.marker,
        )
        return LIST_COLUMNS, [_line(each) for each in found.decisions]


class ShowDecision(ExplanationLister, command.Lister):
    """Explain one decision."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Which one, and how."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'decision', metavar='<decision>', type=_count,
            help='Decision (ID)',
        )
        _add_html(parser)
        _add_weights(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Ask for it."""
        manager: Any = self.app.client_manager
        client = manager.scheduler
        number = parsed_args.decision
        told = client.get(f'/v1/decisions/{number}')['decision']
        if parsed_args.html:
            _write(client, number, parsed_args.html)
        return self.explanation(
            told['explanation'], [], weights=parsed_args.weights
        )


def _line(told: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        told['id'], told['at'], told['request_id'],
        told['operation'] or told['topic'], told['outcome'], told['sentence'],
    )


def _write(client: Any, number: int, path: Path, server: str = '') -> None:
    """Write a decision's page to a file."""
    page = client.page(f'/v1/decisions/{number}/page', server=server)
    try:
        atomic_file.write(path, page, 0o600)
    except OSError as error:
        raise NovaExtError(
            f'{path} can\'t be written: {error.strerror}'
        ) from error


def _add_html(parser: Any) -> None:
    parser.add_argument(
        '--html', metavar='<file>', type=Path,
        help='Also write a page for a browser: hosts by filters, and the '
             'weighers\' parts',
    )


def _add_weights(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        '--weights', action='store_true',
        help='List what each weigher said of the hosts that passed, in place '
             'of what became of every host',
    )


def _count(text: str) -> int:
    if text.isdecimal() and 0 < int(text) < 10**9:
        return int(text)
    raise argparse.ArgumentTypeError(f'{text!r} is no number from 1 on')
