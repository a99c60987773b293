"""Send requests to nova-ext-api over a keystoneauth session."""

import re
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

#: The microversion that brought zones and costs.
ZONES_VERSION = '1.1'
#: The microversion that brought builds.
BUILDS_VERSION = '1.2'
#: The microversion that brought mirrors.
MIRRORS_VERSION = '1.3'

#: Decisions, or builds, of one request.
PAGE = 100
#: States of builds of which no server is wanted.
_OVER = ('failed', 'deleted')
_UUID = re.compile('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')


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
        return self._request('GET', path, params=params).json()

    def post(self, path: str, body: Any) -> Any:
        """Send a body, and return the JSON of an answer; see :meth:`get`."""
        return self._request('POST', path, json=body).json()

    def list_costs(self) -> Any:
        """Return the enabled costs; see :meth:`get`."""
        return self._request(
            'GET', '/v1/costs', microversion=ZONES_VERSION
        ).json()

    def list_mirrors(self) -> list[Mapping[str, Any]]:
        """List the mirrors of all workers; see :meth:`get`."""
        mirrors: list[Mapping[str, Any]] = self._request(
            'GET', '/v1/mirrors', microversion=MIRRORS_VERSION
        ).json()['mirrors']
        return mirrors

    def list_zones(self, **query: Any) -> list[Mapping[str, Any]]:
        """List child zones with all that is known of them; see :meth:`get`."""
        return self._request_zones('GET', '/detail', params=query)['zones']

    def find_zone(self, text: str) -> Mapping[str, Any]:
        """Return the child zone with an ID or a name.

        :raises NovaExtError: where there is none.
        """
        if text.isascii() and text.isdigit():
            return self._request_zones('GET', f'/{text}')['zone']
        for zone in self.list_zones(name=text):
            return zone
        raise NovaExtError(f'there is no zone {text}')

    def get_zone_info(self) -> Mapping[str, Any]:
        """Return what the zone of nova-ext-api says of itself."""
        return self._request_zones('GET', '/info')['zone']

    def create_zone(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Add a child zone, and return it."""
        return self._request_zones('POST', json={'zone': fields})['zone']

    def update_zone(self, number: int, fields: Mapping[str, Any]) -> None:
        """Change fields of a child zone."""
        self._request_zones('PUT', f'/{number}', json={'zone': fields})

    def delete_zone(
        self, number: int, *, force: bool = False
    ) -> list[Mapping[str, Any]]:
        """Delete a child zone.

        :param force: even if servers of builds are there.
        :returns: these servers.
        """
        if not force:
            self._request(
                'DELETE', f'/v1/zones/{number}', microversion=ZONES_VERSION
            )
            return []
        return self._request(
            'DELETE', f'/v1/zones/{number}', microversion=BUILDS_VERSION,
            params={'force': 'true'},
        ).json()['left']

    def list_orphans(self) -> Mapping[str, Any]:
        """List servers of this zone's builds that no build knows of.

        :returns: these as ``orphans``; as ``silent`` zones where not all are
            listed.
        """
        return self._request(
            'GET', '/v1/zones/orphans', microversion=BUILDS_VERSION
        ).json()

    def create_build(
        self, fields: Mapping[str, Any], *, dry_run: bool
    ) -> Mapping[str, Any]:
        """Create a build, and return it; in a dry run the plan."""
        return self._request_builds(
            'POST', json={'build': fields, 'dry_run': dry_run}
        ).json()

    def list_builds(self) -> list[Mapping[str, Any]]:
        """List the builds of the project."""
        listed: list[Mapping[str, Any]] = []
        while True:
            marker = {'marker': listed[-1]['id']} if listed else {}
            page = self._request_builds(
                'GET', params={'limit': PAGE, **marker}
            ).json()['builds']
            listed += page
            if len(page) < PAGE:
                return listed

    def get_build(self, uuid: str) -> Mapping[str, Any]:
        """Return a build."""
        return self._request_builds('GET', f'/{uuid}').json()['build']

    def find_build(self, text: str) -> Mapping[str, Any]:
        """Return the build with a UUID or a name.

        Of several with one name that is meant which has servers, or else the
        newest.

        :raises NovaExtError: where there is none, or more than one.
        """
        if _UUID.fullmatch(text):
            return self.get_build(text)
        named = [
            build for build in self.list_builds() if build['name'] == text
        ]
        found = [
            build for build in named if build['state'] not in _OVER
        ] or named[:1]
        if len(found) != 1:
            raise NovaExtError(
                f'{len(found)} builds have the name {text}: use an ID'
                if found else f'there is no build {text}'
            )
        return self.get_build(found[0]['id'])

    def delete_build(self, uuid: str) -> None:
        """Delete a build with its servers."""
        self._request_builds('DELETE', f'/{uuid}')

    def resume_build(self, uuid: str) -> None:
        """Let a build go on in the caller's name."""
        self._request_builds('POST', f'/{uuid}/resume')

    def _request_builds(
        self, method: str, path: str = '', **content: Any
    ) -> Any:
        return self._request(
            method, f'/v1/builds{path}', microversion=BUILDS_VERSION,
            **content
        )

    def _request_zones(
        self, method: str, path: str = '', **content: Any
    ) -> Any:
        return self._request(
            method, f'/v1/zones{path}', microversion=ZONES_VERSION, **content
        ).json()

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

    def _request(self, method: str, path: str, **content: Any) -> Any:
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
