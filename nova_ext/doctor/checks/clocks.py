"""Check that the clocks of a cloud agree."""

import time

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import format_hosts, pluralize
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.cloud import SERVICES, ClockReading
from nova_ext.doctor.facts import CloudFacts
from nova_ext.doctor.model import Service

#: Maximum difference between clocks, in seconds.
TOLERANCE_S = 3.0
#: Seconds within which every service sends a heartbeat, if [DEFAULT]
#: report_interval is 10, the default.
ENOUGH_S = 15
_FIX = (
    'Have NTP set the clocks of these hosts and of nova-conductor\'s, which '
    'writes the heartbeats of computes.'
)


def check(facts: CloudFacts) -> Results:
    """Compare the APIs' dates, ours, and the services' heartbeats."""
    cloud = facts.cloud
    for service in SERVICES:
        cloud.look_at_clock(service)
    readings = cloud.clock_readings
    yield from _apis({
        name: readings[name] for name in SERVICES if name in readings
    })
    if 'compute' not in readings:
        yield Unchecked(
            'heartbeats', 'a Date header in the answers of compute'
        )
        return
    low, high = _ahead_of_us(readings['compute'])
    start = cloud.clock() + low
    with facts.progress.step('heartbeats'):
        first = last = facts.services_now()
        if facts.watch_s:
            time.sleep(facts.watch_s)
            last = facts.services_now()
    yield from _behind(first, last, start)
    yield from _ahead(last, cloud.clock() + high)
    if facts.watch_s < ENOUGH_S:
        yield Unchecked(
            'clocks that are behind, which only a new heartbeat shows',
            f'time to see one of each service: --watch {ENOUGH_S}',
        )


def _apis(readings: dict[str, ClockReading]) -> Results:
    spans = {
        name: _ahead_of_us(reading) for name, reading in readings.items()
    }
    if not spans:
        return
    last = max(spans, key=lambda name: spans[name][0])
    first = min(spans, key=lambda name: spans[name][1])
    apart = spans[last][0] - spans[first][1]
    if apart > TOLERANCE_S:
        yield DoctorFinding(
            'clock-apis', Severity.WARNING,
            f'the clock of {last} is ahead of that of {first} by '
            f'{apart:.0f} s or more',
            'Tokens are valid too long or not yet, and the order of log lines '
            'is unknown.',
            'Have NTP set the clocks of the API hosts.',
        )
        return
    low, high = max(span[0] for span in spans.values()), min(
        span[1] for span in spans.values()
    )
    if low > TOLERANCE_S or high < -TOLERANCE_S:
        word, apart = ('behind', low) if low > 0 else ('ahead', -high)
        yield DoctorFinding(
            'clock-here', Severity.INFO,
            f'this machine\'s clock is {word} by {apart:.0f} s or more',
            'Times in the records and logs of this machine don\'t match '
            'those of the cloud.',
            'Have NTP set the clock of this machine.',
        )


def _ahead(services: list[Service], now: float) -> Results:
    wrong = sorted(
        (service.updated_at - now, f'{service.binary} on {service.host}')
        for service in services if service.updated_at is not None
        and service.updated_at > now + TOLERANCE_S
    )
    if wrong:
        yield DoctorFinding(
            'clock-ahead', Severity.ERROR,
            f'{pluralize(len(wrong), "service")} with a heartbeat up to '
            f'{wrong[-1][0]:.0f} s ahead of nova-api\'s clock',
            'Nova considers a service down if its heartbeat is further away '
            'than service_down_time, in the past or in the future. A service '
            'that died appears up for that much longer.',
            _FIX,
            format_hosts([name for _, name in reversed(wrong)]),
        )


def _behind(
    before: list[Service], after: list[Service], start: float
) -> Results:
    """Find heartbeats that are new, and older than our start."""
    known = {service.id: service.updated_at for service in before}
    wrong = sorted(
        (start - service.updated_at, f'{service.binary} on {service.host}')
        for service in after if service.updated_at is not None
        and service.updated_at != known.get(service.id)
        and service.updated_at < start - TOLERANCE_S
    )
    if wrong:
        yield DoctorFinding(
            'clock-behind', Severity.ERROR,
            f'{pluralize(len(wrong), "service")} with a new heartbeat up to '
            f'{wrong[-1][0]:.0f} s behind nova-api\'s clock',
            'Nova considers a service down if its heartbeat is older than '
            'service_down_time. These services reach that age early.',
            _FIX,
            format_hosts([name for _, name in reversed(wrong)]),
        )


def _ahead_of_us(reading: ClockReading) -> tuple[float, float]:
    """Return the least and the most seconds that a clock is ahead of ours.

    A Date header lacks the fraction of its second.
    """
    return (
        reading.served - reading.received, reading.served + 1 - reading.sent
    )
