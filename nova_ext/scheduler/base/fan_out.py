"""Send a message to all workers of nova-ext-scheduler."""

from typing import Any

import oslo_messaging as messaging
from nova import rpc

from nova_ext.client import wire


def cast(context: Any, method: str, **arguments: Any) -> None:
    """Send it; wait for no answer.

    :param method: of nova-ext's topic. The worker that sends gets it, too.
    """
    client = rpc.get_client(messaging.Target(
        topic=wire.TOPIC, version=wire.VERSION, fanout=True
    ))
    client.cast(context, method, **arguments)
