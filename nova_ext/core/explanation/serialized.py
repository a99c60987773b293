"""Serialize an explanation, and build the tables that are printed of it.

The command that reads the record and the API return the same data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from nova_ext.core.decision import weigher_contributions
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import host_counts
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.text_format import format_hosts, sanitize

COLUMNS = ('Count', 'Hosts', 'Stage', 'Verdict', 'Reason')
WEIGHT_COLUMNS = (
    'Host', 'Weigher', 'Raw', 'Normalised', 'Multiplier', 'Contribution',
)
_WEIGHT_KEYS = tuple(name.lower() for name in WEIGHT_COLUMNS)


def serialize(
    decision: Decision, wanted: str = '', older: int = 0,
    notes: Sequence[str] = (), *, hosts: bool = True, reader: str = '',
) -> dict[str, Any]:
    """Explain a decision as plain data.

    :param wanted: a server's UUID, or a request id.
    :param older: number of older decisions about it.
    :param notes: notes to add to the explanation's.
    :param hosts: as for :func:`explain`.
    :param reader: as for :func:`explain`.
    :returns: the sentence, rows, notes, the weights of each host that
        passed, the best first, and the decision itself.
    """
    server = wanted if wanted in decision.servers else ''
    explanation = explain(decision, server, hosts=hosts, reader=reader)
    decision = explanation.decision
    return {
        'sentence': explanation.sentence,
        'outcome': explanation.outcome,
        'server': server,
        'request_id': decision.request_id,
        'rows': [asdict(row) for row in explanation.rows],
        'notes': [*explanation.notes, *note_older(older), *notes],
        'weights': _list_weights(decision, server),
        'older': older,
        'decision': decision.to_dict(),
    }


def note_older(older: int) -> list[str]:
    """Say that there are older decisions than the explained one."""
    return [f'{older} older: --all lists them'] if older else []


def note_unlisted(older: int) -> list[str]:
    """Say that there are older decisions than the listed ones."""
    return [f'{older} still older ones are not listed'] if older else []


def build_table(explanation: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return what became of every host, under COLUMNS.

    :param explanation: as :func:`serialize` returns it.
    """
    return [
        (
            row['count'], format_hosts(row['hosts'], row['count']),
            sanitize(row['stage']), row['verdict'], sanitize(row['reason']),
        )
        for row in explanation['rows']
    ]


def build_weight_table(
    explanation: Mapping[str, Any]
) -> list[tuple[Any, ...]]:
    """Return each weigher's part in each host's weight, as WEIGHT_COLUMNS."""
    return [
        (sanitize(row['host']), *(row[key] for key in _WEIGHT_KEYS[1:]))
        for row in explanation['weights']
    ]


def _list_weights(decision: Decision, server: str) -> list[dict[str, Any]]:
    attempt = host_counts.count_hosts(decision, server).attempt
    if attempt is None:
        return []
    return [
        dict(zip(_WEIGHT_KEYS, (
            sanitize(host), part.weigher, part.raw, part.normalised,
            part.multiplier, part.amount,
        ), strict=True))
        for host in attempt.ranked
        for part in weigher_contributions.get_contributions(
            attempt.weighers, host
        )
    ]
