"""Send requests to nova-ext-api over a keystoneauth session."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from keystoneauth1 import adapter
from keystoneauth1 import exceptions as keystone

from nova_ext.cli import servers
from nova_ext.core.base.errors import NoDecisionError, NovaExtError
from nova_ext.core.explanation import serialized

#: The service's type in the catalog, and its name in the version header.
SERVICE_TYPE = 'scheduler'

#: Decisions of one request.
PAGE = 100


@dataclass
class Listing:
    """Represent decisions, the newest first.

    :param matches: how many decisions match; 0 where they are about no
        single server or request.
    :param notes: which decisions are missing.
    """

    decisions: list[Mapping[str, Any]] = field(default_factory=list)
    matches: int = 0
    notes: Sequence[str] = ()


class Client:
    """Send requests, and raise one line where there is no answer.

    :param session: of keystoneauth.
    :param version: the microversion to request; ``1`` is ``1.0``.
    """

    def __init__(
        self, session: Any, *, version: str, region_name: str | None = None,
        interface: str | None = None,
    ) -> None:
        self._adapter = adapter.Adapter(
            session, service_type=SERVICE_TYPE, region_name=region_name,
            interface=interface, default_microversion=version,
        )

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON of an answer.

        :param path: within the API.
        :param query: parameters; None: left out.
        :raises NovaExtError: saying why there is no answer.
        """
        params = {
            name: value for name, value in query.items() if value is not None
        }
        return self.request('GET', path, params=params).json()

    def post(self, path: str, body: Any) -> Any:
        """Send a body, and return the JSON of an answer; see :meth:`get`."""
        return self.request('POST', path, json=body).json()

    def list_decisions(self, limit: int = PAGE, **query: Any) -> Listing:
        """List at most ``limit`` decisions; see :meth:`get`."""
        decisions: list[Mapping[str, Any]] = []
        while True:
            answer = self.get(
                '/v1/decisions', limit=min(PAGE, limit - len(decisions)),
                **query,
            )
            decisions += answer['decisions']
            if 'decisions_links' not in answer or len(decisions) >= limit:
                return Listing(
                    decisions, answer.get('matches', 0),
                    answer.get('notes', ()),
                )
            query['marker'] = decisions[-1]['id']

    def explain_newest(
        self, *, server: str | None = None, request: str | None = None
    ) -> Mapping[str, Any]:
        """Return the explanation of the newest decision.

        :param server: what it is about; None: any.
        :param request: its request; None: any.
        :raises NoDecisionError: where there is none.
        """
        if server is not None:
            explanation: Mapping[str, Any] = self.get(
                f'/v1/servers/{server}/explanation', request=request
            )['explanation']
            return explanation
        listing = self.list_decisions(1, request=request)
        if not listing.decisions:
            raise NoDecisionError('; '.join([
                f'there is no decision about request {request}',
                *listing.notes,
            ]))
        number = listing.decisions[0]['id']
        decision = self.get(f'/v1/decisions/{number}')['decision']
        explanation, older = decision['explanation'], listing.matches - 1
        notes = [
            *explanation['notes'], *serialized.note_older(older),
            *listing.notes,
        ]
        return {**explanation, 'older': older, 'notes': notes}

    def request(self, method: str, path: str, **content: Any) -> Any:
        """Send a request, and return the response.

        :param content: as ``Adapter.request`` of keystoneauth takes it.
        :raises NovaExtError: saying why there is no answer.
        """
        try:
            return self._adapter.request(path, method, **content)
        except keystone.EndpointNotFound:
            raise NovaExtError(
                f'the catalog has no service of type {SERVICE_TYPE}: '
                f'nova-ext-api is not installed in this cloud, or not '
                f'registered'
            ) from None
        except keystone.ClientException as error:
            absent = isinstance(error, keystone.NotFound) and _is_ours(error)
            raise (NoDecisionError if absent else NovaExtError)(
                _describe(error)
            ) from None


def build_query(manager: Any, text: str) -> dict[str, Any]:
    """Return the query for the decisions about a server or a request.

    :param manager: OpenStackClient's, which looks up names of servers.
    :param text: a server's name or ID, or the ID of a request.
    """
    wanted = servers.identify(
        text, lambda: nullcontext(manager.sdk_connection)
    )
    return {'request' if wanted.startswith('req-') else 'server': wanted}


def _is_ours(error: Any) -> bool:
    """Say whether nova-ext-api answered: nobody else gives both."""
    return bool(getattr(error, 'request_id', None) and error.details)


def _describe(error: Any) -> str:
    """Return an error's message, and the ID that the API's log has for it."""
    if _is_ours(error):
        return (
            f'{error.details} (HTTP {error.http_status}, request '
            f'{error.request_id})'
        )
    return f'nova-ext-api can\'t be asked: {" ".join(str(error).split())}'
