"""Whether a scheduler answers, which is more than that its process runs."""

import threading
import time

import oslo_messaging as messaging
from nova import context, rpc
from nova.scheduler import rpcapi

from nova_ext.core import errors
from nova_ext.scheduler.options import CONF

#: Seconds that one call waits for its answer.
_CALL_S = 2


def wait(timeout_s: float) -> None:
    """Wait until a scheduler of this host answers Nova's own ping.

    :param timeout_s: seconds to wait at most.
    :raises NovaExtError: when none has answered by then.
    """
    answered = threading.Event()
    # oslo.messaging waits for an absent broker without end.
    threading.Thread(
        target=_ask, args=(answered, time.monotonic() + timeout_s),
        daemon=True,
    ).start()
    if not answered.wait(timeout_s):
        raise errors.NovaExtError(
            f'the scheduler of host {CONF.host} has not answered for '
            f'{timeout_s} s; its log says why'
        )


def _ask(answered: threading.Event, deadline: float) -> None:
    client = rpc.get_client(messaging.Target(
        topic=rpcapi.RPC_TOPIC, server=CONF.host, namespace='baseapi',
        version='1.0',
    ))
    while time.monotonic() < deadline:
        try:
            client.prepare(timeout=_CALL_S).call(
                context.get_admin_context(), 'ping', arg='nova-ext'
            )
        except messaging.MessagingTimeout:
            continue
        answered.set()
        return
