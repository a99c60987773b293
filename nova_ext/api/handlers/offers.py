"""Offer room of this zone's hosts to a parent, and hold it meanwhile.

A scheduler chooses the slots, and says on which hosts they are. What is held
of these is written here. The parent gets costs and offers: neither names a
host.
"""

import time
from typing import Any

from nova_ext.api.handlers import simulations
from nova_ext.api.http.errors import HttpError
from nova_ext.api.http.request import Request
from nova_ext.core.base.scheduling_errors import UnknownTopicError
from nova_ext.core.rpc.boot_request import BootRequest
from nova_ext.core.rpc.offers import OfferAnswer, OfferQuestion, Slot
from nova_ext.decision_database import held_offers
from nova_ext.zones import registry

#: Why there are fewer offers than request ids.
NO_ROOM, HELD, ASKED_BEFORE = 'no_room', 'held', 'asked_before'
_INSTEAD = 'offers need one'


def make(request: Request) -> dict[str, Any]:
    """Offer this zone's cheapest slots, and hold their room."""
    body = request.body
    own = registry.get_own_uuid(request.backends.database())
    if own in body['path']:
        raise HttpError(
            409, 'cycle', f'this zone, {own}, stands in the path of the '
            'question: it is a child of one of its own children'
        )
    boot, _ = simulations.read(body, request)
    ends = time.monotonic() + body['deadline_s']
    with simulations.asking(request, _INSTEAD):
        while True:
            answer = _try(request, boot, body['request_ids'], ends)
            if answer is not None:
                return answer


def give_back(request: Request) -> dict[str, Any]:
    """Give back what offers hold of this zone's hosts."""
    with request.backends.database().writing() as session:
        return {'given_back': held_offers.give_back(
            session, request.body['request_ids'],
            request.context.project_id or '',
        )}


def _try(
    request: Request, boot: BootRequest, ids: list[str], ends: float
) -> dict[str, Any] | None:
    """Ask a scheduler once, and hold what it offers.

    :param ends: when nobody waits any more, of the monotonic clock.
    :returns: the answer; None where others held room meanwhile.
    """
    now, left_s = int(time.time()), ends - time.monotonic()
    if left_s <= 0:
        raise HttpError(
            503, 'busy', 'other questions for offers took the time of this '
            'one; ask again later'
        )
    database = request.backends.database()
    with database.reading() as session:
        generation, held = held_offers.read(session, now)
    if held.keys() & set(ids):
        return _describe([], {}, ASKED_BEFORE, None)
    question = OfferQuestion(boot, ids, list(held.values()), left_s)
    answer = _ask(request, question)
    if answer.slots:
        with database.writing() as session:
            if not held_offers.add(
                session, generation,
                [(slot.request_id, slot.room) for slot in answer.slots],
                request.context.project_id or '', now,
            ):
                return None
    reason = None
    if len(answer.slots) < len(ids):
        reason = NO_ROOM if answer.held_until is None else HELD
    return _describe(answer.slots, answer.reasons, reason, answer.held_until)


def _ask(request: Request, question: OfferQuestion) -> OfferAnswer:
    try:
        return request.backends.scheduler().make_offers(
            request.context, question
        )
    except UnknownTopicError as error:
        raise HttpError(
            503, 'no_offers', 'the schedulers of this zone make no offers: '
            'their [nova_ext] scheduler_driver has no ZoneAwareScheduler'
        ) from error


def _describe(
    slots: list[Slot], lacking: dict[str, int], reason: str | None,
    held_until: int | None,
) -> dict[str, Any]:
    """Return the answer for a parent, without names of hosts."""
    return {
        'offers': [
            {
                'request_id': slot.request_id, 'cost': slot.cost,
                'offer': slot.offer, 'expires_at': slot.room.until,
            } for slot in slots
        ],
        'reason': reason, 'lacking': lacking, 'held_until': held_until,
    }
