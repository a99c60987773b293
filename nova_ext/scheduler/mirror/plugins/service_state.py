"""Judge services as ComputeFilter does, by columns.

Each service reports every few seconds. So whether it is up is no column, but
when it was last seen.
"""

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nova.servicegroup.drivers import db
from oslo_utils import timeutils

from nova_ext.engine.filtering import Mask, Rows
from nova_ext.engine.host_columns import HostColumns
from nova_ext.scheduler.base import options

#: 1: an operator disabled the service, or forced it down.
OFF = 'service off'
#: When the service was last seen, in seconds since 1970.
SEEN = 'service seen'
_EPOCH = datetime.datetime(1970, 1, 1)


def _read_off(state: Any) -> float:
    service = state.service
    return float(bool(service['disabled'] or service.get('forced_down')))


def _read_seen(state: Any) -> float:
    # nova.servicegroup.drivers.db.DbDriver.is_up
    service = state.service
    return to_seconds(service.get('last_seen_up') or service['created_at'])


NUMBERS: Mapping[str, Callable[[Any], float]] = {
    OFF: _read_off, SEEN: _read_seen,
}


def to_seconds(time: datetime.datetime) -> float:
    """Return a time of Nova's database, which is UTC, as since 1970."""
    return (time.replace(tzinfo=None) - _EPOCH).total_seconds()


def is_up(state: Any, now_s: float) -> bool:
    """Say whether a host's service is enabled and up.

    :param now_s: seconds since 1970.
    """
    elapsed_s = now_s - _read_seen(state)
    return not _read_off(state) and (
        abs(elapsed_s) <= options.CONF.service_down_time
    )


def get_max_age_s() -> float:
    """Return for how many seconds after a reading services look up.

    One that is up was seen up to ``report_interval`` seconds before it. Some
    would look down then, and others not.
    """
    return float(options.CONF.service_down_time - options.CONF.report_interval)


def counts_heartbeats(compute_filter: Any) -> bool:
    """Say whether Nova's services report to the database."""
    driver = compute_filter.servicegroup_api._driver
    return type(driver) is db.DbDriver


@dataclass(frozen=True)
class ServiceFilter:
    """Judge by the columns of services.

    :param now_s: seconds since 1970.
    :param down_after_s: a service that was not seen for longer is down.
    """

    now_s: float
    down_after_s: float

    def judge(self, hosts: HostColumns, rows: Rows) -> Mask:
        """Say of each row whether its service is enabled and up."""
        elapsed_s = self.now_s - hosts.numbers[SEEN][rows]
        return (hosts.numbers[OFF][rows] == 0) & (
            abs(elapsed_s) <= self.down_after_s
        )


def tell_time() -> float:
    """Return the time of now, in seconds since 1970."""
    return to_seconds(timeutils.utcnow())


def make_filter() -> ServiceFilter:
    """Return the filter as of now."""
    return ServiceFilter(tell_time(), options.CONF.service_down_time)
