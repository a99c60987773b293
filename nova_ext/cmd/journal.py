"""Run nova-ext journal: show what one holds, export it with other names."""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from cliff import command

from nova_ext.cli.output import DocumentLister
from nova_ext.core.base.progress import Progress
from nova_ext.core.explanation.text_format import pluralize, sanitize
from nova_ext.journal import contents, export


class ShowJournal(DocumentLister):
    """Show what a journal holds, and what of it is damaged or lost.

    Exit status: 0; 1 where a file can't be read at all; 3 where a part of
    one can't.
    """

    _status = 0

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        _add_paths(parser)
        parser.add_argument(
            '--decisions', action='store_true',
            help='list the decisions in place of the files',
        )
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; return the exit status."""
        return super().run(parsed_args) or self._status

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        readers, errors = contents.open_files(parsed_args.paths)
        progress = Progress()
        decisions: list[Any] = []
        files = [contents.FileContents(reader) for reader in readers]
        with progress.step('reading the journal'):
            for number, file in enumerate(files):
                progress.detail(f'file {number + 1} of {len(files)}')
                for decision in file:
                    if parsed_args.decisions:
                        decisions.append(contents.make_decision_row(decision))
        damage = [
            note for file in files for note in contents.list_notes(file.reader)
        ]
        self._status = 1 if errors else 3 if any(
            file.reader.damage or file.reader.unread for file in files
        ) else 0
        total = sum(file.decisions for file in files)
        exact = sum(file.exact for file in files)
        missing: Counter[str] = Counter()
        for file in files:
            missing += file.missing
        self.sentence = (
            f'{total} decisions, {exact} of them exact: all facts are here '
            f'that they depend on.'
        ) if total else 'There is no decision that can be read.'
        self.notes = [sanitize(note) for note in (
            *(
                f'{count} decisions lack: {text}'
                for text, count in missing.most_common(10)
            ), *errors, *damage,
        )]
        if parsed_args.decisions:
            return contents.DECISION_COLUMNS, sorted(decisions)
        return contents.COLUMNS, [file.make_row() for file in files]


class ExportJournal(command.Command):
    """Write a journal anew, so that it can be given to others.

    Hosts, servers, projects, users and addresses get other names, the same
    ones in all files of one call. What the journal's own configuration
    decides does not change.

    Exit status: 3 where a part of a file can't be read. Its other decisions
    are written.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        _add_paths(parser)
        parser.add_argument(
            '--scrub', action='store_true', required=True,
            help='rename; to keep the names, copy the files themselves',
        )
        parser.add_argument(
            '--to', metavar='DIR', type=Path, required=True,
            help='folder into which the new files are written',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        files, decisions, notes = export.export(
            parsed_args.paths, parsed_args.to, Progress()
        )
        for note in notes:
            print(sanitize(note), file=self.app.stdout)
        print(
            f'{pluralize(decisions, "decision")} in '
            f'{pluralize(len(files), "file")} in {parsed_args.to}',
            file=self.app.stdout,
        )
        return 3 if notes else 0


def _add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        'paths', nargs='+', metavar='FILE', type=Path,
        help='a file of a journal, or the folder of its files',
    )
