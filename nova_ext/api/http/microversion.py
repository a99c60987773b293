"""Microversions: ``OpenStack-API-Version: scheduler 1.0``.

A version is added, with a line here and one in the documentation, for any
change that a program could see. 1.0 is the first one.
"""

from typing import Any

import microversion_parse
from microversion_parse import Version

from nova_ext.api.http.errors import HttpError

#: The service's type in the catalog, and its name in the header.
SERVICE_TYPE = 'scheduler'
HEADER = 'OpenStack-API-Version'

#: All there are, from the oldest to the newest.
VERSIONS = ('1.0',)
OLDEST, NEWEST = VERSIONS[0], VERSIONS[-1]


def headers(
    version: Version | str = OLDEST, *, public: bool = False
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


def requested(headers: Any) -> Version:
    """Return the version that a request asks for.

    :param headers: of the request; without a version it is the oldest.
    :raises HttpError: for what is no version, or none that there is.
    """
    try:
        return microversion_parse.extract_version(
            headers, SERVICE_TYPE, VERSIONS
        )
    except TypeError:
        raise HttpError(
            400, 'invalid_version', f'{HEADER} holds no version of the form '
            f'{SERVICE_TYPE} {NEWEST}'
        ) from None
    except ValueError as error:
        raise HttpError(
            406, 'no_such_version', f'{error}; versions are {OLDEST} to '
            f'{NEWEST}', min_version=OLDEST, max_version=NEWEST,
        ) from None


def document(root: str) -> dict[str, Any]:
    """The one major version that there is.

    :param root: URL of the API, without a slash at its end.
    """
    return {
        'id': 'v1', 'status': 'CURRENT',
        'version': NEWEST, 'max_version': NEWEST, 'min_version': OLDEST,
        'links': [
            {'rel': 'self', 'href': f'{root}/v1/'},
            {'rel': 'describedby', 'href': f'{root}/v1/openapi.json'},
        ],
    }
