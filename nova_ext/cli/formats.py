"""An explanation as variables of a shell, beside cliff's own formats."""

import json
import re
from collections.abc import Sequence
from typing import Any, TextIO

from cliff.formatters import shell

#: What a shell reads within double quotes; cliff sees to the quotes alone.
_EXPANDED = re.compile(r'[\\$`]')


class ShellFormatter(shell.ShellFormatter):
    """Cliff's, where a shell takes every text as it is.

    A reason may hold what a user wrote into a hint.
    """

    def emit_one(
        self, column_names: Sequence[str], data: Sequence[Any],
        stdout: TextIO, parsed_args: Any,
    ) -> None:
        """Write a variable for each; what is no text is JSON."""
        super().emit_one(
            column_names, [_taken_as_it_is(value) for value in data], stdout,
            parsed_args,
        )


def _taken_as_it_is(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return _EXPANDED.sub(r'\\\g<0>', text)
