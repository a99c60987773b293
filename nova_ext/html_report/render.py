"""Render a decision as a page, and write it."""

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2

from nova_ext.core.base import atomic_file
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.text_format import sanitize
from nova_ext.html_report.bars import WIDTH, draw_bars
from nova_ext.html_report.heat_map import LEFT, PASSED, UNSEEN, build_heat_map

#: Setuptools would take a folder without a hyphen for a package.
_FILES = 'page-files'

#: A sign besides the colour, for who does not see colours.
_SIGNS = {PASSED: '✓', LEFT: '✕', UNSEEN: ''}


def write(
    path: Path, decision: Decision, server: str = '',
    notes: Sequence[str] | None = None,
) -> None:
    """Write a decision's page; replace a file that is there.

    :param server: as for :func:`render`, and so are the notes.
    :raises NovaExtError: when it can't be written.
    """
    try:
        # Only its owner may read it, as it names what the record names.
        atomic_file.write(path, render(decision, server, notes), 0o600)
    except OSError as error:
        raise NovaExtError(
            f'{path} can\'t be written: {error.strerror}'
        ) from error


def render(
    decision: Decision, server: str = '',
    notes: Sequence[str] | None = None, *, hosts: bool = True,
    reader: str = '',
) -> str:
    """Render a decision as one HTML document.

    It loads nothing from elsewhere and runs no script but its own: names and
    reasons come from users and plugins.

    :param server: UUID of the server that is asked about; needed where a
        request placed several.
    :param notes: what is said below the sentence; None: what the decision
        itself tells.
    :param hosts: as for :func:`explain`.
    :param reader: as for :func:`explain`.
    """
    explanation = explain(decision, server, hosts=hosts, reader=reader)
    decision = explanation.decision
    counts = t.count_hosts(decision, server)
    script, style = _read_file('page.js'), _read_file('page.css')
    return _templates().get_template('decision.html').render(
        sentence=explanation.sentence, server=counts.server,
        notes=explanation.notes if notes is None else notes,
        map=build_heat_map(decision, counts, explanation.rows), signs=_SIGNS,
        bars=draw_bars(counts.attempt), width=WIDTH,
        script=script, style=style,
        policy=(
            f"default-src 'none'; script-src '{_digest(script)}'; "
            f"style-src '{_digest(style)}'"
        ),
    )


def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader('nova_ext.html_report', _FILES),
        autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined, finalize=_sanitize,
    )


def _sanitize(value: Any) -> Any:
    """Replace invisible characters of a text that a template inserts."""
    markup = hasattr(value, '__html__')
    return sanitize(value) if isinstance(value, str) and not markup else value


def _read_file(name: str) -> str:
    path = resources.files('nova_ext.html_report').joinpath(_FILES, name)
    return path.read_text(encoding='utf-8')


def _digest(text: str) -> str:
    """Return the digest by which a content security policy names a text."""
    digest = hashlib.sha256(text.encode()).digest()
    return f'sha256-{base64.b64encode(digest).decode()}'
