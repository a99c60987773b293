"""Render templates as HTML documents that load nothing from elsewhere."""

import base64
import hashlib
from importlib import resources
from typing import Any

import jinja2

from nova_ext.core.explanation.text_format import sanitize

#: Setuptools would take a folder without a hyphen for a package.
_FILES = 'page-files'


def render(template: str, script: str = '', **values: Any) -> str:
    """Render a template as one HTML document.

    It runs no script but its own: names and reasons come from users and
    plugins.

    :param script: name of the script's file; empty: it has none.
    """
    code = _read_file(script) if script else ''
    style = _read_file('page.css')
    scripts = f" script-src '{_digest(code)}';" if code else ''
    return _templates().get_template(template).render(
        script=code, style=style, policy=(
            f"default-src 'none';{scripts} style-src '{_digest(style)}'"
        ), **values,
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
    """Return a text's digest, as a content security policy has it."""
    digest = hashlib.sha256(text.encode()).digest()
    return f'sha256-{base64.b64encode(digest).decode()}'
