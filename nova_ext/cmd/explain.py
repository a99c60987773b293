"""nova-ext explain: why a server is where it is, or nowhere."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nova_ext.cli import server_name, server_state
from nova_ext.cli.explanation import ALL_COLUMNS, ExplanationLister
from nova_ext.cmd import arguments
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import serialized
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.text_format import clean
from nova_ext.record import location, reader, stock_log


class Explain(ExplanationLister):
    """Say why the scheduler placed a server, or could not."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Arguments and options."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'server', metavar='SERVER|REQUEST-ID',
            help='UUID or name of a server, or the id of a request, req-…; a '
                 'name is looked up in the cloud of OS_CLOUD',
        )
        form = parser.add_mutually_exclusive_group()
        form.add_argument(
            '--all', action='store_true',
            help='list all decisions, the newest first, instead of explaining '
                 'the newest',
        )
        form.add_argument(
            '--html', metavar='FILE', type=Path,
            help='also draw it, as a page for a browser: hosts by filters, '
                 'and the weighers\' parts',
        )
        source = parser.add_mutually_exclusive_group()
        arguments.add_record(source)
        source.add_argument(
            '--log', metavar='FILE',
            help='explain a failure from a stock nova-scheduler\'s log in '
                 'place of the record, - for standard input',
        )
        parser.add_argument(
            '--record-only', action='store_true',
            help='do not ask the cloud of OS_CLOUD what became of the server '
                 'after the scheduler',
        )
        parser.add_argument(
            '--weights', action='store_true',
            help='list what each weigher said of the hosts that passed, in '
                 'place of what became of every host',
        )
        arguments.add_configuration(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Find the decisions and explain the newest, or list all."""
        wanted = server_name.identify(parsed_args.server)
        if parsed_args.log:
            found = stock_log.find(parsed_args.log, wanted)
        else:
            record = parsed_args.record or location.path(
                parsed_args.config_file, parsed_args.config_dir
            )
            found = reader.find(record, wanted)
        if parsed_args.all:
            older = found.matches - len(found.decisions)
            self.notes = [*serialized.not_listed(older), *found.notes()]
            return ALL_COLUMNS, [_line(d, wanted) for d in found.decisions]
        decision = found.decisions[0]
        after = (
            server_state.after(decision, wanted, server_state.compute)
            if server_state.is_reachable() and not parsed_args.record_only
            else []
        )
        told = serialized.plain(
            decision, wanted, found.matches - 1, found.notes()
        )
        if parsed_args.html:
            from nova_ext.html_report import render
            render.write(parsed_args.html, decision, told['server'])
        return self.explanation(told, after, weights=parsed_args.weights)


def _line(decision: Decision, wanted: str) -> tuple[str, ...]:
    server = wanted if wanted in decision.servers else ''
    return (
        clean(decision.at), clean(decision.request_id),
        clean(decision.operation or decision.topic), clean(decision.outcome),
        explain(decision, server).sentence,
    )
