"""Read a child zone's answer to a question for offers. None is trusted."""

import time
from collections import Counter
from collections.abc import Collection
from typing import Any

import jsonschema

from nova_ext.api.schemas.parts import list_of
from nova_ext.core.explanation.text_format import sanitize
from nova_ext.core.stats.capabilities import MAX_LENGTH
from nova_ext.zones import answers
from nova_ext.zones.answers import MalformedAnswerError
from nova_ext.zones.offers.offer import Offer, ZoneOffers, ZoneReport
from nova_ext.zones.schemas.offers import MAX_DEPTH, OFFERS, ZONE_REPORT

#: Seconds for which an offer may hold, as the option of schedulers allows,
#: and by which a child's clock may be wrong.
_LONGEST_S, _CLOCK_S = 86400, 60
_REPORT_REF = {'$ref': '#/$defs/report'}
_VALIDATOR = jsonschema.Draft202012Validator({
    **OFFERS, 'properties': {**OFFERS['properties'], 'zone': _REPORT_REF},
    '$defs': {'report': {**ZONE_REPORT, 'properties': {
        **ZONE_REPORT['properties'], 'zones': list_of(_REPORT_REF),
    }}},
})


def parse(
    body: bytes, request_ids: Collection[str], child_uuid: str,
    path: Collection[str],
) -> ZoneOffers:
    """Parse the body of an answer to ``POST /v1/zones/offers``.

    Names of zones are cleaned of control characters, and cut.

    :param request_ids: those that were sent.
    :param path: UUIDs of the zones that the question passed.
    :raises MalformedAnswerError: saying what is wrong in words of ours.
    """
    document = answers.read(body, _VALIDATOR)
    report = _read_report(document['zone'], 1)
    if report.uuid != child_uuid:
        raise MalformedAnswerError('it answers as another zone')
    offers = document['offers']
    _check_offers(offers, request_ids)
    names = _read_names(report, ())
    return ZoneOffers([
        Offer(
            # JSON's 1.0 is an integer, too.
            each['request_id'], int(each['cost']), each['offer'],
            int(each['expires_at']), tuple(each['via']),
            _name(tuple(each['via']), names, path),
        ) for each in offers
    ], report)


def _check_offers(
    offers: list[dict[str, Any]], request_ids: Collection[str]
) -> None:
    """Refuse more offers than were asked for, foreign ids, wrong times."""
    if len(offers) > len(request_ids):
        raise MalformedAnswerError(
            f'it makes {len(offers)} offers, and was asked for '
            f'{len(request_ids)}'
        )
    if any(each['request_id'] not in request_ids for each in offers):
        raise MalformedAnswerError(
            'it makes an offer for a request id that was not sent to it'
        )
    keys = Counter(
        (*each['via'][-1:], each['request_id']) for each in offers
    )
    if any(count > 1 for count in keys.values()):
        raise MalformedAnswerError('it makes two offers of one request id')
    now = time.time()
    for each in offers:
        left_s = each['expires_at'] - now
        if not 0 < left_s < _LONGEST_S + _CLOCK_S:
            raise MalformedAnswerError(
                f'it makes an offer that expires in {left_s:.0f} s: its '
                f'clock, or this zone\'s, is wrong'
            )


def _read_report(data: dict[str, Any], depth: int) -> ZoneReport:
    if depth > MAX_DEPTH:
        raise MalformedAnswerError(
            f'its answer names zones deeper than {MAX_DEPTH}'
        )
    return ZoneReport(
        sanitize(data['name'], MAX_LENGTH), data['uuid'], data['offers'],
        data['reason'], data['was_asked'], data['lacking'],
        data['held_until'],
        zones=[_read_report(zone, depth + 1) for zone in data['zones']],
    )


def _read_names(
    report: ZoneReport, via: tuple[str, ...]
) -> dict[tuple[str, ...], str]:
    """Return the names of zones below a child zone, by the way to them."""
    names = {}
    for zone in report.zones:
        if zone.uuid:
            way = (*via, zone.uuid)
            names[way] = zone.name
            names |= _read_names(zone, way)
    return names


def _name(
    via: tuple[str, ...], names: dict[tuple[str, ...], str],
    path: Collection[str],
) -> str:
    """Return the names of zones on the way to an offer, joined by ``/``."""
    ways = [via[:length] for length in range(1, len(via) + 1)]
    if not names.keys() >= set(ways) or set(via) & set(path):
        raise MalformedAnswerError(
            'it makes an offer of a zone that is none of those below it'
        )
    return '/'.join(names[way] for way in ways)
