"""Choosing hosts, and creating a server on each of them."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from oslo_context import context as oslo_context

from nova_ext.core.base.scheduling_errors import SchedulingError
from nova_ext.core.rpc import offers
from nova_ext.scheduler.base import options
from nova_ext.scheduler.decide import offer_support, request_spec
from nova_ext.scheduler.launch.compute_api import Caller, ComputeApi
from nova_ext.scheduler.launch.host_choice import Host
from nova_ext.scheduler.launch.server_request import Wish

#: Servers that are created at a time.
_AT_A_TIME = 8

#: Chooses hosts for the servers of a request spec; see Choice.
Choose = Callable[[Any, Any, Sequence[str]], tuple[Sequence[Host], str]]


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
        offer_support.require(context, self._fingerprint())
        spec, servers = request_spec.make(context, wish.boot_request(api))
        hosts, why = self._choose(context, spec, servers)

        def create(number: int) -> dict[str, Any]:
            if number >= len(hosts):
                return {'error': why}
            return _create(context, api, wish, number, hosts[number])

        with ThreadPoolExecutor(_AT_A_TIME) as pool:
            return list(pool.map(create, range(count)))


def _create(
    context: Any, api: Caller, wish: Wish, number: int, chosen: Host
) -> dict[str, Any]:
    """Create one server on its host; what goes wrong stops no other."""
    # Known to nobody else, so that nobody else can use the offer.
    request_id = oslo_context.generate_request_id()
    offer = offers.offer(
        options.CONF.nova_ext_offers.secret, request_id, context.project_id,
        chosen.host, chosen.nodename,
    )
    found = {'host': chosen.host}
    try:
        body = wish.body(number, {offers.HINT: offer})
        return {**found, 'id': api.create(body, request_id)}
    except SchedulingError as error:
        return {**found, 'error': str(error)}
