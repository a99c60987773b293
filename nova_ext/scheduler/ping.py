"""Whether a scheduler answers, which is more than that its process runs."""

import queue
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
    :raises NovaExtError: when none has answered by then, or can be asked.
    """
    answered: queue.Queue[Exception | None] = queue.Queue()
    # oslo.messaging waits for an absent broker without end.
    threading.Thread(
        target=_tell, args=(answered, time.monotonic() + timeout_s),
        daemon=True,
    ).start()
    try:
        error = answered.get(timeout=timeout_s)
    except queue.Empty:
        raise errors.NovaExtError(
            f'the scheduler of host {CONF.host} has not answered for '
            f'{timeout_s} s; its log says why'
        ) from None
    if error is not None:
        raise errors.NovaExtError(
            f'the scheduler of host {CONF.host} can\'t be asked: '
            f'{type(error).__name__}: {error}'
        )


def _tell(answered: queue.Queue[Exception | None], deadline: float) -> None:
    """Put None once a scheduler has answered, or why it can't be asked."""
    try:
        if _answers(deadline):
            answered.put(None)
    except Exception as error:
        answered.put(error)


def _answers(deadline: float) -> bool:
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
        return True
    return False
