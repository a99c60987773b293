"""Find what keeps the facts of the request that runs in this thread."""

from typing import Any

from nova_ext.scheduler.cycle import cycle


def get_journaled() -> Any:
    """Return the running cycle's JournaledRequest; None: there is none."""
    current = cycle.get_current()
    return None if current is None else current.journaled
