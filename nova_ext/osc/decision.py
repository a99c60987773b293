"""Run openstack scheduler explain, decision list and decision show."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from osc_lib.command import command

from nova_ext.cli import servers
from nova_ext.cli.api_client import PAGE, Client, build_query
from nova_ext.cli.output import (
    ALL_COLUMNS,
    ExplainLister,
    ExplanationLister,
    add_html,
)
from nova_ext.core.base.errors import NoDecisionError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import (
    refused_destination,
    serialized,
    server_outcome,
)

LIST_COLUMNS = ('ID', *ALL_COLUMNS)


class Explain(ExplainLister, command.Lister):
    """Say why the scheduler placed a server, or could not."""

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        manager: Any = self.app.client_manager
        query = build_query(manager, parsed_args.server)
        if parsed_args.all:
            listing = manager.scheduler.list_decisions(**query)
            older = listing.matches - len(listing.decisions)
            self.notes = [*serialized.note_unlisted(older), *listing.notes]
            return ALL_COLUMNS, [
                _to_row(decision)[1:] for decision in listing.decisions
            ]
        return self._explain(parsed_args, manager, query)

    def _explain(
        self, parsed_args: argparse.Namespace, manager: Any,
        query: Mapping[str, str],
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Explain the newest thing that happened to a server."""
        client: Client = manager.scheduler
        (wanted,) = query.values()
        history, after = (
            (None, []) if parsed_args.record_only else servers.read_history(
                wanted, lambda: nullcontext(manager.sdk_connection)
            )
        )
        newest = history.request_id if history else ''
        try:
            explanation = client.explain_newest(**query)
        except NoDecisionError as error:
            if not history or not newest:
                raise
            return self.show_unrecorded(
                parsed_args, history, None, 0, [str(error), _refer(wanted)]
            )
        decision = Decision.from_dict(explanation['decision'])
        if history and newest not in ('', decision.request_id):
            matches = explanation['older'] + 1
            try:
                explanation = client.explain_newest(
                    server=wanted, request=newest
                )
            except NoDecisionError:
                return self.show_unrecorded(
                    parsed_args, history, decision, matches, [_refer(wanted)]
                )
            decision = Decision.from_dict(explanation['decision'])
        if history:
            decision.by['action'] = (history.newest or {}).get('action', '')
            known = decision.outcome, dict(decision.chosen)
            server_outcome.correct_choice(decision, history)
            refused_destination.mark_by_history(decision, history)
            if decision.refused_later or known != (
                decision.outcome, decision.chosen
            ):
                corrected = serialized.serialize(decision, wanted)
                explanation = dict(explanation) | {
                    key: corrected[key]
                    for key in ('sentence', 'outcome', 'rows', 'decision')
                }
            after = server_outcome.describe_outcome(decision, history)
        if parsed_args.html:
            _write_page(parsed_args.html, explanation, after)
        return self.show_explanation(
            explanation, after, weights=parsed_args.weights
        )


class ListDecisions(command.Lister):
    """List decisions, the newest first."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--server', metavar='<server>',
            help='List decisions about this server (ID)',
        )
        parser.add_argument(
            '--request', metavar='<request-id>',
            help='List decisions of this request',
        )
        parser.add_argument(
            '--project', metavar='<project>',
            help='List decisions of this project (ID); administrators only',
        )
        parser.add_argument(
            '--outcome',
            choices=('placed', 'passed', 'no valid host', 'failed'),
            help='List decisions with this outcome',
        )
        parser.add_argument(
            '--marker', metavar='<decision>', type=_parse_id,
            help='List decisions older than this one (ID)',
        )
        parser.add_argument(
            '--limit', metavar='<number>', type=_parse_number, default=PAGE,
            help='List at most this number of decisions (default: '
                 '%(default)s)',
        )
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        manager: Any = self.app.client_manager
        listing = manager.scheduler.list_decisions(
            parsed_args.limit,
            server=parsed_args.server, request=parsed_args.request,
            project=parsed_args.project, outcome=parsed_args.outcome,
            marker=parsed_args.marker,
        )
        return LIST_COLUMNS, [_to_row(each) for each in listing.decisions]


class ShowDecision(ExplanationLister, command.Lister):
    """Explain one decision."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'decision', metavar='<decision>', type=_parse_id,
            help='Decision (ID)',
        )
        add_html(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        manager: Any = self.app.client_manager
        explanation = manager.scheduler.get(
            f'/v1/decisions/{parsed_args.decision}'
        )['decision']['explanation']
        if parsed_args.html:
            _write_page(parsed_args.html, explanation)
        return self.show_explanation(
            explanation, [], weights=parsed_args.weights
        )


def _refer(server: str) -> str:
    """Name the command that asks Nova again, which the API can't do."""
    return (
        f'nova-ext explain {server} on a host of a scheduler asks Nova what '
        f'holds now'
    )


def _to_row(decision: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        decision['id'], decision['at'], decision['request_id'],
        decision['operation'] or decision['topic'], decision['outcome'],
        decision['sentence'],
    )


def _write_page(
    path: Path, explanation: Mapping[str, Any], after: Sequence[str] = ()
) -> None:
    """Write what is printed as a page."""
    from nova_ext.html_report import render

    render.write(
        path, Decision.from_dict(explanation['decision']),
        explanation['server'], [*after, *explanation['notes']],
    )


def _parse_number(text: str, most: int = 10**9) -> int:
    if text.isdecimal() and len(text) < 20 and 0 < int(text) < most:
        return int(text)
    raise argparse.ArgumentTypeError(f'{text!r} is no number from 1 on')


def _parse_id(text: str) -> int:
    """Return the ID of a decision, as the API bounds it."""
    return _parse_number(text, 2**63)
