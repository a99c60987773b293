"""Read and answer ``OpenStack-API-Version: scheduler 1.0``.

Any change that a program could see is a new version, here and in the
documentation.
"""

from typing import Any

import microversion_parse
from microversion_parse import Version

from nova_ext.api.http.errors import HttpError

#: The service's type in the catalog, and its name in the header.
SERVICE_TYPE = 'scheduler'
HEADER = 'OpenStack-API-Version'

#: From the oldest to the newest.
VERSIONS = ('1.0',)
OLDEST, NEWEST = VERSIONS[0], VERSIONS[-1]


def build_headers(
    version: Version | str = OLDEST, *, public: bool = False
) -> dict[str, str]:
    """Return the headers of every answer.

    :param public: whether everybody gets this answer; no cache may keep
        others.
    """
    answer_headers = {
        HEADER: f'{SERVICE_TYPE} {version}', 'Vary': HEADER,
        'X-Content-Type-Options': 'nosniff',
    }
    if not public:
        answer_headers['Vary'] += ', X-Auth-Token'
        answer_headers['Cache-Control'] = 'no-store'
    return answer_headers


def read_version(headers: Any) -> Version:
    """Return the version that a request names; by default the oldest.

    :param headers: of the request.
    :raises HttpError: for a version that is malformed or unknown.
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


def describe(root_url: str) -> dict[str, Any]:
    """Return the only major version, as discovery shows it.

    :param root_url: URL of the API, without a slash at its end.
    """
    return {
        'id': 'v1', 'status': 'CURRENT',
        'version': NEWEST, 'max_version': NEWEST, 'min_version': OLDEST,
        'links': [
            {'rel': 'self', 'href': f'{root_url}/v1/'},
            {'rel': 'describedby', 'href': f'{root_url}/v1/openapi.json'},
        ],
    }
