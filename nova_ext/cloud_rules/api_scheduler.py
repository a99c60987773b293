"""Ask a running scheduler, through nova-ext-api."""

from collections.abc import Mapping
from typing import Any

from nova_ext.cli.api_client import SERVICE_TYPE, Client


class ApiScheduler:
    """Ask as the user that OS_CLOUD names.

    :param connection: of openstacksdk.
    """

    def __init__(self, connection: Any) -> None:
        region = connection.config
        self._client = Client(
            connection.session, version='1.0',
            region_name=region.get_region_name(SERVICE_TYPE),
            interface=region.get_interface(SERVICE_TYPE),
        )

    def simulate(
        self, request: Mapping[str, Any], changes: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the explanation of a boot."""
        explanation: Mapping[str, Any] = self._client.post(
            '/v1/simulations', _body(request, changes)
        )['simulation']
        return explanation

    def capacity(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return how many more servers fit."""
        capacity: Mapping[str, Any] = self._client.post(
            '/v1/capacities', _body(request, {})
        )['capacity']
        return capacity

    def list_filters(self) -> list[str]:
        """Return the names of the enabled filters."""
        answer = self._client.get('/v1/filters')
        return [each['name'] for each in answer['filters']]

    def list_multipliers(self) -> Mapping[str, float | None]:
        """Return the multipliers of weighers in force."""
        answer = self._client.get('/v1/weighers')
        return {each['name']: each['multiplier']
                for each in answer['weighers']}


def _body(
    request: Mapping[str, Any], changes: Mapping[str, Any]
) -> dict[str, Any]:
    return {'request': request} | ({'changes': changes} if changes else {})
