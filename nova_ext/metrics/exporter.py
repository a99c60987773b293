"""Serves the metrics of one host's record."""

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from prometheus_client import CollectorRegistry, start_http_server

from nova_ext.core.base.errors import NovaExtError
from nova_ext.metrics.counted import Counted
from nova_ext.record.tail import Follower

#: Seconds between two looks at the record.
LOOK_S = 1.0

LOG = logging.getLogger(__name__)


def serve(
    record: Path, address: str, port: int, ready: Callable[[int], None],
    end: threading.Event,
) -> None:
    """Count decisions from now on, and answer Prometheus, until the end.

    :param record: the current file; it may be absent as yet.
    :param port: 0: any that is free.
    :param ready: called with the port once it is listened on.
    :param end: set to end it.
    :raises NovaExtError: where nothing can be listened on.
    """
    registry = CollectorRegistry()
    counted, follower = Counted(registry), Follower(record)
    try:
        follower.skip()
        server, thread = start_http_server(port, address, registry)
    except OSError as error:
        what = error.filename or f'{address}:{port}'
        raise NovaExtError(f'{what}: {error.strerror or error}') from error
    try:
        ready(server.server_port)
        readable = True
        while not end.wait(LOOK_S):
            try:
                for line in follower.lines():
                    counted.add(line)
                readable = True
            except OSError as error:
                if readable:
                    LOG.warning('%s can\'t be read: %s', record, error)
                readable = False
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
