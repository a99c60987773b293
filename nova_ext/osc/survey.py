"""Ask what becomes of servers that move: by the engine, or by Nova's code.

The exporter of metrics asks so, too.
"""

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nova_ext.core.base.progress import Progress
from nova_ext.core.rpc.rehearsal import MoveOutcome

#: Losses of one question.
_AT_ONCE = 1_000

MovedServer = Mapping[str, Any]
Loss = Mapping[str, Any]
#: Hosts that would be missing, as the API has them.
Spare = Mapping[str, Any] | None
#: The best order, its moves, how many servers each order places, and Spare.
Rehearsed = tuple[str, list[MovedServer], dict[str, int], Spare]


@dataclass
class Survey:
    """Hold losses, and who decided them.

    :param losses: as the API has them.
    :param by_engine: servers that the engine decided, and in how many seconds.
    :param by_nova: the same of Nova's code.
    :param reason: why Nova's code decided, of the first loss that it did.
    """

    losses: list[Loss] = field(default_factory=list)
    by_engine: tuple[int, float] = (0, 0.0)
    by_nova: tuple[int, float] = (0, 0.0)
    reason: str = ''


def survey(
    client: Any, losses: Mapping[str, Sequence[str]], orders: Sequence[str],
    progress: Progress,
) -> Survey:
    """Ask for losses at once; for those that the engine leaves, one by one.

    :param client: of the API.
    :param losses: the hosts of each, by its name.
    """
    began = time.monotonic()
    answer = Survey()
    left = _ask_engine(client, losses, orders, progress, answer)
    halfway = time.monotonic()
    answer.by_engine = _count_servers(answer.losses), halfway - began
    by_nova = [
        _describe(lost, rehearse(
            client, losses[lost], orders, progress, is_loss=True
        )) for lost in left
    ]
    answer.losses += by_nova
    answer.by_nova = _count_servers(by_nova), time.monotonic() - halfway
    return answer


def rehearse(
    client: Any, hosts: Sequence[str], orders: Sequence[str],
    progress: Progress, *, is_loss: bool, before: Sequence[MovedServer] = (),
) -> Rehearsed:
    """Return the best order, its moves, and how many each order places.

    An order in which every server finds a host, or is refused, ends the
    search. What comes last is what the API says would be missing.

    :param orders: that are tried; the first of equally good ones is best.
    :param before: moves of earlier steps.
    """
    moves, placed, spare = {}, {}, {}
    for order in orders:
        moves[order], spare[order] = _rehearse_order(client, {
            'hosts': list(dict.fromkeys(hosts)), 'is_loss': is_loss,
            'order': order, **({'before': before} if before else {}),
        }, progress)
        counts = count(moves[order])
        placed[order] = counts[MoveOutcome.PLACED]
        if not counts[MoveOutcome.NO_HOST]:
            break
    best = max(placed, key=lambda order: placed[order])
    return best, moves[best], placed, spare[best]


def count(moves: Iterable[MovedServer]) -> Counter[str]:
    """Return how many moves have each outcome."""
    return Counter(move['outcome'] for move in moves)


def _ask_engine(
    client: Any, losses: Mapping[str, Sequence[str]], orders: Sequence[str],
    progress: Progress, answer: Survey,
) -> list[str]:
    """Add the losses that the engine decides; return the names of others."""
    waiting, left = list(losses), list[str]()
    with progress.step('losses by the engine'):
        while waiting:
            some = waiting[:_AT_ONCE]
            decided = client.post('/v1/losses', {'losses': {
                'losses': {name: losses[name] for name in some},
                'orders': orders, 'is_continued': len(waiting) < len(losses),
            }})['losses']
            if decided['reason']:
                answer.reason = answer.reason or decided['reason']
                return left + waiting
            for loss in decided['losses']:
                if loss['undecided']:
                    left.append(loss['lost'])
                    answer.reason = answer.reason or loss['reason']
                else:
                    answer.losses.append(loss)
            waiting = waiting[len(decided['losses']):]
            progress.detail(f'{len(waiting)} of {len(losses)} remain')
    return left


def _rehearse_order(
    client: Any, request: Mapping[str, Any], progress: Progress
) -> tuple[list[MovedServer], Spare]:
    moves: list[MovedServer] = []
    remaining = 1
    spare = None
    with progress.step(f'{", ".join(request["hosts"])}, {request["order"]}'):
        while remaining:
            answer = client.post('/v1/rehearsals', {
                'rehearsal': {**request, 'moved': moves},
            })['rehearsal']
            moves += answer['moves']
            remaining, spare = answer['remaining'], answer['spare']
            progress.detail(f'{remaining} servers remain')
    return moves, spare


def _describe(lost: str, rehearsed: Rehearsed) -> Loss:
    """Return a loss as the API has those that the engine decides."""
    order, moves, placed, spare = rehearsed
    counts = count(moves)
    return {
        'lost': lost, 'servers': len(moves), 'order': order,
        'back': counts[MoveOutcome.PLACED],
        'no_host': counts[MoveOutcome.NO_HOST],
        'refused': counts[MoveOutcome.REFUSED], 'placed': placed,
        'spare': spare,
    }


def _count_servers(losses: Iterable[Loss]) -> int:
    return sum(loss['servers'] for loss in losses)
