"""Read a child zone's answer to a question for offers. None is trusted."""

import json
import time
from collections import Counter
from collections.abc import Collection
from typing import Any, NoReturn

import jsonschema

from nova_ext.core.explanation.text_format import sanitize
from nova_ext.core.plugin.answers import MAX_COST
from nova_ext.core.rpc.offers import MAX_SLOTS, REQUEST_ID
from nova_ext.core.stats.capabilities import MAX_LENGTH
from nova_ext.zones.offers.offer import Offer, ZoneOffers, ZoneReport
from nova_ext.zones.zone_info import MalformedAnswerError

#: Zones that a question passes at most, from the root on.
MAX_DEPTH = 16
#: Seconds for which an offer may hold, as the option of schedulers allows,
#: and by which a child's clock may be wrong.
_LONGEST_S, _CLOCK_S = 86400, 60
_END = '$(?!\\n)'
_UUID = {
    'type': 'string',
    'pattern': f'^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}{_END}',
}
_CODE = {'type': ['string', 'null'], 'pattern': f'^[a-z_]{{1,32}}{_END}'}
_COUNT = {'type': 'integer', 'minimum': 0, 'maximum': 2**53}
_TIME = {**_COUNT, 'type': ['integer', 'null']}
_LACKING = {
    'type': 'object', 'maxProperties': 256, 'additionalProperties': _COUNT,
    'propertyNames': {'pattern': f'^[A-Za-z0-9_:+.-]{{1,255}}{_END}'},
}
_REPORT = {
    'type': 'object',
    'required': [
        'name', 'uuid', 'offers', 'reason', 'was_asked', 'lacking',
        'held_until', 'zones',
    ],
    'properties': {
        'name': {'type': 'string'},
        'uuid': {'anyOf': [_UUID, {'type': 'null'}]},
        'offers': _COUNT, 'reason': _CODE,
        'was_asked': {'type': 'boolean'}, 'lacking': _LACKING,
        'held_until': _TIME,
        'zones': {'type': 'array', 'items': {'$ref': '#/$defs/report'}},
    },
}
#: Names that may stand in an error.
_FIELDS = frozenset({
    'offers', 'request_id', 'cost', 'offer', 'expires_at', 'via', 'zone',
    'zones', *_REPORT['properties'],
})
#: Later versions may add fields to an answer.
_VALIDATOR = jsonschema.Draft202012Validator({
    '$defs': {'report': _REPORT},
    'type': 'object', 'required': ['offers', 'zone'], 'properties': {
        'offers': {
            'type': 'array', 'maxItems': MAX_SLOTS, 'items': {
                'type': 'object',
                'required': [
                    'request_id', 'cost', 'offer', 'expires_at', 'via',
                ],
                'properties': {
                    'request_id': {
                        'type': 'string', 'pattern': f'^{REQUEST_ID}{_END}',
                    },
                    'cost': {
                        'type': 'integer', 'minimum': 0, 'maximum': MAX_COST,
                    },
                    'offer': {
                        'type': 'string', 'pattern': f'^[!-~]{{1,255}}{_END}',
                    },
                    'expires_at': _COUNT,
                    'via': {
                        'type': 'array', 'items': _UUID, 'uniqueItems': True,
                        'maxItems': MAX_DEPTH,
                    },
                },
            },
        },
        'zone': {'$ref': '#/$defs/report'},
    },
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
    try:
        document = json.loads(body, parse_constant=_refuse_constant)
        _check_schema(document)
        report = _read_report(document['zone'], 1)
    except RecursionError:
        raise MalformedAnswerError('its answer is nested too deeply') from None
    except ValueError:
        raise MalformedAnswerError('its answer is no JSON') from None
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


def _check_schema(document: Any) -> None:
    error = next(_VALIDATOR.iter_errors(document), None)
    if error is None:
        return
    # The message quotes the answer, which may quote a token.
    place = [part for part in error.absolute_path if part in _FIELDS]
    raise MalformedAnswerError(
        'its answer does not fit the schema'
        + (f' at {".".join(map(str, place))}' if place else '')
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f'{name} is no JSON')


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
