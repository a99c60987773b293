"""Ask child zones for offers, or say why not, and give offers back."""

import contextlib
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace

from oslo_config import cfg

from nova_ext.zones.answers import ChildError, MalformedAnswerError
from nova_ext.zones.child import Children
from nova_ext.zones.offers import child_answer
from nova_ext.zones.offers.offer import (
    Offer,
    Question,
    ZoneOffers,
    ZoneReport,
    move_up,
)
from nova_ext.zones.registry import Child, InsecureUrlError
from nova_ext.zones.schemas.offers import MAX_DEPTH

PATH = '/v1/zones/offers'
#: Seconds by which a child zone has to be done before its answer is waited
#: for no longer: it comes over the network, and is merged.
MARGIN_S = 1.0
#: Seconds that a child zone can do anything in.
SHORTEST_S = 1.0
#: The least status of an error that is not the request's.
_SERVER_ERROR = 500

#: Why a zone is not asked.
DISABLED, INACTIVE, NO_PROJECT = 'disabled', 'inactive', 'no_project'
CONSTRAINT, CYCLE, TOO_DEEP = 'constraint', 'cycle', 'too_deep'
NO_TIME = 'no_time'
#: Others, which are asked first, made enough offers.
NOT_NEEDED = 'not_needed'
#: Why a zone that is asked makes no offer.
SILENT, MALFORMED, INSECURE, REFUSED = (
    'silent', 'malformed', 'insecure', 'refused'
)


def find_exclusion(child: Child, question: Question) -> str | None:
    """Return why a child zone is not asked; None: it is."""
    reasons = {
        SILENT: child.uuid in question.left_out,
        DISABLED: child.is_disabled,
        INACTIVE: not child.is_active,
        CYCLE: child.uuid in question.path,
        TOO_DEEP: len(question.path) >= MAX_DEPTH,
        NO_PROJECT: not child.cloud,
        # One that is still gathering may have more than it names.
        CONSTRAINT: not child.is_gathering
        and not question.build.fits(child.general),
    }
    return next((code for code, holds in reasons.items() if holds), None)


def leave_out(child: Child, reason: str) -> ZoneOffers:
    """Return that a child zone is not asked.

    :param reason: a code, see :class:`ZoneReport`.
    """
    return ZoneOffers([], ZoneReport(
        child.name, child.uuid, reason=reason, was_asked=False,
        error=child.last_error,
    ))


def ask(children: Children, child: Child, question: Question) -> ZoneOffers:
    """Ask a child zone, and those below it.

    :returns: its offers as this zone sees them; without offers, why.
    """
    seconds = min(
        question.left_s - MARGIN_S,
        float(cfg.CONF.nova_ext_zones.offers_time_limit_s),
    )
    if seconds < MARGIN_S + SHORTEST_S:
        return leave_out(child, NO_TIME)
    try:
        answer = _send(children, child, question, seconds)
    except MalformedAnswerError as error:
        code, may_hold, words = MALFORMED, True, str(error)
    except InsecureUrlError as error:
        code, may_hold, words = INSECURE, False, str(error)
    except ChildError as error:
        code = error.code or (REFUSED if error.status else SILENT)
        may_hold = not 0 < (error.status or 0) < _SERVER_ERROR
        words = str(error)
    else:
        return _move_up(answer, child)
    if may_hold and question.hold:
        # Its time is over: nobody waits for this answer.
        threading.Thread(
            target=give_back_all, daemon=True, args=(
                children, child, question.request_ids, question.path, seconds,
            ),
        ).start()
    return ZoneOffers([], ZoneReport(
        child.name, child.uuid, reason=code, error=words
    ))


def give_back(
    children: Children, child: Child, offers: Iterable[Offer],
    seconds: float,
) -> None:
    """Give back offers of a child zone, and of those below it.

    It is tried once: what is not given back expires.
    """
    _give_back(children, child, {'offers': [
        {'request_id': each.request_id, 'via': [*each.via[1:]]}
        for each in offers
    ]}, seconds)


def give_back_all(
    children: Children, child: Child, request_ids: Sequence[str],
    path: Sequence[str], seconds: float,
) -> None:
    """Give back what a child zone may hold, and those below it.

    :param path: UUIDs of the zones that got the request, this one last.
    """
    _give_back(children, child, {
        'request_ids': [*request_ids], 'path': [*path],
    }, seconds)


def _send(
    children: Children, child: Child, question: Question, seconds: float
) -> ZoneOffers:
    """Return what a child zone answers.

    :param seconds: for the whole answer.
    """
    body = children.send(
        child, 'POST', PATH, {
            'build': question.build.to_dict(),
            'request_ids': [*question.request_ids],
            'path': [*question.path], 'deadline_s': seconds - MARGIN_S,
            'hold': question.hold,
        }, time_limit_s=seconds,
    )
    return child_answer.parse(
        body, set(question.request_ids), child.uuid or '',
        {*question.path, child.uuid or ''},
    )


def _give_back(
    children: Children, child: Child, body: object, seconds: float
) -> None:
    with contextlib.suppress(ChildError, InsecureUrlError):
        children.send(child, 'DELETE', PATH, body, time_limit_s=seconds)


def _move_up(answer: ZoneOffers, child: Child) -> ZoneOffers:
    """Return a child zone's answer as this zone sees it."""
    return ZoneOffers([
        move_up(
            each, child.uuid or '',
            '/'.join(filter(None, (child.name, each.zone))),
            child.weight_scale, child.weight_offset,
        ) for each in answer.offers
    ], replace(answer.report, name=child.name))
