"""Findings as text for people, beside cliff's own formats."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from cliff.formatters.base import ListFormatter

from nova_ext.doctor.check import Finding

COLUMNS = ('Id', 'Severity', 'What', 'Where', 'Why', 'Fix')


def row(found: Finding) -> tuple[str, ...]:
    """A finding as a row of the table."""
    return (
        found.id, str(found.severity), found.what, found.where, found.why,
        found.fix,
    )


class TextFormatter(ListFormatter):
    """Three lines a finding."""

    def add_argument_group(self, parser: argparse.ArgumentParser) -> None:
        """Add nothing."""

    def emit_list(
        self, column_names: Sequence[str], data: Iterable[Sequence[Any]],
        stdout: TextIO, parsed_args: argparse.Namespace,
    ) -> None:
        """Write the findings."""
        for found in data:
            one = dict(zip(COLUMNS, found, strict=True))
            where = f': {one["Where"]}' if one['Where'] else ''
            stdout.write(
                f'{one["Severity"]} {one["Id"]}: {one["What"]}{where}\n'
                f'    why: {one["Why"]}\n'
                f'    fix: {one["Fix"]}\n'
            )
