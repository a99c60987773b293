"""Ask one child zone for offers, and give them back."""

import contextlib
from collections.abc import Iterable, Sequence

from nova_ext.core.base.errors import NovaExtError
from nova_ext.zones.build_request import BuildRequest
from nova_ext.zones.child import ChildError, Children
from nova_ext.zones.offers import child_answer
from nova_ext.zones.offers.child_zones import Candidate
from nova_ext.zones.offers.offer import Offer, ZoneOffers
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


class NoOffersError(NovaExtError):
    """Report why a child zone's answer can't be used.

    :param code: for programs.
    :param may_hold: whether it may hold room all the same.
    """

    def __init__(self, code: str, message: str, may_hold: bool) -> None:
        super().__init__(message)
        self.code = code
        self.may_hold = may_hold


class ChildOffers:
    """Speak with child zones about offers; threads may share it."""

    def __init__(self, children: Children) -> None:
        self._children = children

    def ask(
        self, candidate: Candidate, build: BuildRequest,
        request_ids: Sequence[str], path: Sequence[str], seconds: float,
        hold: bool,
    ) -> ZoneOffers:
        """Ask a child zone, and those below it.

        :param path: UUIDs of the zones that the question passed, this one
            with them.
        :param seconds: for the whole answer.
        :raises NoOffersError: in words of ours.
        """
        child = candidate.child
        try:
            body = self._children.send(
                child, 'POST', PATH, {
                    'build': build.to_dict(), 'request_ids': [*request_ids],
                    'path': [*path], 'deadline_s': seconds - MARGIN_S,
                    'hold': hold,
                }, cloud=candidate.cloud, time_limit_s=seconds,
            )
            return child_answer.parse(
                body, set(request_ids), child.uuid or '',
                {*path, child.uuid or ''},
            )
        except MalformedAnswerError as error:
            raise NoOffersError(MALFORMED, str(error), hold) from None
        except InsecureUrlError as error:
            raise NoOffersError(INSECURE, str(error), False) from None
        except ChildError as error:
            code = error.code or (REFUSED if error.status else SILENT)
            raise NoOffersError(
                code, str(error),
                hold and not 0 < (error.status or 0) < _SERVER_ERROR
            ) from None

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
