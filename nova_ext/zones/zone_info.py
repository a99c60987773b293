"""Read what a child zone says of itself. None of it is trusted."""

import json
import sys
from dataclasses import dataclass
from typing import Any, NoReturn

import jsonschema

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation.text_format import sanitize
from nova_ext.core.stats.capabilities import MAX_LENGTH

_UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$(?!\\n)'
#: Neither blank nor with a separator of the text form. What a zone sends may
#: have a million letters: each is looked at once.
_WORD = {'type': 'string', 'pattern': r'^\s*[^=;,\s][^=;,]*$'}
_NUMBER = {
    'type': 'number', 'minimum': -sys.float_info.max,
    'maximum': sys.float_info.max,
}
_SUMMARIES = {
    'type': 'object', 'propertyNames': _WORD, 'additionalProperties': {
        'type': 'object', 'minProperties': 1, 'additionalProperties': False,
        'properties': {
            'min': _NUMBER, 'max': _NUMBER,
            'values': {'type': 'array', 'items': _WORD, 'minItems': 1},
        },
        'dependentRequired': {'min': ['max'], 'max': ['min']},
    },
}
#: Names that may stand in an error.
_FIELDS = frozenset({
    'zone', 'uuid', 'name', 'gathering', 'capabilities', 'general', 'services',
    'min', 'max', 'values',
})
#: Later versions may add fields to an answer.
_VALIDATOR = jsonschema.Draft202012Validator({
    'type': 'object', 'required': ['zone'], 'properties': {'zone': {
        'type': 'object',
        'required': ['uuid', 'name', 'gathering', 'capabilities'],
        'properties': {
            'uuid': {'type': 'string', 'pattern': _UUID},
            'name': {'type': 'string'},
            'gathering': {'type': 'boolean'},
            'capabilities': {
                'type': 'object', 'required': ['general', 'services'],
                'properties': {
                    'general': _SUMMARIES,
                    'services': {
                        'type': 'object', 'propertyNames': _WORD,
                        'additionalProperties': _SUMMARIES,
                    },
                },
            },
        },
    }},
})


class MalformedAnswerError(NovaExtError):
    """Report an answer that can't be used, without a word of its own."""


@dataclass(frozen=True)
class ZoneInfo:
    """Represent what a child zone says of itself.

    :param is_gathering: it may have more capabilities than it names.
    :param capabilities: see :mod:`nova_ext.core.stats.zone_capabilities`.
    """

    uuid: str
    name: str
    is_gathering: bool
    capabilities: dict[str, Any]


def parse(body: bytes) -> ZoneInfo:
    """Parse the body of an answer to ``GET /v1/zones/info``.

    Texts are cleaned of control characters, and cut.

    :raises MalformedAnswerError: saying where it does not fit its schema.
    """
    try:
        document = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise MalformedAnswerError('its answer is no JSON') from None
    _check(document)
    zone = document['zone']
    services = zone['capabilities']['services']
    return ZoneInfo(
        zone['uuid'], _clean(zone['name']), zone['gathering'], {
            'general': _clean_summaries(zone['capabilities']['general']),
            'services': {
                _clean(service): _clean_summaries(summaries)
                for service, summaries in services.items()
            },
        },
    )


def _check(document: Any) -> None:
    try:
        error = next(_VALIDATOR.iter_errors(document), None)
    except RecursionError:
        raise MalformedAnswerError('its answer is nested too deeply') from None
    if error is None:
        return
    # The message quotes the answer, which may quote a token.
    place = [
        part for part in error.absolute_schema_path if part in _FIELDS
    ]
    raise MalformedAnswerError(
        'its answer does not fit the schema'
        + (f' at {".".join(place)}' if place else '')
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f'{name} is no JSON')


def _clean_summaries(summaries: dict[str, Any]) -> dict[str, Any]:
    if any(summary.get('min', 0) > summary.get('max', 0)
           for summary in summaries.values()):
        raise MalformedAnswerError(
            'its answer has a capability whose min is greater than its max'
        )
    return {
        _clean(key): {
            name: sorted(set(map(_clean, value))) if name == 'values'
            else value for name, value in summary.items()
        } for key, summary in summaries.items()
    }


def _clean(text: str) -> str:
    return sanitize(text, MAX_LENGTH)
