"""Choose hosts, and create a server on each of them."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from oslo_context import context as oslo_context

from nova_ext.core.base.offer_signature import HINT
from nova_ext.core.base.scheduling_errors import SchedulingError
from nova_ext.scheduler.launch.compute_api import (
    ComputeClient,
    ComputeEndpoint,
)
from nova_ext.scheduler.launch.host_choice import NamedHost
from nova_ext.scheduler.launch.server_request import ServerRequest
from nova_ext.scheduler.offers import offer_readiness, offer_signing
from nova_ext.scheduler.what_if import request_spec

#: Servers that are created at a time.
_MAX_PARALLEL = 8

#: Chooses hosts for the servers of a request spec; see host_choice.choose().
Choose = Callable[[Any, Any, Sequence[str]], tuple[Sequence[NamedHost], str]]


class ServerLauncher:
    """Create servers by Nova's public API, in the caller's name.

    Policy, quota, claims and clean-up are Nova's, as for any other server.

    :param choose: chooses hosts, and leaves nothing claimed.
    :param list_fingerprints: returns those of the secrets that this scheduler
        accepts, that which signs first.
    """

    def __init__(
        self, choose: Choose, list_fingerprints: Callable[[], list[str]]
    ) -> None:
        self._choose = choose
        self._list_fingerprints = list_fingerprints
        self._endpoint = ComputeEndpoint()

    def launch(
        self, context: Any, server: Mapping[str, Any], count: int,
        hints: Mapping[str, Any], microversion: str,
    ) -> list[dict[str, Any]]:
        """Choose hosts and create servers there.

        :returns: for each server its ``host`` and ``id``; ``error`` for one
            that was not created.
        :raises SchedulingError: where none could be.
        """
        request = ServerRequest(server, count, hints)
        api = self._endpoint.connect(context, microversion)
        offer_readiness.check_schedulers(context, self._list_fingerprints())
        spec, servers = request_spec.make(context, request.describe_boot(api))
        hosts, shortage = self._choose(context, spec, servers)

        def create(number: int) -> dict[str, Any]:
            if number >= len(hosts):
                return {'error': shortage}
            return _create(context, api, request, number, hosts[number])

        with ThreadPoolExecutor(_MAX_PARALLEL) as pool:
            return list(pool.map(create, range(count)))


def _create(
    context: Any, api: ComputeClient, request: ServerRequest, number: int,
    chosen: NamedHost,
) -> dict[str, Any]:
    """Create one server on its host; report an error, and raise none."""
    # Nobody else knows the id, so nobody else can use the offer.
    request_id = oslo_context.generate_request_id()
    offer = offer_signing.sign(
        request_id, context.project_id, chosen.host, chosen.nodename,
        offer_signing.compute_expiry(),
    )
    try:
        body = request.body(number, {HINT: offer})
        return {'host': chosen.host, 'id': api.create(body, request_id)}
    except SchedulingError as error:
        return {'host': chosen.host, 'error': str(error)}
