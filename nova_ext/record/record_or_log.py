"""Find decisions in the record, and where there is none, in the log.

A stock nova-scheduler records no request that ends before its filters. Where
its configuration names a log file, that is read without being asked for.
"""

from collections.abc import Sequence
from pathlib import Path

from nova_ext.core.base.errors import RecordError
from nova_ext.record import location, reader, stock_log
from nova_ext.record.reader import SearchResult


def find(
    record: Path | None, wanted: str, config_files: Sequence[str] = (),
    config_dirs: Sequence[str] = (),
) -> SearchResult:
    """Find the decisions about a server or a request.

    :param record: the current file of the record; None: find it, and the
        log, in nova-scheduler's configuration.
    :param wanted: a server's UUID or a request id.
    :param config_files: that nova-scheduler is started with, as for
        config_dirs.
    :returns: at least one decision.
    :raises RecordError: where neither has one; it speaks of the record.
    """
    if record is not None:
        return reader.find(record, wanted)
    path = location.find_record(config_files, config_dirs)
    try:
        return reader.find(path, wanted)
    except RecordError as error:
        log = location.find_log(config_files, config_dirs)
        result = _find_in_log(log, wanted)
        if result is None:
            raise
        result.remarks.append(f'read from the log {log}, as {error}')
        return result


def _find_in_log(log: Path | None, wanted: str) -> SearchResult | None:
    if log is None or not log.is_file():
        return None
    try:
        return stock_log.find(str(log), wanted)
    except RecordError:
        return None
