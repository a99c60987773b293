"""Render a decision as a page, and write it."""

from collections.abc import Sequence
from pathlib import Path

from nova_ext.core.base import atomic_file
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation.explain import explain
from nova_ext.html_report import document
from nova_ext.html_report.bars import WIDTH, draw_bars
from nova_ext.html_report.heat_map import LEFT, PASSED, UNSEEN, build_heat_map

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
    return document.render(
        'decision.html', 'page.js',
        sentence=explanation.sentence, server=counts.server,
        notes=explanation.notes if notes is None else notes,
        map=build_heat_map(decision, counts, explanation.rows), signs=_SIGNS,
        bars=draw_bars(counts.attempt), width=WIDTH,
    )
