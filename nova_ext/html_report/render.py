"""The page itself."""

import base64
import hashlib
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2

from nova_ext.core.base import atomic_file
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.text_format import clean
from nova_ext.html_report.bars import WIDTH, bars
from nova_ext.html_report.heat_map import LEFT, PASSED, UNSEEN, heat_map

#: A sign beside the colour, for eyes and programs that do not see it.
_SIGNS = {PASSED: '✓', LEFT: '✕', UNSEEN: ''}


def write(path: Path, decision: d.Decision, server: str = '') -> None:
    """Write a decision's page; a file that is there is replaced.

    :param path: where.
    :param server: as for :func:`render`.
    :raises NovaExtError: when it can't be written.
    """
    try:
        # Its owner's alone, as it names what the record names.
        atomic_file.write(path, render(decision, server), 0o600)
    except OSError as error:
        raise NovaExtError(
            f'{path} can\'t be written: {error.strerror}'
        ) from error


def render(decision: d.Decision, server: str = '') -> str:
    """A decision as one HTML document.

    It asks nothing of any other place, and runs no script but its own: names
    and reasons come from users and extensions.

    :param server: UUID of the server that is asked about; needed where a
        request placed several.
    """
    counted = t.tally(decision, server)
    explained = explain(decision, server)
    script, style = _file('page.js'), _file('page.css')
    return _templates().get_template('decision.html').render(
        explained=explained, server=counted.server,
        map=heat_map(decision, counted, explained.rows), signs=_SIGNS,
        bars=bars(counted.attempt), width=WIDTH,
        script=script, style=style,
        policy=(
            f"default-src 'none'; script-src '{_digest(script)}'; "
            f"style-src '{_digest(style)}'"
        ),
    )


def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader('nova_ext.html_report', 'files'),
        autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined, finalize=_visible,
    )


def _visible(value: Any) -> Any:
    """What a template inserts: a text without what could not be seen in it."""
    markup = hasattr(value, '__html__')
    return clean(value) if isinstance(value, str) and not markup else value


def _file(name: str) -> str:
    path = resources.files('nova_ext.html_report').joinpath('files', name)
    return path.read_text(encoding='utf-8')


def _digest(text: str) -> str:
    """What a content security policy calls a text."""
    digest = hashlib.sha256(text.encode()).digest()
    return f'sha256-{base64.b64encode(digest).decode()}'
