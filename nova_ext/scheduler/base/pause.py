"""Let requests go first."""

import time

#: A thread that sleeps for less takes the interpreter back before another one
#: wakes up. It then waits until the first has worked for 5 ms
#: (``sys.getswitchinterval``), or is done.
_PAUSE_S = 0.0003


def pause() -> None:
    """Let another thread or greenlet run that waits for this one.

    Called between parts of work that nobody waits for, each about 1 ms long.
    """
    time.sleep(_PAUSE_S)
