"""Hand decisions to a thread, which writes them to the journal."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from nova_ext.core.base.mode import Mode
from nova_ext.journal.writer import JournalLimits, JournalWriter
from nova_ext.record.writer import Make, WriteQueue, Writer
from nova_ext.scheduler.base import options
from nova_ext.scheduler.journal import inputs, process_facts
from nova_ext.scheduler.journal.host_values import HostPacker

#: Greatest size of one file, in MiB: a reader has it in memory.
MAX_FILE_MB = 64


class _JournalQueue(WriteQueue):
    """Hold one process's queue, thread and file of the journal."""

    written = 'written to the journal'
    thread_name = 'nova-ext-journal'
    _writer: JournalWriter | None = None

    def _record(self, make: Make) -> None:
        decision: Any = make()
        if decision is None:
            return
        self._writer = self._writer or _make_writer()
        self._writer.write(decision)
        self._write_drops()

    def _write_drops(self) -> None:
        if (count := self._drops.unwritten) and self._writer is not None:
            self._writer.write_loss(count, str(self._drops.last))
            self._drops.subtract(count)


class _QueuedWriter(Writer):
    queue_class = _JournalQueue


class Journal:
    """Write the journal of this process.

    :ivar packer: packs host states; used in the writer's thread alone.
    """

    def __init__(self) -> None:
        self._writer = _QueuedWriter(options.CONF)
        self._describing: tuple[Any, ...] = (Mode.SCHEDULER, (), (), '')
        self.packer = HostPacker()
        self._last_id = 0

    def set_plugins(
        self, mode: Mode, filters: Sequence[Any], weighers: Sequence[Any],
        driver: str = '',
    ) -> None:
        """Set what decides: the classes of filters and weighers."""
        self._describing = mode, filters, weighers, driver

    def describe(self) -> dict[str, Any]:
        """Return what a file says of the process."""
        return process_facts.describe(*self._describing)

    def count(self) -> int:
        """Return the number of the next decision; in the writer's thread."""
        self._last_id += 1
        return self._last_id

    def put(self, make: Any, hosts: int) -> None:
        """Write a decision; return at once, never raise.

        :param make: returns a PackedDecision, in the writer's thread.
        :param hosts: how many host states it holds until then.
        """
        self._writer.put(make, hosts)

    def flush(self, timeout_s: float) -> bool:
        """Wait until all is written; say whether it is."""
        return self._writer.flush(timeout_s)

    def close(self, timeout_s: float) -> int:
        """Write what waits, and end the thread; see :meth:`Writer.close`."""
        return self._writer.close(timeout_s)


def _make_writer() -> JournalWriter:
    options.register('nova_ext_journal')
    conf = options.CONF.nova_ext_journal
    return JournalWriter(
        Path(conf.directory), options.CONF.host, JournalLimits(
            max(1, min(MAX_FILE_MB, conf.max_size_mb // 8)),
            conf.max_mb_per_day, conf.max_size_mb, conf.max_age_days,
        ), get().describe,
    )


def get_down_after_s() -> float | None:
    """Return [DEFAULT] service_down_time; None: there are no heartbeats."""
    if not inputs.counts_heartbeats():
        return None
    return float(options.CONF.service_down_time)


@cache
def get() -> Journal:
    """Return the journal of this process; the first call sets it up."""
    return Journal()
