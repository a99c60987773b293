"""Close a stock nova-scheduler's requests soon after Nova has ended them.

Nova tells no filter or weigher that a request has ended. So a thread looks
whether Nova still runs the method that began with the request spec. It runs
only while a request is open, and until the record is written.

Nova does not tell them that the process ends, either. Nova 34 waits at its
end for its pools of threads, so the thread is one of these. In Nova 31 with
one worker Python ends the process. With several nobody waits.
"""

import atexit
import functools
import sys
import threading
import time
import weakref
from contextvars import ContextVar
from dataclasses import dataclass
from types import FrameType
from typing import Any

from nova_ext.record.writer import EXIT_S
from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.plugins.plugin_mode.request import PluginModeRequest

#: Seconds between two looks.
INTERVAL_S = 0.2
#: Seconds after which a plugin that still runs is recorded as one that does
#: not end.
GIVE_UP_S = 60.0

#: What the methods of Nova's scheduler manager call their request spec,
#: select_destinations and those below it.
_NAME = 'spec_obj'


@dataclass(frozen=True)
class _Entry:
    """Represent an open request, and the frame that runs it.

    :param frame: of the outermost method that has the request spec.
    """

    request: PluginModeRequest
    frame: FrameType | None

    def is_running(self) -> bool:
        """Say whether Nova has neither answered the request nor failed it.

        Python refuses to clear a frame that runs, in whatever thread or
        greenlet. Of one that has ended, nobody needs the variables any more.
        Do not walk the stacks of all threads instead: on Python 3.11.7 Nova
        once stood still in that for good (ADR 3).
        """
        try:
            if self.frame is not None:
                self.frame.clear()
        except RuntimeError:
            return True
        return False


_lock = threading.Lock()
_entries: list[_Entry] = []
_watching = False
_own: ContextVar[Any] = ContextVar('nova_ext_request', default=None)


def get_own() -> PluginModeRequest | None:
    """Return this thread's open request."""
    reference = _own.get()
    request: PluginModeRequest | None = reference() if reference else None
    return None if request is None or request.closed else request


def add(request: PluginModeRequest) -> None:
    """Add a request of this thread; it is closed when it has ended."""
    global _watching
    _end_with_python()
    _own.set(weakref.ref(request))
    entry = _Entry(request, _find_frame(request.spec))
    with _lock:
        _entries.append(entry)
        if not _watching:
            _start_watching()
            _watching = True


def count() -> int:
    """Return how many requests are open."""
    with _lock:
        return len(_entries)


def _find_frame(spec: Any) -> FrameType | None:
    """Return the outermost frame of this stack that has a request spec."""
    outermost = None
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        code = frame.f_code
        if _NAME in (*code.co_varnames, *code.co_cellvars) and (
            frame.f_locals.get(_NAME) is spec
        ):
            outermost = frame
        frame = frame.f_back
    return outermost


def _start_watching() -> None:
    try:
        from nova import thread_pool_factory as pools  # Nova 34

        pools.get_executor(pools.ExecutorType.DEFAULT).submit(_watch)
    except (ImportError, RuntimeError):  # or Nova has begun to end
        threading.Thread(
            target=_watch, name='nova-ext-open-requests', daemon=True
        ).start()


def _watch() -> None:
    """Close requests that have ended, until none is open."""
    global _watching
    while True:
        time.sleep(INTERVAL_S)
        _close_ended()
        if not count():
            best_effort(_write)()
            with _lock:
                if not _entries:
                    _watching = False
                    return


def _close_ended() -> None:
    with _lock:
        entries = list(_entries)
    for entry in entries:
        best_effort(entry.request.give_up)(GIVE_UP_S)
        if entry.request.closed or not entry.is_running():
            best_effort(entry.request.close)()
            with _lock:
                if entry in _entries:  # or another thread has closed it
                    _entries.remove(entry)


def _write() -> None:
    """Wait until what was recorded is written."""
    recorder.get().flush(EXIT_S)
    if options.CONF.nova_ext.journal:
        from nova_ext.scheduler.journal import journal

        journal.get().flush(EXIT_S)


@functools.cache
def _end_with_python() -> None:
    """Have the last requests recorded where Python ends the process."""
    atexit.register(_write)
    atexit.register(_close_ended)
