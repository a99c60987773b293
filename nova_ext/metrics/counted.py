"""Decisions, counted as Prometheus wants them."""

import contextlib
import datetime

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from nova_ext.core.decision.decision import Decision
from nova_ext.record import findings, reader

#: Upper bounds in seconds; a decision takes 0.05 s on few hosts, and seconds
#: on thousands.
BUCKETS = (.005, .01, .025, .05, .1, .25, .5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Counted:
    """Counts lines of a record.

    :param registry: where the metrics are registered.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self._decisions = Counter(
            'nova_ext_decisions', 'Decisions by how they ended.',
            ['outcome', 'driver'], registry=registry,
        )
        self._seconds = Histogram(
            'nova_ext_decision_seconds', 'How long decisions took.',
            ['driver'], buckets=BUCKETS, registry=registry,
        )
        self._stages = Histogram(
            'nova_ext_stage_seconds', 'How long each stage took.',
            ['stage'], buckets=BUCKETS, registry=registry,
        )
        self._rejected = Counter(
            'nova_ext_hosts_rejected',
            'Hosts that a filter, a driver or the request took out.',
            ['kind', 'name'], registry=registry,
        )
        self._emptied = Counter(
            'nova_ext_no_candidate',
            'Decisions for which placement answered that it has no host.',
            registry=registry,
        )
        self._refused = Counter(
            'nova_ext_claims_refused',
            'Claims that placement refused; the next host is tried then.',
            registry=registry,
        )
        self._dropped = Counter(
            'nova_ext_decisions_dropped',
            'Decisions that the scheduler could not record.',
            registry=registry,
        )
        self._unreadable = Counter(
            'nova_ext_record_unreadable_lines',
            'Lines of the record that are no decision.', registry=registry,
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
        elif not line or not findings.is_finding(line):
            decision = reader.read(line) if line else None
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
            sum(not claim.claimed for claim in decision.claims)
        )
        with contextlib.suppress(ValueError):
            began = datetime.datetime.fromisoformat(decision.at)
            self._last.set(began.timestamp())
