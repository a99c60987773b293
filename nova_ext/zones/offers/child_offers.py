"""Ask one child zone for offers, and give them back."""

import contextlib
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace

from oslo_config import cfg

from nova_ext.zones.child import ChildError, Children
from nova_ext.zones.offers import child_answer, child_zones
from nova_ext.zones.offers.child_zones import Candidate
from nova_ext.zones.offers.offer import (
    Offer,
    Question,
    ZoneOffers,
    ZoneReport,
    move_up,
)
from nova_ext.zones.registry import InsecureUrlError
from nova_ext.zones.zone_info import MalformedAnswerError

PATH = '/v1/zones/offers'
#: Seconds by which a child zone has to be done before its answer is waited
#: for no longer: it comes over the network, and is merged.
MARGIN_S = 1.0
#: Seconds that a child zone can do anything in.
SHORTEST_S = 1.0
#: The least status of an error that is not the request's.
_SERVER_ERROR = 500

SILENT, MALFORMED, INSECURE, REFUSED = (
    'silent', 'malformed', 'insecure', 'refused'
)


class ChildOffers:
    """Speak with child zones about offers; threads may share it."""

    def __init__(self, children: Children) -> None:
        self._children = children

    def ask(self, candidate: Candidate, question: Question) -> ZoneOffers:
        """Ask a child zone, and those below it, unless it is left out.

        :returns: its offers as this zone sees them; without offers, why.
        """
        child, reason = candidate.child, candidate.reason
        seconds = _limit_time(question)
        if child.uuid in question.left_out:
            reason = SILENT
        elif seconds is None:
            reason = reason or child_zones.NO_TIME
        if reason or seconds is None:
            return leave_out(candidate, reason or '')
        try:
            answer = self._send(candidate, question, seconds)
        except MalformedAnswerError as error:
            code, may_hold, words = MALFORMED, True, str(error)
        except InsecureUrlError as error:
            code, may_hold, words = INSECURE, False, str(error)
        except ChildError as error:
            code = error.code or (REFUSED if error.status else SILENT)
            may_hold = not 0 < (error.status or 0) < _SERVER_ERROR
            words = str(error)
        else:
            return _move_up(answer, candidate)
        if may_hold and question.hold:
            # Its time is over: nobody waits for this answer.
            threading.Thread(
                target=self.give_back_all, daemon=True, args=(
                    candidate, question.request_ids, question.path, seconds,
                ),
            ).start()
        return ZoneOffers([], ZoneReport(
            child.name, child.uuid, reason=code, error=words
        ))

    def _send(
        self, candidate: Candidate, question: Question, seconds: float
    ) -> ZoneOffers:
        """Return what a child zone answers.

        :param seconds: for the whole answer.
        """
        child = candidate.child
        body = self._children.send(
            child, 'POST', PATH, {
                'build': question.build.to_dict(),
                'request_ids': [*question.request_ids],
                'path': [*question.path], 'deadline_s': seconds - MARGIN_S,
                'hold': question.hold,
            }, cloud=candidate.cloud, time_limit_s=seconds,
        )
        return child_answer.parse(
            body, set(question.request_ids), child.uuid or '',
            {*question.path, child.uuid or ''},
        )

    def give_back(
        self, candidate: Candidate, offers: Iterable[Offer], seconds: float
    ) -> None:
        """Give back offers of a child zone, and of those below it.

        It is tried once: what is not given back expires.
        """
        self._give_back(candidate, {'offers': [
            {'request_id': each.request_id, 'via': [*each.via[1:]]}
            for each in offers
        ]}, seconds)

    def give_back_all(
        self, candidate: Candidate, request_ids: Sequence[str],
        path: Sequence[str], seconds: float,
    ) -> None:
        """Give back what a child zone may hold, and those below it.

        :param path: UUIDs of the zones that are told, this one the last.
        """
        self._give_back(candidate, {
            'request_ids': [*request_ids], 'path': [*path],
        }, seconds)

    def _give_back(
        self, candidate: Candidate, body: object, seconds: float
    ) -> None:
        with contextlib.suppress(ChildError, InsecureUrlError):
            self._children.send(
                candidate.child, 'DELETE', PATH, body, cloud=candidate.cloud,
                time_limit_s=seconds,
            )


def leave_out(candidate: Candidate, reason: str) -> ZoneOffers:
    """Return that a child zone is not asked.

    :param reason: a code, see :class:`ZoneReport`.
    """
    child = candidate.child
    return ZoneOffers([], ZoneReport(
        child.name, child.uuid, reason=reason, was_asked=False,
        error=child.last_error,
    ))


def _limit_time(question: Question) -> float | None:
    """Return seconds for a child zone; None: too few for any answer."""
    seconds = min(
        question.left_s - MARGIN_S,
        float(cfg.CONF.nova_ext_zones.offers_time_limit_s),
    )
    return seconds if seconds >= MARGIN_S + SHORTEST_S else None


def _move_up(answer: ZoneOffers, candidate: Candidate) -> ZoneOffers:
    """Return a child zone's answer as this zone sees it."""
    child = candidate.child
    return ZoneOffers([
        move_up(
            each, child.uuid or '',
            '/'.join(filter(None, (child.name, each.zone))),
            candidate.weight_scale, candidate.weight_offset,
        ) for each in answer.offers
    ], replace(answer.report, name=child.name))
