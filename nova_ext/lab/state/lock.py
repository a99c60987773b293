"""One command at a time changes a lab."""

import contextlib
from collections.abc import Iterator

import fasteners

from nova_ext.core.base.progress import Progress
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import Place

_PATIENCE_S = 600


@contextlib.contextmanager
def held(place: Place, progress: Progress) -> Iterator[None]:
    """Hold the lab's lock; the system frees it if the command dies.

    :raises LabError: when another command keeps it too long.
    """
    place.lock_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = fasteners.InterProcessLock(place.lock_file)
    if not lock.acquire(blocking=False):
        with progress.step(f'waiting for another command on {place.name}'):
            if not lock.acquire(timeout=_PATIENCE_S):
                raise LabError(
                    f'another command still changes lab {place.name}'
                )
    try:
        yield
    finally:
        lock.release()
