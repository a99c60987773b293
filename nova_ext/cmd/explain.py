"""Run nova-ext explain: say why a server is where it is, or nowhere."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nova_ext.cli import cloud, placement, servers
from nova_ext.cli.output import ALL_COLUMNS, ExplainLister
from nova_ext.cmd import arguments, ask_again, output_file, past
from nova_ext.core.base.errors import NoDecisionError, NovaExtError
from nova_ext.core.base.mode import Mode
from nova_ext.core.decision import placement_diagnosis
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import (
    group_members,
    refused_destination,
    serialized,
    server_outcome,
)
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.server_history import History
from nova_ext.core.explanation.text_format import sanitize
from nova_ext.record import record_or_log, stock_log
from nova_ext.record.reader import SearchResult


class Explain(ExplainLister):
    """Say why the scheduler placed a server, or could not."""

    server_nargs = '?'

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        source = parser.add_mutually_exclusive_group()
        arguments.add_record(source)
        source.add_argument(
            '--log', metavar='FILE',
            help='explain a failure from a log of nova-scheduler or '
                 'nova-conductor in place of the record, - for standard '
                 'input; without <server|request> the newest failure',
        )
        past.add_options(parser, source)
        arguments.add_configuration(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        if not parsed_args.server and not parsed_args.log:
            raise NovaExtError(
                'name a server or a request, or a log with --log'
            )
        past.check_options(parsed_args)
        output_file.check(parsed_args.html, '--html', *map(Path, filter(None, (
            parsed_args.record, parsed_args.log, parsed_args.journal,
            *parsed_args.config_file,
        ))))
        if parsed_args.journal:
            return self._explain_past(parsed_args)
        wanted = parsed_args.server and servers.identify(parsed_args.server)
        history, after = (
            servers.read_history(wanted)
            if wanted and cloud.is_named() and not parsed_args.record_only
            and not parsed_args.all else (None, [])
        )
        newest = history.request_id if history else ''
        try:
            result = _find(parsed_args, wanted)
        except NoDecisionError as error:
            return self._show_unrecorded(parsed_args, wanted, history, error)
        refused_destination.mark(result.decisions)
        if parsed_args.all:
            older = result.matches - len(result.decisions)
            self.notes = [*serialized.note_unlisted(older), *result.notes()]
            return ALL_COLUMNS, [
                _to_row(each, wanted) for each in result.decisions
            ]
        decision = next((
            each for each in result.decisions
            if newest in ('', each.request_id)
        ), None)
        if history and decision is None:
            return self._show_unrecorded(parsed_args, wanted, history, result)
        decision = decision or result.decisions[0]
        if history:
            decision.by['action'] = (history.newest or {}).get('action', '')
            server_outcome.correct_choice(decision, history)
            refused_destination.mark_by_history(decision, history)
            after = server_outcome.describe_outcome(decision, history)
        notes = filter(None, [
            _diagnose(parsed_args, decision, wanted),
            *_find_members(parsed_args, decision),
        ])
        return self._show(parsed_args, decision, after, serialized.serialize(
            decision, wanted, result.matches - 1, [*notes, *result.notes()]
        ))

    def _explain_past(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Explain what a journal has."""
        decision, wanted, notes = past.explain(parsed_args)
        return self._show(parsed_args, decision, [], serialized.serialize(
            decision, wanted, 0, notes
        ))

    def _show(
        self, parsed_args: argparse.Namespace, decision: Decision,
        after: Sequence[str], explanation: Mapping[str, Any],
    ) -> tuple[Sequence[str], Iterable[Any]]:
        if parsed_args.html:
            from nova_ext.html_report import render

            render.write(
                parsed_args.html, decision, explanation['server'],
                [*after, *explanation['notes']],
            )
        return self.show_explanation(
            explanation, after, weights=parsed_args.weights
        )

    def _show_unrecorded(
        self, parsed_args: argparse.Namespace, wanted: str,
        history: History | None, result: SearchResult | NoDecisionError,
    ) -> tuple[Sequence[str], list[Any]]:
        """Explain what left no decision; ask again where that is possible.

        :param result: older decisions about the server; an error: there are
            none.
        :raises NoDecisionError: nothing is known of the server.
        """
        known = history if history and history.request_id else None
        now = _ask_again(parsed_args, wanted, known)
        if isinstance(result, SearchResult):
            older, matches = result.decisions[0], result.matches
            notes = [*now.notes, *result.notes()]
        else:
            older, matches, notes = None, 0, [*now.notes, str(result)]
            if known is None and not now.clause:
                raise result
        return self.show_unrecorded(
            parsed_args, known or History({}), older, matches, notes,
            now.clause, now.answer,
        )


def _ask_again(
    parsed_args: argparse.Namespace, wanted: str, history: History | None
) -> ask_again.Now:
    if not servers.is_server(wanted) or parsed_args.record_only or (
        parsed_args.log or parsed_args.all
    ):
        return ask_again.Now()
    if parsed_args.record:
        return ask_again.refer(
            history, 'not asked again, as --record may be another cloud\'s'
        )
    return ask_again.ask(
        arguments.find_configuration(parsed_args), wanted, history
    )


def _diagnose(
    parsed_args: argparse.Namespace, decision: Decision, wanted: str
) -> str:
    """Ask placement what the hosts lack that it left out.

    :returns: a note why it was not asked; empty where there is no need.
    """
    if parsed_args.record_only or parsed_args.record:
        return ''  # the file may be another cloud's
    if decision.by.get('mode') == Mode.PLUGIN and not decision.is_from_log:
        return ask_again.diagnose(
            arguments.find_configuration(parsed_args), decision, wanted
        )
    return placement_diagnosis.diagnose_past(
        decision, lambda query, ended: placement.diagnose(query)
    )


def _find_members(
    parsed_args: argparse.Namespace, decision: Decision
) -> list[str]:
    """Note which members of the server's group were scheduled with it."""
    group = group_members.get_group(decision)
    if parsed_args.log or not group:
        return []
    try:
        others = _find(parsed_args, group).decisions
    except NovaExtError:
        return []
    return group_members.describe_in_flight(
        decision, others, remark=group_members.ONE_SCHEDULER
    )


def _find(
    parsed_args: argparse.Namespace, wanted: str
) -> SearchResult:
    """Find the decisions in the log or the record.

    :raises NoDecisionError: where there are none.
    """
    if parsed_args.log:
        return stock_log.find(parsed_args.log, wanted)
    return record_or_log.find(
        parsed_args.record, wanted, *arguments.find_configuration(parsed_args)
    )


def _to_row(decision: Decision, wanted: str) -> tuple[str, ...]:
    server = wanted if wanted in decision.servers else ''
    return (
        sanitize(decision.at), sanitize(decision.request_id),
        sanitize(decision.operation or decision.topic),
        sanitize(decision.outcome),
        explain(decision, server).sentence,
    )
