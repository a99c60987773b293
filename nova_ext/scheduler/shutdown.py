"""End what a worker of nova-ext-scheduler has started, in order and in time.

On SIGTERM Nova ends its own requests first. When it calls the manager, and
how long it waits, differs by release: ``contributor/architecture`` says it.
The order is:

#. ``stop_serving`` comes before Nova waits for its requests. From then on
   nova-ext's RPC server takes no further message, and answers those in hand.
#. Nova's requests end. They still use the mirror.
#. ``end`` tells the mirror's threads to end, and waits ``THREADS_S`` for them
   and the RPC server. What is lost beyond it: answers to simulations and other
   questions, whose callers' calls time out.
#. The diagnosis thread drops what waits, and has ``DIAGNOSIS_S`` for what it
   asks placement. What is lost: diagnoses. Their decisions are recorded.
#. The record and the journal write what waits, in ``WRITE_S`` each. What is
   lost beyond it: decisions. A warning counts them.

Whatever has not ended by then is cut off: all threads are daemons. Lines of
the record and frames of the journal are written whole, each by one call.
SIGINT and SIGKILL end the process at once, and what waits is lost.

Nova 34 keeps 20 seconds of ``manager_shutdown_timeout`` for what comes after
its requests. The limits add up to less.

In a stock nova-scheduler, Nova calls nothing of nova-ext's:
``plugins/plugin_mode/open_requests.py`` has that end.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec

from nova_ext.scheduler.base import options
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.completion import recorder

#: Seconds for the RPC server and the mirror's threads.
THREADS_S = 5.0
#: Seconds for a diagnosis that is under way.
DIAGNOSIS_S = 2.0
#: Seconds for the record, and for the journal.
WRITE_S = 5.0

P = ParamSpec('P')

LOG = logging.getLogger(__name__)


def stop_serving(server: Any) -> list[threading.Thread]:
    """Have nova-ext's RPC server take no further message.

    :param server: oslo.messaging's; None: it was not started.
    :returns: the thread that waits for what the server has in hand.
    """
    if server is None:
        return []

    def stop() -> None:
        server.stop()
        server.wait()

    # oslo.messaging bounds neither, and a broker may be away.
    thread = threading.Thread(
        target=best_effort(stop, 'nova-ext\'s RPC server did not %s'),
        name='nova-ext-rpc-end', daemon=True,
    )
    thread.start()
    return [thread]


def end(serving: Iterable[threading.Thread], mirror: Any) -> None:
    """End the rest, once Nova's requests have ended.

    :param serving: what :func:`stop_serving` returned.
    :param mirror: None: there is none.
    """
    _stop_threads(serving, mirror)
    _stop_diagnoses()
    _write_record()
    _write_journal()


def _step(function: Callable[P, None]) -> Callable[P, None]:
    """Have the next step follow, whatever this one raises."""
    return best_effort(function, 'The end goes on after an error in %s')


@_step
def _stop_threads(serving: Iterable[threading.Thread], mirror: Any) -> None:
    reading = mirror.stop() if mirror is not None else []
    _wait_for([*reading, *serving], THREADS_S)


@_step
def _stop_diagnoses() -> None:
    _wait_for(recorder.get().stop_diagnoses(), DIAGNOSIS_S)


@_step
def _write_record() -> None:
    _write('record', recorder.get().close)


@_step
def _write_journal() -> None:
    if options.CONF.nova_ext.journal:
        from nova_ext.scheduler.journal import journal

        _write('journal', journal.get().close)


def _wait_for(threads: Iterable[threading.Thread], limit_s: float) -> None:
    """Wait until threads have ended, or until the limit is reached."""
    ends = time.monotonic() + limit_s
    running = [thread for thread in threads if thread.is_alive()]
    for thread in running:
        thread.join(max(0.0, ends - time.monotonic()))
    left = [thread.name for thread in running if thread.is_alive()]
    if left:
        LOG.warning(
            'Not ended within %g s, and cut off: %s', limit_s, ', '.join(left)
        )


def _write(name: str, close: Callable[[float], int]) -> None:
    if left := close(WRITE_S):
        LOG.warning(
            'The %s lacks %d decisions: they were not written within %g s',
            name, left, WRITE_S,
        )
