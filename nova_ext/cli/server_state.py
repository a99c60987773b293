"""What the cloud tells of a server: its state and one of its actions."""

import logging
import os
from collections.abc import Callable
from typing import Any

from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import server_outcome
from nova_ext.core.explanation.text_format import REASON, clean

#: Nova shows an event's host from 2.62 on and its details from 2.84 on.
MICROVERSION = '2.84'

#: Either says that the environment names a cloud.
CLOUD = ('OS_CLOUD', 'OS_AUTH_URL')


def is_reachable() -> bool:
    """Whether the environment names a cloud to ask."""
    return any(os.environ.get(name) for name in CLOUD)


def compute() -> Any:
    """The compute API of the cloud that the environment names.

    :raises Exception: of many kinds, when it can't be had.
    """
    # Takes two seconds to import.
    import openstack

    logging.getLogger('keystoneauth').setLevel(logging.ERROR)
    return openstack.connect().compute


def after(
    decision: Decision, server: str, connect: Callable[[], Any]
) -> list[str]:
    """What came of a server; one line where the cloud does not tell.

    :param server: UUID; nothing is told of one that the decision is not
        about.
    :param connect: gives the compute API.
    """
    if server not in decision.servers:
        return []
    try:
        return server_outcome.told(
            decision, *_look_up(connect(), server, decision.request_id)
        )
    except Exception as error:
        why = clean(str(error) or type(error).__name__, REASON)
        return [f'the cloud does not tell what came of the server: {why}']


def _look_up(
    asked: Any, server: str, request_id: str
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """A server, and its action of one request.

    :param asked: the compute API.
    :returns: both as Nova's API shows them; None: it has no such action.
    :raises Exception: of many kinds, when the cloud does not tell.
    """
    found = asked.get(f'/servers/{server}', microversion=MICROVERSION)
    found.raise_for_status()
    action = asked.get(
        f'/servers/{server}/os-instance-actions/{request_id}',
        microversion=MICROVERSION,
    )
    if action.status_code == 404:
        return found.json()['server'], None
    action.raise_for_status()
    return found.json()['server'], action.json()['instanceAction']
