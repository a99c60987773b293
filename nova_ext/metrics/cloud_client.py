"""Ask the cloud with an operator's credentials: its API and nova-ext's."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import keystoneauth1.exceptions as keystone
import openstack
from openstack.exceptions import ConfigException, HttpException

from nova_ext.cli import cloud as openstack_cloud
from nova_ext.cli.api_client import Client
from nova_ext.core.base.errors import NovaExtError
from nova_ext.metrics.answers import Failure

#: Seconds that one answer may take: nova-ext-api waits 67 at most.
TIMEOUT_S = 120
#: Seconds between attempts, and how many: others ask, too.
BUSY_S, BUSY_ATTEMPTS = 5.0, 12
#: The microversion of nova-ext-api.
VERSION = '1'

#: Reasons by the code of nova-ext-api's error.
_CODES = {
    'busy': Failure.BUSY, 'no_scheduler': Failure.NO_SCHEDULER,
    'scheduler_silent': Failure.TIMEOUT,
    'scheduler_unreachable': Failure.UNREACHABLE,
    'driver_failed': Failure.ERROR, 'scheduler_failed': Failure.ERROR,
}
_STATUSES = {
    401: Failure.UNAUTHORIZED, 403: Failure.UNAUTHORIZED, 429: Failure.BUSY,
    502: Failure.UNREACHABLE, 503: Failure.UNREACHABLE, 504: Failure.TIMEOUT,
}
_ABSENT = (
    keystone.EndpointNotFound, keystone.DiscoveryFailure,
    keystone.ConnectionError,
)


class ReasonedError(NovaExtError):
    """Report that there is no answer, for a reason that is known."""

    def __init__(self, reason: Failure, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class CloudClient:
    """Ask one cloud.

    :param name: of clouds.yaml; ``envvars``: that of the OS_ variables.
    :param check: called before each question to nova-ext-api; it may raise.
    :raises NovaExtError: for a cloud that is not there.
    """

    def __init__(self, name: str, check: Callable[[], None]) -> None:
        try:
            self.connection = openstack.connect(cloud=name)
        except (ConfigException, keystone.ClientException) as error:
            raise NovaExtError(
                f'--os-cloud {name}: {openstack_cloud.describe(error)}'
            ) from error
        self._check = check
        config = self.connection.config
        session = config.get_session()
        session.timeout = session.timeout or TIMEOUT_S
        self._client = Client(
            session, version=VERSION,
            region_name=config.get_region_name('scheduler'),
            interface=config.config.get('interface'),
        )

    def post(self, path: str, body: Any) -> Any:
        """Ask nova-ext-api, again while it is busy; return its answer.

        :raises NovaExtError: where there is none.
        """
        for attempt in range(BUSY_ATTEMPTS):
            self._check()
            try:
                return self._client.post(path, body)
            except NovaExtError as error:
                if find_reason(error) is not Failure.BUSY or (
                    attempt == BUSY_ATTEMPTS - 1
                ):
                    raise
            time.sleep(BUSY_S)
        raise AssertionError('the last attempt raises')

    def get_placement(self, path: str) -> Any:
        """Return what placement answers.

        :raises HttpException: where it does not.
        """
        self._check()
        response = self.connection.placement.get(path, microversion='1.22')
        openstack.exceptions.raise_from_response(response)
        return response.json()

    def list_zones(self) -> Sequence[str]:
        """Return the names of the availability zones with hosts, sorted."""
        return sorted({
            service.availability_zone
            for service in self.connection.compute.services(
                binary='nova-compute'
            )
        })

    def list_aggregates(self) -> Sequence[str]:
        """Return the names of the host aggregates, sorted."""
        return sorted({
            each.name for each in self.connection.compute.aggregates()
        })


def find_reason(error: BaseException) -> Failure:
    """Return why there is no answer."""
    for each in _walk(error):
        if isinstance(each, ReasonedError):
            return each.reason
        if isinstance(each, keystone.ConnectTimeout):
            return Failure.TIMEOUT
        if isinstance(each, _ABSENT):
            return Failure.UNREACHABLE
        if isinstance(each, keystone.HttpError | HttpException):
            status = (
                each.http_status if isinstance(each, keystone.HttpError)
                else each.status_code
            )
            return _CODES.get(_read_code(each)) or _STATUSES.get(
                status or 0, Failure.ERROR
            )
    return Failure.ERROR


def is_refused(error: BaseException) -> bool:
    """Say whether nova-ext-api found fault with one request alone."""
    return any(
        isinstance(each, keystone.BadRequest) for each in _walk(error)
    )


def _walk(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _read_code(error: Any) -> str:
    """Return the code of an error of nova-ext-api; empty: it has none."""
    try:
        code = str(error.response.json()['errors'][0]['code'])
        return code.removeprefix('scheduler.')
    except (AttributeError, ValueError, LookupError, TypeError):
        return ''
