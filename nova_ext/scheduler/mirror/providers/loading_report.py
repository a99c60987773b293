"""Log how far the first reading of placement's providers is."""

import time

from oslo_log import log

LOG = log.getLogger(__name__)

#: Seconds between two log lines.
_REPORT_S = 10


class LoadingReport:
    """Report on one first reading.

    :param count: how many providers are to be read.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._began = self._reported = time.monotonic()

    def is_to_report(self) -> bool:
        """Say whether a line is due."""
        return time.monotonic() - self._reported >= _REPORT_S

    def report(self, left: int) -> None:
        """Log how many are left, if it is time for it."""
        read, now = self._count - left, time.monotonic()
        if left and read > 0 and self.is_to_report():
            self._reported = now
            LOG.info(
                'The mirror reads providers: %d of %d, about %d s left',
                read, self._count, (now - self._began) / read * left,
            )
        elif not left:
            LOG.info(
                'The mirror has read %d providers in %.1f s', self._count,
                now - self._began,
            )
