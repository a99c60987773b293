"""Let requests go first."""

import threading
import time

#: A thread that sleeps for less takes the interpreter back before another one
#: wakes up. It then waits until the first has worked for 5 ms
#: (``sys.getswitchinterval``), or is done.
_PAUSE_S = 0.0003
#: Seconds of work between two pauses, at least.
_WORK_S = 0.001

_last = threading.local()


def pause() -> None:
    """Let another thread or greenlet run that waits for this one.

    Called between parts of work that nobody waits for. Nothing happens where
    the last pause was a moment ago.
    """
    if time.monotonic() - getattr(_last, 'ended_at', 0.0) >= _WORK_S:
        time.sleep(_PAUSE_S)
        _last.ended_at = time.monotonic()
