"""Send requests about zones and builds to nova-ext-api."""

import re
from collections.abc import Mapping
from typing import Any

from osc_lib.command import command

from nova_ext.cli.api_client import Client
from nova_ext.core.base.errors import NovaExtError

#: Builds of one request.
PAGE = 100
#: States of builds that keep no servers.
_OVER = ('failed', 'deleted')
_UUID = re.compile('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')


def get_client(run: command.Command) -> 'ZonesClient':
    """Return the client of a command."""
    manager: Any = run.app.client_manager
    return ZonesClient(manager.scheduler)


class ZonesClient:
    """Send requests; all raise a NovaExtError where there is no answer."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list_zones(self, **query: Any) -> list[Mapping[str, Any]]:
        """List child zones with all that is known of them."""
        return self._request_zones('GET', params=query)['zones']

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
            self._client.request('DELETE', f'/v1/zones/{number}')
            return []
        return self._client.request(
            'DELETE', f'/v1/zones/{number}', params={'force': 'true'}
        ).json()['left']

    def list_orphans(self) -> Mapping[str, Any]:
        """List servers of this zone's builds that no build knows of.

        :returns: these as ``orphans``; as ``silent`` zones where not all are
            listed.
        """
        return self._client.get('/v1/zones/orphans')

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

        If several have the name, the one that is neither failed nor deleted
        is returned, or else the newest.

        :raises NovaExtError: where there is none, or more than one.
        """
        if _UUID.fullmatch(text):
            return self.get_build(text)
        named = [
            build for build in self.list_builds() if build['name'] == text
        ]
        candidates = [
            build for build in named if build['state'] not in _OVER
        ] or named[:1]
        if len(candidates) != 1:
            raise NovaExtError(
                f'{len(candidates)} builds have the name {text}: use an ID'
                if candidates else f'there is no build {text}'
            )
        return self.get_build(candidates[0]['id'])

    def delete_build(self, uuid: str) -> None:
        """Delete a build with its servers."""
        self._request_builds('DELETE', f'/{uuid}')

    def resume_build(self, uuid: str) -> None:
        """Let a build go on in the caller's name."""
        self._request_builds('POST', f'/{uuid}/resume')

    def _request_builds(
        self, method: str, path: str = '', **content: Any
    ) -> Any:
        return self._client.request(method, f'/v1/builds{path}', **content)

    def _request_zones(
        self, method: str, path: str = '', **content: Any
    ) -> Any:
        return self._client.request(
            method, f'/v1/zones{path}', **content
        ).json()
