"""Run nova-ext explain: say why a server is where it is, or nowhere."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from nova_ext.cli import cloud, servers
from nova_ext.cli.output import ALL_COLUMNS, ExplainLister
from nova_ext.cmd import arguments
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import serialized
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.text_format import sanitize
from nova_ext.record import record_or_log, stock_log


class Explain(ExplainLister):
    """Say why the scheduler placed a server, or could not."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Add the options that name the record."""
        parser = super().get_parser(prog_name)
        source = parser.add_mutually_exclusive_group()
        arguments.add_record(source)
        source.add_argument(
            '--log', metavar='FILE',
            help='explain a failure from a stock nova-scheduler\'s log in '
                 'place of the record, - for standard input',
        )
        arguments.add_configuration(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Find the decisions and explain the newest, or list all."""
        wanted = servers.identify(parsed_args.server)
        if parsed_args.log:
            result = stock_log.find(parsed_args.log, wanted)
        else:
            result = record_or_log.find(
                parsed_args.record, wanted, parsed_args.config_file,
                parsed_args.config_dir,
            )
        if parsed_args.all:
            older = result.matches - len(result.decisions)
            self.notes = [*serialized.note_unlisted(older), *result.notes()]
            return ALL_COLUMNS, [_to_row(d, wanted) for d in result.decisions]
        decision = result.decisions[0]
        outcome = (
            servers.describe_outcome(decision, wanted)
            if cloud.is_named() and not parsed_args.record_only else []
        )
        explanation = serialized.serialize(
            decision, wanted, result.matches - 1, result.notes()
        )
        if parsed_args.html:
            from nova_ext.html_report import render

            render.write(parsed_args.html, decision, explanation['server'])
        return self.show_explanation(
            explanation, outcome, weights=parsed_args.weights
        )


def _to_row(decision: Decision, wanted: str) -> tuple[str, ...]:
    server = wanted if wanted in decision.servers else ''
    return (
        sanitize(decision.at), sanitize(decision.request_id),
        sanitize(decision.operation or decision.topic),
        sanitize(decision.outcome),
        explain(decision, server).sentence,
    )
