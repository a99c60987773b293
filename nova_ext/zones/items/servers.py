"""Create, list and delete servers by Nova's API, in the name of one project.

An error says whether there may be a server all the same: only an answer of
Nova's that refuses the request proves that there is none.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from keystoneauth1 import adapter
from keystoneauth1 import exceptions as keystone

from nova_ext.core.base.errors import NovaExtError

#: The version in which Nova lists servers of a cell that is down. Networks
#: "auto" and "none", and tags of new servers, are older.
VERSION = '2.69'
#: Status of a server whose cell's database does not answer.
CELL_DOWN = 'UNKNOWN'
#: Statuses of a server that was deleted, and perhaps waits for its end.
DELETED = ('DELETED', 'SOFT_DELETED')
#: Tags of one question: about 2 KB of its URL.
_TAGS = 50
#: Codes by the status of an answer that proves that there is no server.
_REFUSALS = {
    400: 'invalid', 401: 'unauthorized', 403: 'forbidden', 404: 'not_found',
    405: 'refused', 406: 'refused', 409: 'conflict', 413: 'too_long',
    422: 'invalid', 429: 'busy',
}


class RefusedError(NovaExtError):
    """Report that Nova created no server.

    :param code: why, one of this module's.
    """

    def __init__(self, code: str) -> None:
        super().__init__(f'Nova refuses the server: {code}')
        self.code = code


class SilentError(NovaExtError):
    """Report that Nova gave no answer that can be used."""


@dataclass(frozen=True)
class ListedServer:
    """Represent a server as Nova lists it.

    :param created_at: in seconds since 1970, UTC.
    :param has_host: whether a host has taken it.
    """

    id: str
    status: str
    name: str = ''
    tags: frozenset[str] = field(default_factory=frozenset)
    created_at: float = 0.0
    project_id: str = ''
    has_host: bool = False


class Servers:
    """Manage the servers of one project in one zone.

    :param compute: Nova's API, with a token of the project.
    """

    def __init__(self, compute: adapter.Adapter) -> None:
        self._compute = compute

    def create(
        self, server: Mapping[str, Any], hints: Mapping[str, Any],
        request_id: str, limit_s: float,
    ) -> str:
        """Create a server.

        :param request_id: the global request id.
        :param limit_s: seconds in which Nova has to answer.
        :returns: its id.
        :raises RefusedError: when there is none, and none will come.
        :raises SilentError: when there may be one.
        """
        try:
            answer = self._compute.post(
                '/servers', microversion=VERSION, timeout=limit_s,
                headers={'X-OpenStack-Request-ID': request_id},
                json={'server': server, 'os:scheduler_hints': hints},
                connect_retries=0, status_code_retries=0,
            )
            return str(answer.json()['server']['id'])
        except keystone.HttpError as error:
            code = _REFUSALS.get(error.http_status)
            if code is None:
                raise _describe(error) from None
            # The message is not repeated: it may name hosts.
            if code == 'forbidden' and 'uota' in str(error):
                code = 'quota'
            raise RefusedError(code) from None
        except (keystone.EndpointNotFound, keystone.MissingAuthPlugin,
                keystone.AuthorizationFailure):
            # It was not sent at all.
            raise RefusedError('unauthorized') from None
        except (keystone.ClientException, LookupError, TypeError,
                ValueError) as error:
            raise SilentError(
                f'Nova gives no answer: {type(error).__name__}'
            ) from None

    def list_tagged(self, tags: Iterable[str]) -> list[ListedServer]:
        """Return the servers with any of these tags.

        Servers in a cell whose database does not answer are left out.

        :raises SilentError: when Nova gives no answer that can be used.
        """
        wanted = [*tags]
        return [
            server for first in range(0, len(wanted), _TAGS)
            for server in self._list(
                f'?tags-any={",".join(wanted[first:first + _TAGS])}'
            )
        ]

    def list_all(self) -> tuple[list[ListedServer], bool]:
        """Return the project's servers, and whether these are all.

        Without a filter Nova lists servers in a cell whose database does not
        answer with the status UNKNOWN. They are not all either where Nova
        lists no more than ``[api] max_limit``.

        :raises SilentError: when Nova gives no answer that can be used.
        """
        document = self._get('/servers/detail') or {}
        listed = _read_servers(document)
        return listed, 'servers_links' not in document and not any(
            server.status == CELL_DOWN for server in listed
        )

    def list_every(self, *, all_projects: bool) -> Iterator[ListedServer]:
        """Yield the project's servers, however many there are.

        Servers in a cell whose database does not answer have the status
        UNKNOWN; Nova leaves them out where there are more than it lists at
        once.

        :param all_projects: those of other projects, too.
        :raises SilentError: when Nova gives no answer that can be used.
        """
        yield from self._list('?all_tenants=1' if all_projects else '')

    def find(self, server_id: str) -> ListedServer | None:
        """Return a server; None where it is not there any more.

        :raises SilentError: when Nova gives no answer that can be used.
        """
        document = self._get(f'/servers/{server_id}')
        if document is None:
            return None
        server, = _read_servers({'servers': [document.get('server')]})
        return None if server.status in DELETED else server

    def delete(self, server_id: str) -> None:
        """Delete a server; it is gone some time later.

        :raises SilentError: when Nova gives no answer that can be used.
        """
        try:
            self._compute.delete(f'/servers/{server_id}', microversion=VERSION)
        except keystone.NotFound as error:
            _check_not_found(error)
        except keystone.ClientException as error:
            raise _describe(error) from None

    def _list(self, query: str) -> Iterator[ListedServer]:
        """List servers page by page."""
        marker = ''
        joint = '&' if query else '?'
        while True:
            document = self._get(f'/servers/detail{query}{marker}') or {}
            listed = _read_servers(document)
            yield from listed
            if not listed or 'servers_links' not in document:
                return
            marker = f'{joint}marker={listed[-1].id}'

    def _get(self, path: str) -> dict[str, Any] | None:
        try:
            document = self._compute.get(path, microversion=VERSION).json()
        except keystone.NotFound as error:
            _check_not_found(error)
            return None
        except (keystone.ClientException, ValueError) as error:
            raise _describe(error) from None
        if not isinstance(document, dict):
            raise SilentError('Nova\'s answer is no object')
        return document


def _read_servers(document: Mapping[str, Any]) -> list[ListedServer]:
    """Return the servers of a list.

    :raises SilentError: for an answer that is no such list.
    """
    try:
        listed: Sequence[Any] = document['servers']
        return [
            ListedServer(
                each['id'], each['status'], each.get('name') or '',
                frozenset(each.get('tags') or ()),
                datetime.datetime.fromisoformat(each['created']).timestamp(),
                each.get('tenant_id') or '', bool(each.get('hostId')),
            ) for each in listed
        ]
    except (AttributeError, LookupError, TypeError, ValueError):
        raise SilentError('Nova\'s answer is no list of servers') from None


def _check_not_found(error: keystone.NotFound) -> None:
    """Refuse a 404 that is not Nova's: of a proxy, or of a wrong URL."""
    try:
        answer: Any = error.response
        known = 'itemNotFound' in answer.json()
    except (AttributeError, TypeError, ValueError):
        known = False
    if not known:
        raise SilentError('another than Nova answers 404') from None


def _describe(error: Exception) -> SilentError:
    if isinstance(error, keystone.HttpError):
        return SilentError(f'Nova answers {error.http_status}')
    return SilentError(f'Nova gives no answer: {type(error).__name__}')
