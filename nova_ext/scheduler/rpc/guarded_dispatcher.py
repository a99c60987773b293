"""Messages that reach no method, or break one, and must not fill the log."""

import logging
from typing import Any

import oslo_messaging as messaging

from nova_ext.scheduler.base.rate_limited_log import Seldom

LOG = logging.getLogger(__name__)


class Guarded:
    """A dispatcher of oslo.messaging's, whose failures are logged seldom.

    oslo.messaging itself would log each with a traceback, however long the
    message. Whoever waits for an answer is told as without it.
    """

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher
        self._refusals = Seldom(LOG)
        self._failures = Seldom(LOG)

    def dispatch(self, incoming: Any) -> Any:
        """Run the method that a message names."""
        try:
            return self._dispatcher.dispatch(incoming)
        except messaging.ExpectedException:
            raise
        except messaging.RPCDispatcherError as error:
            self._refusals.warning('A message is refused: %s', error)
            raise messaging.ExpectedException from error
        except Exception as error:
            self._failures.error('A message broke what it asked for', error)
            raise messaging.ExpectedException from error
