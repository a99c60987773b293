"""Formats of findings beside cliff's own: text for people, SARIF for tools.

They take the columns of the command's table.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import Any, TextIO

from cliff.formatters.base import ListFormatter

from nova_ext.lint import checks
from nova_ext.lint.subject.finding import Finding, Kind

COLUMNS = ('Id', 'Severity', 'File', 'Line', 'What', 'Why', 'Fix')


def row(finding: Finding) -> tuple[Any, ...]:
    """A finding as a row of the table."""
    return (
        finding.id, str(finding.severity), finding.file, finding.line,
        finding.what, finding.why, finding.fix,
    )


_LEVELS = {'error': 'error', 'warning': 'warning', 'info': 'note'}


class _Format(ListFormatter):
    """A format without options of its own."""

    def add_argument_group(self, parser: argparse.ArgumentParser) -> None:
        """Add nothing."""


class TextFormatter(_Format):
    """Three lines a finding; the first is what editors can follow."""

    def emit_list(
        self, column_names: Sequence[str], data: Iterable[Sequence[Any]],
        stdout: TextIO, parsed_args: argparse.Namespace,
    ) -> None:
        """Write the findings."""
        for found in data:
            one = dict(zip(COLUMNS, found, strict=True))
            place = f'{one["File"]}:{one["Line"] or 1}'
            stdout.write(
                f'{place}: {one["Severity"]} {one["Id"]}: {one["What"]}\n'
                f'    why: {one["Why"]}\n'
                f'    fix: {one["Fix"]}\n'
            )


class SarifFormatter(_Format):
    """SARIF 2.1.0, which code hosts show beside the changed lines."""

    def emit_list(
        self, column_names: Sequence[str], data: Iterable[Sequence[Any]],
        stdout: TextIO, parsed_args: argparse.Namespace,
    ) -> None:
        """Write one run with its rules and results."""
        results = [
            self._result(dict(zip(COLUMNS, found, strict=True)))
            for found in data
        ]
        driver = {
            'name': 'nova-ext lint',
            'version': metadata.version('nova-ext'),
            'rules': [self._rule(kind) for kind in checks.KINDS.values()],
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

    def _rule(self, kind: Kind) -> dict[str, Any]:
        return {
            'id': kind.id,
            'shortDescription': {'text': kind.title},
            'fullDescription': {'text': kind.why},
            'help': {'text': kind.fix},
            'defaultConfiguration': {
                'level': _LEVELS[str(kind.severity)],
            },
        }

    def _result(self, one: dict[str, Any]) -> dict[str, Any]:
        place: dict[str, Any] = {'artifactLocation': {'uri': one['File']}}
        if one['Line']:
            place['region'] = {'startLine': one['Line']}
        return {
            'ruleId': one['Id'],
            'level': _LEVELS[one['Severity']],
            'message': {'text': f'{one["What"]}. Fix: {one["Fix"]}'},
            'locations': [{'physicalLocation': place}],
        }


def explanation(kind: Kind) -> str:
    """All that is known of a kind of finding."""
    lines = [
        f'{kind.id}: {kind.title} ({kind.severity})', '', kind.why, '',
        f'Fix: {kind.fix}.',
    ]
    if kind.example:
        lines += ['', 'Such as:', '']
        lines += [f'    {line}' for line in kind.example.splitlines()]
    return '\n'.join(lines)
