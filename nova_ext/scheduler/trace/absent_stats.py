"""Group the stats that plugins read and did not get."""

from collections.abc import Mapping

from nova_ext.core.decision.decision import (
    Rejection,
    group_rejections,
    name_host,
)
from nova_ext.scheduler.base.host_states import HostKey


def group(absent: Mapping[tuple[HostKey, str], str]) -> list[Rejection]:
    """Return a group for each reason.

    :param absent: what continues the reason, by host and reason.
    """
    by_reason: dict[str, dict[str, str]] = {}
    for (key, reason), detail in absent.items():
        by_reason.setdefault(reason, {})[name_host(*key)] = detail
    return [
        rejection for reason, details in by_reason.items()
        for rejection in group_rejections(
            ((host, reason) for host in details), details
        )
    ]
