"""Ask for losses one by one, and show them in a table."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.core.base.progress import Progress
from nova_ext.core.explanation.text_format import pluralize

COLUMNS = ('Lost', 'Servers', 'Back', 'No Host', 'Refused', 'Drawn')
#: What is shown of each loss; the columns come first.
NAMES = (
    'lost', 'servers', 'back', 'no_host', 'refused', 'order', 'placed',
    'spare',
)
#: Letters of the longest bar.
_BAR = 20
#: Losses of one question.
_AT_ONCE = 1_000

Loss = Mapping[str, Any]


@dataclass
class Survey:
    """Hold the losses that the engine decided, and those that it left.

    :param decided: as the API has them.
    :param left: names of the others.
    :param reason: why, of the first one.
    """

    decided: list[Loss]
    left: list[str]
    reason: str = ''


def ask(
    client: Any, losses: Mapping[str, Sequence[str]], orders: Sequence[str],
    progress: Progress,
) -> Survey:
    """Ask until each loss is decided from a snapshot, or can't be.

    :param client: of the API.
    :param losses: the hosts of each, by its name.
    """
    survey = Survey([], [])
    waiting = list(losses)
    with progress.step('losses by the engine'):
        while waiting:
            some = waiting[:_AT_ONCE]
            answer = client.post('/v1/losses', {'losses': {
                'losses': {name: losses[name] for name in some},
                'orders': orders, 'is_continued': len(waiting) < len(losses),
            }})['losses']
            if answer['reason']:
                survey.left += waiting
                survey.reason = survey.reason or answer['reason']
                break
            for loss in answer['losses']:
                if loss['undecided']:
                    survey.left.append(loss['lost'])
                    survey.reason = survey.reason or loss['reason']
                else:
                    survey.decided.append(loss)
            waiting = waiting[len(answer['losses']):]
            progress.detail(f'{len(waiting)} of {len(losses)} remain')
    return survey


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


def describe_shares(
    engine: int, engine_s: float, nova: int, nova_s: float
) -> str:
    """Return a sentence: who decided how many servers, in how many seconds."""
    return (
        f'decided by the engine: {pluralize(engine, "server")} in '
        f'{engine_s:.1f} s; by Nova\'s code: {pluralize(nova, "server")} in '
        f'{nova_s:.1f} s'
    )


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
