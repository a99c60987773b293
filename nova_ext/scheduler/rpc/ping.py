"""Whether a scheduler answers, which is more than that its process runs."""

import time

import oslo_messaging as messaging
from nova import context, rpc
from nova.scheduler import rpcapi

from nova_ext.client.deadline import Deadline
from nova_ext.core.base import errors
from nova_ext.scheduler.base.options import CONF

#: Seconds that one call waits for its answer.
_CALL_S = 2


def wait(timeout_s: float) -> None:
    """Wait until a scheduler of this host answers Nova's own ping.

    :param timeout_s: seconds to wait at most.
    :raises NovaExtError: when none has answered by then, or can be asked.
    """
    ends = time.monotonic() + timeout_s
    try:
        Deadline().within(timeout_s, lambda: _ask(ends))
    except messaging.MessagingTimeout:
        raise errors.NovaExtError(
            f'the scheduler of host {CONF.host} has not answered for '
            f'{timeout_s} s; its log says why'
        ) from None
    except Exception as error:
        raise errors.NovaExtError(
            f'the scheduler of host {CONF.host} can\'t be asked: '
            f'{type(error).__name__}: {error}'
        ) from error


def _ask(ends: float) -> None:
    """Ask until a scheduler answers, or it is time to end."""
    client = rpc.get_client(messaging.Target(
        topic=rpcapi.RPC_TOPIC, server=CONF.host, namespace='baseapi',
        version='1.0',
    ))
    while True:
        try:
            client.prepare(timeout=_CALL_S).call(
                context.get_admin_context(), 'ping', arg='nova-ext'
            )
            return
        except messaging.MessagingTimeout:
            if time.monotonic() > ends:
                raise
