"""nova-ext explain: why a server is where it is, or nowhere."""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cliff import lister

from nova_ext.cmd import arguments, server_name, server_state
from nova_ext.core import aftermath, tally, weights
from nova_ext.core.decision import Decision
from nova_ext.core.explain import explain
from nova_ext.core.wording import REASON, clean, host_names
from nova_ext.record import location, reader, stock_log

COLUMNS = ('Count', 'Hosts', 'Stage', 'Verdict', 'Reason')
WEIGHT_COLUMNS = (
    'Host', 'Weigher', 'Raw', 'Normalised', 'Multiplier', 'Contribution',
)
WEIGHT_KEYS = tuple(name.lower() for name in WEIGHT_COLUMNS)
ALL_COLUMNS = ('At', 'Request', 'Occasion', 'Outcome', 'Explanation')

#: Formats that hold everything there is to say, and not the table alone.
WHOLE = ('json', 'yaml')


class Explain(lister.Lister):
    """Say why the scheduler placed a server, or could not."""

    #: Set by take_action(), for what stands around the table.
    _sentence = ''
    _notes: Sequence[str] = ()
    _whole: dict[str, Any] | None = None

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
            help='a stock nova-scheduler\'s log in place of the record, - for '
                 'standard input; its DEBUG lines tell most',
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
            self._notes = [*_cut(found), *found.notes()]
            return ALL_COLUMNS, [_line(d, wanted) for d in found.decisions]
        after = (
            self._after(found.decisions[0], wanted)
            if server_state.is_reachable() and not parsed_args.record_only
            else []
        )
        rows = self._explain(found, wanted, after)
        if parsed_args.html:
            from nova_ext.page import render
            decision = found.decisions[0]
            render.write(
                parsed_args.html, decision, _server(decision, wanted)
            )
        if parsed_args.weights:
            return WEIGHT_COLUMNS, _weights(found.decisions[0], wanted)
        return COLUMNS, rows

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str],
        data: Any,
    ) -> int:
        """The table between its sentence and its notes, or the whole."""
        out = self.app.stdout
        if self._whole and parsed_args.formatter in WHOLE:
            names, _ = self._generate_columns_and_selector(
                parsed_args, list(self._whole)
            )
            self.formatter.emit_one(  # type: ignore[attr-defined]
                names, [self._whole[name] for name in names], out, parsed_args
            )
            return 0
        rows = list(data)
        if parsed_args.formatter != 'table':
            return super().produce_output(parsed_args, column_names, rows)
        if self._sentence:
            print(self._sentence, file=out)
        if rows:
            super().produce_output(parsed_args, column_names, rows)
        for note in self._notes:
            print(note, file=out)
        return 0

    def _after(self, decision: Decision, server: str) -> list[str]:
        """What the cloud tells of a server; one line where it does not."""
        if server not in decision.servers:
            return []
        try:
            return aftermath.told(
                decision, *server_state.look_up(server, decision.request_id)
            )
        except Exception as error:
            why = clean(str(error) or type(error).__name__, REASON)
            return [f'the cloud does not tell what came of the server: {why}']

    def _explain(
        self, found: reader.Found, wanted: str, after: list[str]
    ) -> list[Any]:
        decision = found.decisions[0]
        server = _server(decision, wanted)
        explained = explain(decision, server)
        others = found.matches - 1
        self._sentence = explained.sentence
        self._notes = [
            *after,
            *explained.notes,
            *([f'{others} older: --all lists them'] if others else []),
            *found.notes(),
        ]
        self._whole = {
            'sentence': explained.sentence,
            'outcome': explained.outcome,
            'server': server,
            'request_id': decision.request_id,
            'rows': [asdict(row) for row in explained.rows],
            'notes': self._notes,
            'after': after,
            'weights': [
                dict(zip(WEIGHT_KEYS, row, strict=True))
                for row in _weights(decision, wanted)
            ],
            'older': others,
            'decision': decision.to_dict(),
        }
        return [
            (
                row.count, host_names(row.hosts, row.count), clean(row.stage),
                row.verdict, clean(row.reason),
            )
            for row in explained.rows
        ]


def _server(decision: Decision, wanted: str) -> str:
    """The server that is asked about; empty where it is a request."""
    return wanted if wanted in decision.servers else ''


def _weights(decision: Decision, wanted: str) -> list[tuple[Any, ...]]:
    """What each weigher said of each host that passed, the best first."""
    server = _server(decision, wanted)
    attempt = tally.tally(decision, server).attempt
    if attempt is None:
        return []
    return [
        (
            clean(host), part.weigher, part.raw, part.normalised,
            part.multiplier, part.amount,
        )
        for host in attempt.ranked
        for part in weights.contributions(attempt.weighers, host)
    ]


def _line(decision: Decision, wanted: str) -> tuple[str, ...]:
    server = _server(decision, wanted)
    return (
        clean(decision.at), clean(decision.request_id),
        clean(decision.occasion or decision.topic), clean(decision.outcome),
        explain(decision, server).sentence,
    )


def _cut(found: reader.Found) -> list[str]:
    older = found.matches - len(found.decisions)
    return [f'{older} still older ones are not listed'] if older else []
