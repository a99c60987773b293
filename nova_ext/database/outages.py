"""Work through outages of the database."""

import logging
import threading
import time
from collections.abc import Callable

from nova_ext.database.database import DatabaseError

LOG = logging.getLogger(__name__)


def repeat(
    work: Callable[[], None], interval_s: float, end: threading.Event
) -> None:
    """Call a function in every interval, whether the database works or not.

    The first error of an outage is logged, and the end of the outage.

    :param work: may take longer than the interval: then it is called again at
        once.
    :param end: set to end it.
    """
    failing = False
    while not end.is_set():
        began = time.monotonic()
        try:
            work()
        except DatabaseError as error:
            if not failing:
                LOG.warning('%s; trying again', error)
            failing = True
        else:
            if failing:
                LOG.warning('the database works again')
            failing = False
        end.wait(max(0.0, began + interval_s - time.monotonic()))
