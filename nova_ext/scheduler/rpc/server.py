"""Make the RPC server of nova-ext-scheduler, on a topic of its own."""

import logging
from collections.abc import Container
from typing import Any

import oslo_messaging as messaging
from nova import rpc
from oslo_messaging import opts

from nova_ext.client import wire
from nova_ext.core.base.errors import FAILURES
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.rpc.endpoint import SchedulerEndpoint
from nova_ext.scheduler.rpc.exposed import list_call_methods
from nova_ext.scheduler.rpc.mirror_endpoint import MirrorEndpoint

LOG = logging.getLogger(__name__)


class RateLimitedDispatcher:
    """Dispatch messages; log those that fail, but rarely.

    oslo.messaging itself would log each with a traceback, however long the
    message. Callers get the same errors as without it.

    :param dispatcher: oslo.messaging's.
    :param calls: names of methods that run only where a caller waits for the
        answer. A message by fan-out would have all workers run them, for
        nobody.
    """

    def __init__(
        self, dispatcher: Any, calls: Container[str] = frozenset()
    ) -> None:
        self._dispatcher = dispatcher
        self._calls = calls
        self._refusals = RateLimitedLog(LOG)
        self._failures = RateLimitedLog(LOG)

    def dispatch(self, incoming: Any) -> Any:
        """Run the method that a message names."""
        try:
            method = incoming.message.get('method')
            if method in self._calls and not _has_caller(incoming):
                raise messaging.RPCDispatcherError(
                    f'{method} was cast; it can only be called'
                )
            return self._dispatcher.dispatch(incoming)
        except messaging.ExpectedException:
            raise
        except messaging.RPCDispatcherError as error:
            self._refusals.warning('A message is refused: %s', error)
            raise messaging.ExpectedException from error
        except FAILURES as error:
            self._failures.error('A message raised an error', error)
            raise messaging.ExpectedException from error


def _has_caller(incoming: Any) -> bool:
    """Say whether a caller waits for the answer to a message."""
    # Drivers of oslo.messaging know it by an id or by a queue.
    return any(
        getattr(incoming, name, None)
        for name in ('msg_id', 'reply_q', '_reply_q')
    )


def count_threads() -> int:
    """Return how many messages a server of oslo.messaging runs at a time."""
    # A server registers its options when it is made.
    options.CONF.register_opts(dict(opts.list_opts())[None])
    return options.CONF.executor_thread_pool_size


def make_server(
    host: str, endpoint: SchedulerEndpoint, mirror_endpoint: MirrorEndpoint
) -> Any:
    """Make the RPC server of one scheduler worker; it is not started yet.

    :param host: the name of the scheduler's host.
    :returns: oslo.messaging's server; its threads are not those of Nova's.
    """
    endpoints = [endpoint, mirror_endpoint]
    server = rpc.get_server(
        messaging.Target(topic=wire.TOPIC, server=host), endpoints
    )
    # Otherwise a message may name any public attribute, as ``target``.
    server.dispatcher.access_policy = messaging.ExplicitRPCAccessPolicy()
    server.dispatcher = RateLimitedDispatcher(
        server.dispatcher, list_call_methods(endpoints)
    )
    return server
