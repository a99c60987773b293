"""Let boots go before simulations in one worker."""

import contextlib
import threading
import time
from collections.abc import Iterator


class Precedence:
    """Count the boots under way, and hold up what gives way to them.

    :ivar begun: number of boots that ever began.
    """

    def __init__(self) -> None:
        self.begun = 0
        self._boots = 0
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def go_first(self) -> Iterator[None]:
        """Hold up simulations inside."""
        with self._changed:
            self._boots += 1
            self.begun += 1
        try:
            yield
        finally:
            with self._changed:
                self._boots -= 1
                self._changed.notify_all()

    def give_way(self, at_most_s: float) -> float:
        """Wait until no boot is under way.

        :param at_most_s: seconds after which to go on all the same.
        :returns: the seconds that it waited.
        """
        if not self._boots or at_most_s <= 0:
            return 0.0
        began = time.monotonic()
        with self._changed:
            self._changed.wait_for(lambda: not self._boots, at_most_s)
        return time.monotonic() - began


#: Boots of this process.
BOOTS = Precedence()
