"""Choosing hosts, and creating a server on each of them."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from nova import exception
from oslo_context import context as oslo_context

from nova_ext.core import offers
from nova_ext.core.scheduling_errors import SchedulingError
from nova_ext.scheduler import options
from nova_ext.scheduler.launch import honoured
from nova_ext.scheduler.launch.compute_api import Caller, ComputeApi
from nova_ext.scheduler.launch.wish import Wish

#: Servers that are created at a time.
_AT_A_TIME = 8

#: Chooses hosts for so many servers of a request spec.
Choose = Callable[[Any, Any, int], Sequence[Any]]


class Launcher:
    """Creates servers by Nova's public API, in the caller's name.

    Policy, quota, claims and clean-up are Nova's, as for any other server.

    :param choose: Nova's way of choosing, which leaves nothing claimed.
    :param fingerprint: gives that of this scheduler's secret.
    """

    def __init__(
        self, choose: Choose, fingerprint: Callable[[], str]
    ) -> None:
        self._choose = choose
        self._fingerprint = fingerprint
        self._api = ComputeApi()

    def launch(
        self, context: Any, server: Mapping[str, Any], count: int,
        hints: Mapping[str, Any], microversion: str,
    ) -> list[dict[str, Any]]:
        """Choose hosts and create servers there.

        :returns: for each server its ``host`` and ``id``; ``error`` for one
            that was not created.
        :raises SchedulingError: where none could be.
        """
        wish = Wish(server, count, hints)
        api = self._api.as_caller(context, microversion)
        honoured.require(context, self._fingerprint())
        spec = wish.request_spec(context, api)
        hosts, why = self._hosts(context, spec, count)

        def create(number: int) -> dict[str, Any]:
            if number >= len(hosts):
                return {'error': why}
            return _create(context, api, wish, number, hosts[number])

        with ThreadPoolExecutor(_AT_A_TIME) as pool:
            return list(pool.map(create, range(count)))

    def _hosts(
        self, context: Any, spec: Any, count: int
    ) -> tuple[Sequence[Any], str]:
        """Hosts for as many servers as there is room for.

        :returns: and why there are not more.
        :raises nova.exception.NoValidHost: where there is room for none.
        """
        try:
            return self._choose(context, spec, count), ''
        except exception.NoValidHost as error:
            if count == 1:
                raise
            why = ' '.join(str(error).split())
        hosts = self._choose(context, spec, 1)
        fit, too_many = 1, count
        while too_many - fit > 1:
            middle = (fit + too_many) // 2
            try:
                hosts = self._choose(context, spec, middle)
                fit = middle
            except exception.NoValidHost:
                too_many = middle
        return hosts, why


def _create(
    context: Any, api: Caller, wish: Wish, number: int, selection: Any
) -> dict[str, Any]:
    """Create one server on its host; what goes wrong stops no other."""
    # Known to nobody else, so that nobody else can use the offer.
    request_id = oslo_context.generate_request_id()
    offer = offers.offer(
        options.CONF.nova_ext_offers.secret, request_id, context.project_id,
        selection.service_host, selection.nodename,
    )
    found = {'host': selection.service_host}
    try:
        body = wish.body(number, {offers.HINT: offer})
        return {**found, 'id': api.create(body, request_id)}
    except SchedulingError as error:
        return {**found, 'error': str(error)}
