"""A client of nova-ext-api, over the session of whoever asks."""

from typing import Any

from keystoneauth1 import adapter
from keystoneauth1 import exceptions as keystone

from nova_ext.core.errors import NovaExtError

#: The service's type in the catalog, and its name in the version header.
SERVICE_TYPE = 'scheduler'


class Client:
    """Asks, and raises one line where it can't be answered.

    :param session: of keystoneauth.
    :param version: the microversion to ask for.
    """

    def __init__(
        self, session: Any, *, version: str, region_name: str | None = None,
        interface: str | None = None,
    ) -> None:
        self._adapter = adapter.Adapter(
            session, service_type=SERVICE_TYPE, region_name=region_name,
            interface=interface,
        )
        self._headers = {
            'OpenStack-API-Version': f'{SERVICE_TYPE} '
            f'{version if "." in version else f"{version}.0"}',
        }

    def get(self, path: str, **query: Any) -> Any:
        """Ask.

        :param path: within the API.
        :param query: values behind the path; None and empty ones are left
            out.
        :returns: the answer as JSON has it.
        :raises NovaExtError: saying why there is none.
        """
        given = {name: value for name, value in query.items() if value}
        return self._ask('GET', path, params=given).json()

    def page(self, path: str, **query: Any) -> str:
        """Ask for a page; see :meth:`get`."""
        given = {name: value for name, value in query.items() if value}
        return str(self._ask('GET', path, params=given).text)

    def post(self, path: str, body: Any) -> Any:
        """Ask with a body; see :meth:`get`."""
        return self._ask('POST', path, json=body).json()

    def _ask(self, method: str, path: str, **what: Any) -> Any:
        try:
            response = self._adapter.request(
                path, method, raise_exc=False, headers=self._headers, **what
            )
        except keystone.EndpointNotFound:
            raise NovaExtError(
                f'the catalog has no service of type {SERVICE_TYPE}: '
                f'nova-ext-api is not installed in this cloud, or not '
                f'registered'
            ) from None
        except keystone.ClientException as error:
            why = ' '.join(str(error).split())
            raise NovaExtError(
                f'nova-ext-api can\'t be asked: {why}'
            ) from None
        if response.status_code >= 400:
            raise NovaExtError(_why(response))
        return response


def _why(response: Any) -> str:
    """What an error says, and by which id the API's log knows it."""
    try:
        error = response.json()['errors'][0]
        return (
            f'{error["detail"]} (HTTP {response.status_code}, request '
            f'{error["request_id"]})'
        )
    except (ValueError, LookupError, TypeError):
        return f'nova-ext-api answered with HTTP {response.status_code}'
