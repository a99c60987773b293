"""Call Nova's public API with the caller's token."""

from functools import cached_property
from typing import Any

from keystoneauth1 import adapter, loading, session, token_endpoint
from keystoneauth1 import exceptions as ka_exceptions

from nova_ext.core.base.scheduling_errors import (
    ApiError,
    SchedulingError,
    UnauthenticatedError,
)
from nova_ext.scheduler.base import options

options.register('nova_ext_offers')

#: Seconds for one answer; callers wait no longer by default.
_TIMEOUT_S = 60

#: Errors after which Nova may have created the server: no answer, none that
#: reached a proxy in time, or none that can be read.
_UNCERTAIN = (
    ka_exceptions.ConnectionError, ka_exceptions.BadGateway,
    ka_exceptions.GatewayTimeout, LookupError, TypeError, ValueError,
)


class ComputeEndpoint:
    """Connect to Nova's API.

    Its address is looked up when it is first needed, which is in a worker.
    """

    def connect(self, context: Any, microversion: str) -> 'ComputeClient':
        """Return a client in the name of a caller.

        :raises UnauthenticatedError: for a context without a token.
        """
        if not context.auth_token:
            raise UnauthenticatedError(
                'the context has no auth_token, with which servers could be '
                'created'
            )
        return ComputeClient(adapter.Adapter(
            self._session, service_type='compute',
            auth=token_endpoint.Token(self._url, context.auth_token),
            default_microversion=microversion, raise_exc=True,
        ))

    @cached_property
    def _session(self) -> session.Session:
        # Its certificates and timeouts serve for the compute API, too.
        return loading.load_session_from_conf_options(
            options.CONF, 'placement'
        )

    @cached_property
    def _url(self) -> str:
        configured = options.CONF.nova_ext_offers.compute_endpoint
        if configured:
            return str(configured)
        try:
            url = self._session.get_endpoint(
                auth=loading.load_auth_from_conf_options(
                    options.CONF, 'placement'
                ),
                service_type='compute', interface=['internal', 'public'],
                region_name=options.CONF.placement.region_name,
            )
        except ka_exceptions.ClientException as error:
            raise _translate(error) from None
        if not url:
            raise ApiError(
                'the catalog has no compute API; set [nova_ext_offers] '
                'compute_endpoint'
            )
        return str(url)


class ComputeClient:
    """Call the API in the name of one caller.

    :param api: an adapter with the caller's token.
    """

    def __init__(self, api: adapter.Adapter) -> None:
        self._api = api

    def get(self, path: str, microversion: str) -> Any:
        """Return the body of an answer.

        :raises SchedulingError: saying what the API refused.
        """
        try:
            return self._api.get(
                path, microversion=microversion, timeout=_TIMEOUT_S
            ).json()
        except (ka_exceptions.ClientException, ValueError) as error:
            raise _translate(error) from None

    def create(self, request: dict[str, Any], request_id: str) -> str:
        """Create a server.

        :param request: the body of POST /servers.
        :param request_id: the global request id.
        :returns: the server's UUID.
        :raises SchedulingError: saying what the API refused, or that the
            server may be there all the same.
        """
        try:
            answer = self._api.post(
                '/servers', json=request,
                headers={'X-OpenStack-Request-ID': request_id},
                timeout=_TIMEOUT_S,
            )
            return str(answer.json()['server']['id'])
        except _UNCERTAIN as error:
            raise ApiError(
                f'{_translate(error)}; the server may have been created all '
                f'the same: look for it before you ask again'
            ) from None
        except ka_exceptions.ClientException as error:
            raise _translate(error) from None


def _translate(error: Exception) -> SchedulingError:
    if isinstance(error, ka_exceptions.Unauthorized):
        return UnauthenticatedError(
            'Nova\'s API refuses the caller\'s token: it is expired, or none'
        )
    words = ' '.join(_get_message(error).split())
    return ApiError(f'Nova\'s API: {words or type(error).__name__}')


def _get_message(error: Exception) -> str:
    """Return Nova's own message, whose form keystoneauth does not know."""
    try:
        (fault,) = error.response.json().values()  # type: ignore[attr-defined]
        return str(fault['message'])
    except (AttributeError, KeyError, TypeError, ValueError):
        return str(error)
