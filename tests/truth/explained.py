"""Ask nova-ext explain in this process, and read what it prints."""

import contextlib
import io
import json
import logging
from dataclasses import dataclass, field
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


def explain(server: str) -> Explained:
    """Explain a server, as an operator with the lab's variables would."""
    out, errors = io.StringIO(), io.StringIO()
    handlers = logging.getLogger().handlers[:]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            main.main(['explain', server, '-f', 'json'])
        except SystemExit:
            pass
        finally:
            logging.getLogger().handlers[:] = handlers
    text = out.getvalue()
    if '{' not in text:
        return Explained(message=f'{text}{errors.getvalue()}'.strip())
    return Explained(json.loads(text[text.index('{'):]))
