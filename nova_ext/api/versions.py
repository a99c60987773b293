"""Microversions: ``OpenStack-API-Version: scheduler 1.0``.

A version is added, with a line here and one in the documentation, for any
change that a program could see. 1.0 is the first one.
"""

from collections.abc import Mapping
from typing import Any

import microversion_parse
from microversion_parse import Version

from nova_ext.api.failure import HttpError

#: The service's type in the catalog, and its name in the header.
SERVICE_TYPE = 'scheduler'
HEADER = 'OpenStack-API-Version'

OLDEST = Version(1, 0)
NEWEST = Version(1, 0)


def headers(
    version: Version = OLDEST, *, public: bool = False
) -> dict[str, str]:
    """What stands at the head of every answer.

    :param public: whether it is the same for everybody. Of the others a
        cache on the way must not give one person's to the next.
    """
    told = {
        HEADER: f'{SERVICE_TYPE} {version}', 'Vary': HEADER,
        'X-Content-Type-Options': 'nosniff',
    }
    if not public:
        told['Vary'] += ', X-Auth-Token'
        told['Cache-Control'] = 'no-store'
    return told


def asked(headers: Mapping[str, str]) -> Version:
    """The version that a request asks for.

    :param headers: of the request; without the header it is the oldest.
    :raises HttpError: for what is no version, or none that there is.
    """
    given = microversion_parse.get_version(dict(headers), SERVICE_TYPE)
    if given is None:
        return OLDEST
    if given == 'latest':
        return NEWEST
    try:
        version = microversion_parse.parse_version_string(given)
    except (TypeError, ValueError):
        raise HttpError(
            400, 'invalid_version', f'{HEADER} holds no version of the form '
            f'{SERVICE_TYPE} {NEWEST}'
        ) from None
    if not OLDEST <= version <= NEWEST:
        raise HttpError(
            406, 'no_such_version', f'{version} is not there; versions are '
            f'{OLDEST} to {NEWEST}',
            min_version=str(OLDEST), max_version=str(NEWEST),
        )
    return version


def document(root: str) -> dict[str, Any]:
    """The one major version that there is.

    :param root: URL of the API, without a slash at its end.
    """
    return {
        'id': 'v1', 'status': 'CURRENT',
        'version': str(NEWEST), 'max_version': str(NEWEST),
        'min_version': str(OLDEST),
        'links': [
            {'rel': 'self', 'href': f'{root}/v1/'},
            {'rel': 'describedby', 'href': f'{root}/v1/openapi.json'},
        ],
    }
