"""Write findings as text, besides cliff's own formats."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from cliff.formatters.base import ListFormatter

from nova_ext.doctor.check import DoctorFinding

COLUMNS = ('Id', 'Severity', 'What', 'Where', 'Why', 'Fix')


def to_row(finding: DoctorFinding) -> tuple[str, ...]:
    """Return a finding as a row of the table."""
    return (
        finding.id, str(finding.severity), finding.what, finding.where,
        finding.why, finding.fix,
    )


class TextFormatter(ListFormatter):
    """Write three lines for each finding."""

    def add_argument_group(self, parser: argparse.ArgumentParser) -> None:
        """Add nothing."""

    def emit_list(
        self, column_names: Sequence[str], data: Iterable[Sequence[Any]],
        stdout: TextIO, parsed_args: argparse.Namespace,
    ) -> None:
        """Write the findings."""
        for name, severity, what, where, why, fix in data:
            stdout.write(
                f'{severity} {name}: {what}{where and f": {where}"}\n'
                f'    why: {why}\n'
                f'    fix: {fix}\n'
            )
