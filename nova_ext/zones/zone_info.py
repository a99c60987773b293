"""Read what a child zone says of itself. None of it is trusted."""

from dataclasses import dataclass
from typing import Any

import jsonschema

from nova_ext.core.explanation.text_format import sanitize
from nova_ext.core.stats.capabilities import MAX_LENGTH
from nova_ext.zones import answers
from nova_ext.zones.answers import MalformedAnswerError
from nova_ext.zones.schemas.zones import INFO

_VALIDATOR = jsonschema.Draft202012Validator(INFO)


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
    zone = answers.read(body, _VALIDATOR)['zone']
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
