"""Format findings as text for people and as SARIF for tools.

The other formats are cliff's. All take the columns of the command's table.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import Any, TextIO

from cliff.formatters.base import ListFormatter

from nova_ext.lint import checks
from nova_ext.lint.subject.finding import Kind, LintFinding

COLUMNS = ('Id', 'Severity', 'File', 'Line', 'What', 'Why', 'Fix')


def to_row(finding: LintFinding) -> tuple[Any, ...]:
    """Return a finding as a row of the table."""
    return (
        finding.id, str(finding.severity), finding.file, finding.line,
        finding.what, finding.why, finding.fix,
    )


_LEVELS = {'error': 'error', 'warning': 'warning', 'info': 'note'}


class _Format(ListFormatter):
    """Add no options."""

    def add_argument_group(self, parser: argparse.ArgumentParser) -> None:
        """Add nothing."""


class TextFormatter(_Format):
    """Write three lines a finding; editors can follow the first."""

    def emit_list(
        self, column_names: Sequence[str], data: Iterable[Sequence[Any]],
        stdout: TextIO, parsed_args: argparse.Namespace,
    ) -> None:
        """Write the findings."""
        for values in data:
            row = dict(zip(COLUMNS, values, strict=True))
            stdout.write(
                f'{row["File"]}:{row["Line"] or 1}: {row["Severity"]} '
                f'{row["Id"]}: {row["What"]}\n'
                f'    why: {row["Why"]}\n'
                f'    fix: {row["Fix"]}\n'
            )


class SarifFormatter(_Format):
    """Write SARIF 2.1.0, which code hosts show beside the changed lines."""

    def emit_list(
        self, column_names: Sequence[str], data: Iterable[Sequence[Any]],
        stdout: TextIO, parsed_args: argparse.Namespace,
    ) -> None:
        """Write one run with its rules and results."""
        results = [
            _to_result(dict(zip(COLUMNS, values, strict=True)))
            for values in data
        ]
        driver = {
            'name': 'nova-ext lint',
            'version': metadata.version('nova-ext'),
            'rules': [_to_rule(kind) for kind in checks.KINDS.values()],
        }
        json.dump(
            {
                '$schema': 'https://json.schemastore.org/sarif-2.1.0.json',
                'version': '2.1.0',
                'runs': [{'tool': {'driver': driver}, 'results': results}],
            },
            stdout, indent=2,
        )
        stdout.write('\n')


def _to_rule(kind: Kind) -> dict[str, Any]:
    return {
        'id': kind.id,
        'shortDescription': {'text': kind.title},
        'fullDescription': {'text': kind.why},
        'help': {'text': kind.fix},
        'defaultConfiguration': {'level': _LEVELS[str(kind.severity)]},
    }


def _to_result(row: dict[str, Any]) -> dict[str, Any]:
    location: dict[str, Any] = {'artifactLocation': {'uri': row['File']}}
    if row['Line']:
        location['region'] = {'startLine': row['Line']}
    return {
        'ruleId': row['Id'],
        'level': _LEVELS[row['Severity']],
        'message': {'text': f'{row["What"]}. Fix: {row["Fix"]}'},
        'locations': [{'physicalLocation': location}],
    }


def explain(kind: Kind) -> str:
    """Return all that is known of a kind of finding."""
    lines = [
        f'{kind.id}: {kind.title} ({kind.severity})', '', kind.why, '',
        f'Fix: {kind.fix}.',
    ]
    if kind.example:
        lines += ['', 'Such as:', '']
        lines += [f'    {line}' for line in kind.example.splitlines()]
    return '\n'.join(lines)
