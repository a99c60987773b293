"""Print a table between a sentence and notes, or the document behind it."""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TextIO

from cliff import lister
from cliff.formatters import shell

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import serialized, server_history
from nova_ext.core.explanation.server_history import History

#: Columns of a list of decisions.
ALL_COLUMNS = ('At', 'Request', 'Operation', 'Outcome', 'Explanation')

#: Formats that hold the document and not the table alone.
_DOCUMENT_FORMATS = ('json', 'shell', 'yaml')

#: What a shell expands within double quotes; cliff escapes the quotes alone.
_EXPANDED = re.compile(r'[\\$`]')


class DocumentLister(lister.Lister):
    """List rows; take_action() sets what else is printed.

    :cvar reading_format: the format that people read; the sentence and the
        notes are printed in no other.
    :ivar document: the whole result, for JSON, YAML and shell; None: these
        formats print the rows.
    """

    reading_format = 'table'
    sentence = ''
    notes: Sequence[str] = ()
    document: Mapping[str, Any] | None = None

    def produce_output(
        self, parsed_args: Any, column_names: Sequence[str], data: Any
    ) -> int:
        """Print the rows between the sentence and the notes, or all."""
        out = self.app.stdout
        if self.document and parsed_args.formatter in _DOCUMENT_FORMATS:
            names, _ = self._generate_columns_and_selector(
                parsed_args, list(self.document)
            )
            self.formatter.emit_one(  # type: ignore[attr-defined]
                names, [self.document[name] for name in names], out,
                parsed_args,
            )
            return 0
        rows = list(data)
        if parsed_args.formatter != self.reading_format:
            return super().produce_output(parsed_args, column_names, rows)
        if self.sentence:
            print(self.sentence, file=out)
        if rows:
            super().produce_output(parsed_args, column_names, rows)
        for note in self.notes:
            print(note, file=out)
        return 0


class ExplanationLister(DocumentLister):
    """List the verdicts on the hosts of a decision, or their weights."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--weights', action='store_true',
            help='list the weights of the hosts that passed the filters '
                 'instead of the verdict on every host',
        )
        return parser

    def show_explanation(
        self, explanation: Mapping[str, Any], notes: Sequence[str], *,
        weights: bool,
    ) -> tuple[Sequence[str], list[Any]]:
        """Prepare an explanation for printing.

        :param explanation: as :mod:`nova_ext.core.explanation.serialized`
            has it.
        :param notes: what became of the server after the scheduler, or what
            a simulation compares with and lacks.
        :param weights: list the weights in place of the hosts.
        :returns: what take_action() returns.
        """
        self.sentence = explanation['sentence']
        self.notes = [*notes, *explanation['notes']]
        self.document = {
            **explanation, 'notes': self.notes, 'after': list(notes)
        }
        if weights:
            rows = serialized.build_weight_table(explanation)
            return serialized.WEIGHT_COLUMNS, rows
        return serialized.COLUMNS, serialized.build_table(explanation)

    def show_unrecorded(
        self, parsed_args: argparse.Namespace, history: History,
        older: Decision | None, matches: int, notes: Sequence[str] = (),
        clause: str = '', answer: Mapping[str, Any] | None = None,
    ) -> tuple[Sequence[str], list[Any]]:
        """Prepare to print that the newest action left no decision.

        :param older: the newest decision about the server; None: none.
        :param matches: number of decisions about it.
        :param notes: see :meth:`show_explanation`.
        :param clause: what else is known, for the sentence.
        :param answer: ``rows``, ``weights`` and ``decision`` of another
            decision that answers; None: there is none.
        :raises NovaExtError: where a page was requested: it has no content.
        """
        unrecorded = server_history.explain_unrecorded(history, older, notes)
        if parsed_args.html:
            raise NovaExtError(
                f'{parsed_args.html} is not written: {unrecorded.sentence}'
            )
        explanation = server_history.serialize_unrecorded(
            unrecorded, history, matches
        ) | dict(answer or {})
        if clause:
            sentence = explanation['sentence'].rstrip('.')
            explanation['sentence'] = f'{sentence}; {clause}'
        return self.show_explanation(
            explanation, unrecorded.after, weights=parsed_args.weights
        )


class ExplainLister(ExplanationLister):
    """Explain the newest decision about a server or request, or list all."""

    #: '?': which server or request to explain may be left out.
    server_nargs: ClassVar[str | None] = None

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'server', metavar='<server|request>', nargs=self.server_nargs,
            default='',
            help='name or UUID of a server, or ID of a request, req-…; a name '
                 'is looked up in the cloud',
        )
        form = parser.add_mutually_exclusive_group()
        form.add_argument(
            '--all', action='store_true',
            help='list all decisions, the newest first, instead of explaining '
                 'the newest',
        )
        add_html(form)
        parser.add_argument(
            '--record-only', action='store_true',
            help='do not ask the cloud what happened to the server after the '
                 'decision; nova-ext explain does not ask placement either '
                 'what the hosts that it left out lack',
        )
        return parser


def add_html(parser: argparse._ActionsContainer) -> None:
    """Add the option that writes a page."""
    parser.add_argument(
        '--html', metavar='<file>', type=Path,
        help='also write an HTML page: hosts by filter, and weights by '
             'weigher',
    )


class ShellFormatter(shell.ShellFormatter):
    """Write variables that a shell reads, and nothing that it runs.

    A reason may hold what a user wrote into a hint.
    """

    def emit_one(
        self, column_names: Sequence[str], data: Sequence[Any],
        stdout: TextIO, parsed_args: Any,
    ) -> None:
        """Write a variable for each column; what is no text is JSON."""
        texts = [
            value if isinstance(value, str) else json.dumps(value)
            for value in data
        ]
        super().emit_one(
            column_names, [_EXPANDED.sub(r'\\\g<0>', text) for text in texts],
            stdout, parsed_args,
        )
