"""Count what a worker's mirror did."""

import threading
from collections import Counter
from typing import Any

from nova_ext.core.decision.decision import MirrorCheck


class Activity:
    """Count requests, from any thread, since the worker began."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._decided = self._verified = self._differing = 0
        self._fallbacks: Counter[str] = Counter()

    def add(self, check: MirrorCheck) -> None:
        """Count one request."""
        with self._lock:
            if check.fallback:
                self._fallbacks[check.fallback] += 1
            elif check.decides:
                self._decided += 1
            elif check.compared:
                self._verified += 1
            self._differing += bool(check.differences)

    def describe(self) -> dict[str, Any]:
        """Return the numbers of requests.

        :returns: ``decided`` from the mirror; ``verified``: decided by Nova
            and compared; ``differing``: of those, where a decision differed;
            ``fallbacks``: left to Nova, by the reason's id.
        """
        with self._lock:
            return {
                'decided': self._decided, 'verified': self._verified,
                'differing': self._differing,
                'fallbacks': dict(self._fallbacks),
            }
