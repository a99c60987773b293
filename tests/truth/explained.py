"""Ask nova-ext explain, and read what it prints."""

import contextlib
import io
import json
import logging
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nova_ext.cmd import main


@dataclass(frozen=True)
class Explained:
    """Hold what explain printed.

    :param document: its JSON; empty where it found no decision.
    :param message: what it printed in place of that.
    """

    document: dict[str, Any] = field(default_factory=dict)
    message: str = ''

    @property
    def sentence(self) -> str:
        """Return the sentence, or the message in its place."""
        return str(self.document.get('sentence') or self.message)

    @property
    def notes(self) -> str:
        """Return all that is printed below the table."""
        return '\n'.join((
            *self.document.get('notes', ()), *self.document.get('after', ())
        ))


def explain(server: str, *, apart: bool) -> Explained:
    """Explain a server, as an operator with the lab's variables would.

    :param apart: in a process of its own. There alone explain can ask again
        for a stock scheduler, as Nova's configuration is global.
    """
    words = ['explain', server, '-f', 'json']
    text, errors = (_run_apart if apart else _run_here)(words)
    if '{' not in text:
        return Explained(message=f'{text}{errors}'.strip())
    return Explained(json.loads(text[text.index('{'):]))


def _run_here(words: Sequence[str]) -> tuple[str, str]:
    out, errors = io.StringIO(), io.StringIO()
    handlers = logging.getLogger().handlers[:]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            main.main(words)
        except SystemExit:
            pass
        finally:
            logging.getLogger().handlers[:] = handlers
    return out.getvalue(), errors.getvalue()


def _run_apart(words: Sequence[str]) -> tuple[str, str]:
    done = subprocess.run(
        [str(Path(sys.prefix) / 'bin' / 'nova-ext'), *words],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )
    return done.stdout, done.stderr
