"""An explanation as plain data, and the tables that are made of it.

The command beside the record and the API answer with the same data, so that
what is printed of it is the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from nova_ext.core.decision import weigher_contributions
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import host_counts
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.text_format import clean, host_names

COLUMNS = ('Count', 'Hosts', 'Stage', 'Verdict', 'Reason')
WEIGHT_COLUMNS = (
    'Host', 'Weigher', 'Raw', 'Normalised', 'Multiplier', 'Contribution',
)
_WEIGHT_KEYS = tuple(name.lower() for name in WEIGHT_COLUMNS)


def plain(
    decision: Decision, wanted: str = '', older: int = 0,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Explain a decision.

    :param wanted: what was looked for: UUID of a server, or a request id.
    :param older: how many older decisions there are about it.
    :param notes: what else one should know, after what the decision tells.
    :returns: the sentence, the rows and the notes; the weights of each host
        that passed, the best first; and the decision itself.
    """
    server = wanted if wanted in decision.servers else ''
    told = explain(decision, server)
    return {
        'sentence': told.sentence,
        'outcome': told.outcome,
        'server': server,
        'request_id': decision.request_id,
        'rows': [asdict(row) for row in told.rows],
        'notes': [
            *told.notes,
            *listed_by_all(older),
            *notes,
        ],
        'weights': _weights(decision, server),
        'older': older,
        'decision': decision.to_dict(),
    }


def listed_by_all(older: int) -> list[str]:
    """That there are older decisions than the one explained."""
    return [f'{older} older: --all lists them'] if older else []


def not_listed(older: int) -> list[str]:
    """That there are older decisions than those of a list."""
    return [f'{older} still older ones are not listed'] if older else []


def table(told: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """What became of every host, under COLUMNS.

    :param told: as :func:`plain` returns it.
    """
    return [
        (
            row['count'], host_names(row['hosts'], row['count']),
            clean(row['stage']), row['verdict'], clean(row['reason']),
        )
        for row in told['rows']
    ]


def weight_table(told: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """What each weigher said of each host, under WEIGHT_COLUMNS."""
    return [
        (clean(row['host']), *(row[key] for key in _WEIGHT_KEYS[1:]))
        for row in told['weights']
    ]


def _weights(decision: Decision, server: str) -> list[dict[str, Any]]:
    attempt = host_counts.tally(decision, server).attempt
    if attempt is None:
        return []
    return [
        dict(zip(_WEIGHT_KEYS, (
            clean(host), part.weigher, part.raw, part.normalised,
            part.multiplier, part.amount,
        ), strict=True))
        for host in attempt.ranked
        for part in weigher_contributions.contributions(attempt.weighers, host)
    ]
