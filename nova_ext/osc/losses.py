"""Show losses in a table, and say what would be missing."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nova_ext.core.explanation.text_format import pluralize
from nova_ext.osc.survey import Loss, Survey

COLUMNS = ('Lost', 'Servers', 'Back', 'No Host', 'Refused', 'Chart')
#: What is shown of each loss; the columns come first.
NAMES = (
    'lost', 'servers', 'back', 'no_host', 'refused', 'order', 'placed',
    'spare',
)
#: Letters of the longest bar.
_BAR = 20


def describe_spare(spare: Mapping[str, Any] | None) -> str:
    """Return what follows a sentence about servers that find no host."""
    if spare is None:
        return ''
    if not spare['count']:
        return '; no number of copies of one host would take all of them'
    return (
        f'; {spare["count"]} more like {spare["like"]} in zone '
        f'{spare["zone"]} would take them (an upper bound)'
    )


def describe_shares(survey: Survey) -> str:
    """Return a sentence: who decided how many servers, in how many seconds."""
    engine, engine_s = survey.by_engine
    nova, nova_s = survey.by_nova
    return (
        f'decided by the engine: {pluralize(engine, "server")} in '
        f'{engine_s:.1f} s; by Nova\'s code: {pluralize(nova, "server")} in '
        f'{nova_s:.1f} s'
    ) + f' ({survey.reason})' * bool(survey.reason)


def sort(losses: Iterable[Loss]) -> list[Loss]:
    """Return losses, the worst first."""
    return sorted(losses, key=lambda loss: (
        loss['back'] - loss['servers'], loss['lost']
    ))


def make_rows(losses: Sequence[Loss]) -> list[tuple[Any, ...]]:
    """Return the rows of the table."""
    most = max((loss['servers'] for loss in losses), default=0)
    return [
        (
            *(loss[name] for name in NAMES[:len(COLUMNS) - 1]),
            draw(loss, most),
        ) for loss in losses
    ]


def draw(loss: Loss, most: int) -> str:
    """Return a bar: ``=`` for servers that come back, ``x`` for others.

    :param most: servers of the longest bar, which has 20 letters at most.
    """
    servers, missing = loss['servers'], loss['servers'] - loss['back']
    letters = math.ceil(servers * min(_BAR, most) / most) if most else 0
    # One that is missing is seen.
    lost = math.ceil(letters * missing / servers) if servers else 0
    return '=' * (letters - lost) + 'x' * lost
