"""Count the decisions that could not be recorded, and warn of them."""

import datetime
import json
import logging
import threading
import time

from nova_ext.core.decision.decision import VERSION

#: Seconds between two warnings.
WARN_INTERVAL_S = 60.0

LOG = logging.getLogger(__name__)


class Drops:
    """Count decisions; the scheduler's threads and the writer's own do.

    :param written: what they could not be, as the warning has it.
    """

    def __init__(self, written: str) -> None:
        self._written = written
        self._lock = threading.Lock()
        self.unwritten = 0
        self._unwarned = 0
        self._warned_at = float('-inf')
        self.last: object = ''

    def add(self, why: object) -> None:
        """Count a decision; warn if it is time."""
        if isinstance(why, Exception):
            # Its traceback would keep the decision.
            why = f'{type(why).__name__}: {why}'
        with self._lock:
            self.unwritten += 1
            self._unwarned += 1
            self.last = why
        if not self.warn_in_s():
            self.warn()

    def subtract(self, count: int) -> None:
        """Take off decisions that the record counts now."""
        with self._lock:
            self.unwritten -= count

    def warn_in_s(self) -> float | None:
        """Return the seconds until a warning is due; None: none is."""
        if not self._unwarned:
            return None
        due = self._warned_at + WARN_INTERVAL_S
        return max(0.0, due - time.monotonic())

    def warn(self) -> None:
        """Warn of the decisions dropped since the last warning."""
        with self._lock:
            count, self._unwarned = self._unwarned, 0
            self._warned_at = time.monotonic()
            why = self.last
        if count:
            LOG.warning(
                '%d decisions could not be %s, the last because of '
                '%s; scheduling goes on', count, self._written, why,
            )


def encode_drops(count: int) -> bytes:
    """Return the line that counts decisions missing before it."""
    now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
    line = {
        'version': VERSION,
        'at': now.isoformat(timespec='milliseconds') + 'Z',
        'dropped': count,
    }
    return json.dumps(line, separators=(',', ':')).encode() + b'\n'
