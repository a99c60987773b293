"""A client of nova-ext-api, over the session of whoever asks."""

from typing import Any

from keystoneauth1 import adapter
from keystoneauth1 import exceptions as keystone

from nova_ext.core.base.errors import NovaExtError

#: The service's type in the catalog, and its name in the version header.
SERVICE_TYPE = 'scheduler'


class Client:
    """Asks, and raises one line where it can't be answered.

    :param session: of keystoneauth.
    :param version: the microversion to ask for; ``1`` is ``1.0``.
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
            return self._adapter.request(path, method, **what)
        except keystone.EndpointNotFound:
            raise NovaExtError(
                f'the catalog has no service of type {SERVICE_TYPE}: '
                f'nova-ext-api is not installed in this cloud, or not '
                f'registered'
            ) from None
        except keystone.ClientException as error:
            raise NovaExtError(_why(error)) from None


def _why(error: Any) -> str:
    """What an error says, and by which id the API's log knows it."""
    # Of all who may stand between, nova-ext-api alone gives both.
    if getattr(error, 'request_id', None) and error.details:
        return (
            f'{error.details} (HTTP {error.http_status}, request '
            f'{error.request_id})'
        )
    return f'nova-ext-api can\'t be asked: {" ".join(str(error).split())}'
