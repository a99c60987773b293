"""Read a cloud's public APIs: GET alone, so nothing can be changed."""

import collections
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from keystoneauth1 import adapter, exceptions

from nova_ext.cli import cloud as openstack_cloud
from nova_ext.doctor.check import NotRunError

#: Items per page. Nova returns no more unless [api] max_limit is raised.
PAGE = 1000
#: Seconds that one answer may take; ten thousand hosts take several.
TIMEOUT_S = 120

#: What is read, by service type.
SERVICES = ('identity', 'compute', 'placement')
#: nova-ext-api and Glance, which a cloud may lack.
OURS, IMAGES = 'scheduler', 'image'


@dataclass(frozen=True)
class ClockReading:
    """Hold a service's time, and ours around it; seconds since 1970.

    :param served: the Date header, in whole seconds.
    """

    served: float
    sent: float
    received: float


class CloudApis:
    """Read a cloud's APIs.

    :param adapters: keystoneauth's adapters by service type.
    :param clock: seconds since 1970.
    """

    def __init__(
        self, adapters: Mapping[str, Any],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._adapters = adapters
        #: Seconds since 1970, by this machine's clock.
        self.clock = clock
        self._lock = threading.Lock()
        #: Requests by service type.
        self.requests: collections.Counter[str] = collections.Counter()
        #: Reading from the quickest answer, by service type.
        self.clock_readings: dict[str, ClockReading] = {}

    def has(self, service: str) -> bool:
        """Say whether the catalog has a service."""
        return self._adapters[service].get_endpoint() is not None

    def get(
        self, service: str, path: str, microversion: str | None = None
    ) -> Any:
        """Return the body of a GET.

        :param microversion: the first that has what is read.
        :raises NotRunError: when there is no answer, or a refusal.
        """
        try:
            response = self._request(service, path, microversion)
            if response.status_code >= 400:
                raise exceptions.from_response(response, 'GET', path)
            return response.json()
        except exceptions.Forbidden as error:
            raise NotRunError(
                f'{service} refuses GET {path}',
                'credentials of an administrator',
            ) from error
        except (exceptions.ClientException, ValueError) as error:
            reason = ' '.join(str(error).split())
            status = getattr(error, 'http_status', 0) or 500
            raise NotRunError(
                f'{service} does not answer GET {path}: {reason}',
                f'{service} to answer', service if status >= 500 else '',
            ) from error

    def look_at_clock(self, service: str) -> None:
        """Note a service's date, whatever it answers.

        :raises NotRunError: when there is no answer.
        """
        try:
            self._request(service, '/', None)
        except exceptions.ClientException as error:
            raise NotRunError(
                f'{service} does not answer', f'{service} to answer'
            ) from error

    def find(
        self, service: str, path: str, microversion: str | None = None
    ) -> Any:
        """Return the body of a GET, or None for 404.

        :raises NotRunError: see :meth:`get`.
        """
        try:
            return self.get(service, path, microversion)
        except NotRunError as error:
            if isinstance(error.__cause__, exceptions.NotFound):
                return None
            raise

    def pages(
        self, path: str, key: str, microversion: str, id_key: str = 'id'
    ) -> Iterator[list[Any]]:
        """Yield the pages of one of Nova's lists.

        Go on until a page is empty. Nova's links to the next page can't be
        followed: there is none when Nova left an item out of a page.

        :param key: the list's name in the body.
        :param id_key: the field that marks an item.
        """
        joint = '&' if '?' in path else '?'
        marker = ''
        while True:
            after = f'&marker={marker}' if marker else ''
            page = self.get(
                'compute', f'{path}{joint}limit={PAGE}{after}', microversion
            )[key]
            if not page or page[-1][id_key] == marker:
                return
            yield page
            marker = page[-1][id_key]

    def _request(
        self, service: str, path: str, microversion: str | None
    ) -> Any:
        with self._lock:
            self.requests[service] += 1
        sent = self.clock()
        response = self._adapters[service].get(
            path, microversion=microversion, timeout=TIMEOUT_S,
            raise_exc=False,
        )
        self._note_date(service, response.headers, sent, self.clock())
        return response

    def _note_date(
        self, service: str, headers: Any, sent: float, received: float
    ) -> None:
        try:
            served = parsedate_to_datetime(headers['Date']).timestamp()
        except (KeyError, ValueError, TypeError):
            return
        with self._lock:
            best = self.clock_readings.get(service)
            if not best or received - sent < best.received - best.sent:
                self.clock_readings[service] = ClockReading(
                    served, sent, received
                )


def connect() -> CloudApis:
    """Return the cloud that OS_CLOUD, or the OS_ variables, name.

    :raises NovaExtError: when there is none, or it refuses the login.
    """
    with openstack_cloud.connect() as connection:
        region = connection.config
        session = region.get_session()
        session.timeout = session.timeout or TIMEOUT_S
        session.get_token()
    return CloudApis({
        name: _adapter(region, name) for name in (*SERVICES, OURS, IMAGES)
    })


def _adapter(region: Any, name: str) -> adapter.Adapter:
    # The SDK's own clients first ask for versions, without a time limit.
    return adapter.Adapter(
        region.get_session(), service_type=region.get_service_type(name),
        service_name=region.get_service_name(name),
        interface=region.get_interface(name),
        region_name=region.get_region_name(name),
        endpoint_override=region.get_endpoint(name),
    )
