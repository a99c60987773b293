"""Serve metrics to Prometheus: one host's decisions, the cloud's answers."""

import contextlib
import datetime
import logging
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    start_http_server,
)
from prometheus_client.registry import Collector

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.decision.fallback import Fallback
from nova_ext.record import diagnoses, reader
from nova_ext.record.tail import Follower

#: Seconds between two looks at the record.
LOOK_S = 1.0
#: Upper bounds in seconds; a decision takes 0.05 s on few hosts, and seconds
#: on thousands.
BUCKETS = (.005, .01, .025, .05, .1, .25, .5, 1.0, 2.5, 5.0, 10.0, 30.0)

LOG = logging.getLogger(__name__)


def serve(
    record: Path | None, answers: Collector | None, address: str, port: int,
    ready: Callable[[int], None], end: threading.Event,
) -> None:
    """Count decisions from now on, and answer Prometheus, until the end.

    :param record: the current file; it may be absent as yet. None: no
        decisions are counted.
    :param answers: of the cloud; None: nobody asks it.
    :param port: 0: any that is free.
    :param ready: called with the port once it is listened on.
    :param end: set to end it.
    :raises NovaExtError: where nothing can be listened on.
    """
    registry = CollectorRegistry()
    if answers is not None:
        registry.register(answers)
    try:
        follow = record and _Following(record, registry).follow
        server, thread = start_http_server(port, address, registry)
    except OSError as error:
        subject = error.filename or f'{address}:{port}'
        raise NovaExtError(f'{subject}: {error.strerror or error}') from error
    try:
        ready(server.server_port)
        while not end.wait(LOOK_S):
            if follow:
                follow()
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Following:
    """Count what is written to a record from now on.

    :raises OSError: where its folder can't be read.
    """

    def __init__(self, record: Path, registry: CollectorRegistry) -> None:
        self._record = record
        self._metrics = DecisionMetrics(registry)
        self._follower = Follower(record)
        self._follower.skip()
        self._is_readable = True

    def follow(self) -> None:
        """Count what is new."""
        try:
            for line in self._follower.lines():
                self._metrics.add(line)
            self._is_readable = True
        except OSError as error:
            if self._is_readable:
                LOG.warning('%s can\'t be read: %s', self._record, error)
            self._is_readable = False


class DecisionMetrics:
    """Count the decisions of a record's lines.

    :param registry: where the metrics are registered.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        counter = partial(Counter, registry=registry)
        histogram = partial(Histogram, buckets=BUCKETS, registry=registry)
        self._decisions = counter(
            'nova_ext_decisions', 'Decisions by how they ended.',
            ['outcome', 'driver'],
        )
        self._seconds = histogram(
            'nova_ext_decision_seconds', 'How long decisions took.', ['driver']
        )
        self._stages = histogram(
            'nova_ext_stage_seconds', 'How long each stage took.', ['stage'],
        )
        self._rejected = counter(
            'nova_ext_hosts_rejected',
            'Hosts that a filter, a driver or the request took out.',
            ['kind', 'name'],
        )
        self._emptied = counter(
            'nova_ext_no_candidate',
            'Decisions for which placement answered that it has no host.',
        )
        self._refused = counter(
            'nova_ext_claims_refused',
            'Claims that placement refused; the next host is tried then.',
        )
        self._dropped = counter(
            'nova_ext_decisions_dropped',
            'Decisions that the scheduler could not record.',
        )
        self._unreadable = counter(
            'nova_ext_record_unreadable_lines',
            'Lines of the record that are no decision.',
        )
        self._compared = counter(
            'nova_ext_mirror_compared',
            'Rankings of Nova that were compared with the mirror\'s.',
        )
        self._differences = counter(
            'nova_ext_mirror_differences', 'Rankings that differed.',
        )
        self._mirrored = counter(
            'nova_ext_mirror_decided', 'Decisions made from the mirror.',
        )
        self._fallbacks = counter(
            'nova_ext_mirror_fallbacks',
            'Decisions that were left to Nova, or not compared.', ['reason'],
        )
        self._last = Gauge(
            'nova_ext_last_decision_timestamp_seconds',
            'When the newest decision began, in seconds since 1970.',
            registry=registry,
        )

    def add(self, line: bytes | None) -> None:
        """Count a line; see :meth:`Follower.lines`."""
        if line and (dropped := reader.DROPPED.fullmatch(line)):
            self._dropped.inc(int(dropped[1]))
        elif not line or not diagnoses.is_diagnosis(line):
            decision = reader.parse(line) if line else None
            if decision is None:
                self._unreadable.inc()
            else:
                self._add(decision)

    def _add(self, decision: Decision) -> None:
        driver = str(decision.by.get('driver', ''))
        self._decisions.labels(decision.outcome, driver).inc()
        self._seconds.labels(driver).observe(decision.seconds)
        for stage, seconds in decision.stages.items():
            self._stages.labels(stage).observe(seconds)
        for attempt in decision.attempts:
            for step in attempt.steps:
                gone = max(0, step.hosts_in - step.hosts_out)
                self._rejected.labels(step.kind, step.name).inc(gone)
        placement = decision.placement
        self._emptied.inc(placement is not None and placement.offers_none)
        self._refused.inc(
            sum(
                claim.answered and not claim.claimed and not claim.refusal
                for claim in decision.claims
            )
        )
        if (mirror := decision.mirror) is not None:
            self._compared.inc(mirror.compared)
            self._differences.inc(len(mirror.differences))
            self._mirrored.inc(mirror.decides and not mirror.fallback)
            if mirror.fallback:
                reason = Fallback.parse(mirror.fallback)
                self._fallbacks.labels(reason.value).inc()
        with contextlib.suppress(ValueError):
            began = datetime.datetime.fromisoformat(decision.at)
            self._last.set(began.timestamp())
