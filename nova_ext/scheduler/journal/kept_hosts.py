"""Keep what host states have, while a request waits."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from oslo_utils import timeutils


class Kept(NamedTuple):
    """Hold host states as they were at one moment.

    :param values: attributes of each, by name.
    :param at: the moment, UTC, without a zone.
    """

    values: Sequence[dict[str, Any]]
    at: datetime.datetime


def keep(states: Iterable[Any]) -> Kept:
    """Keep host states, which Nova and filters change later.

    What is kept by reference is replaced as a whole where it changes.
    """
    return Kept([_keep_state(state) for state in states], timeutils.utcnow())


def _keep_state(state: Any) -> dict[str, Any]:
    values = dict(vars(state))
    # Requests share a host's servers, and Nova adds to them.
    values['instances'] = tuple(values['instances'])
    # Nova's read-only dictionary takes its time.
    values['service'] = unwrap_service(values)
    stats = values.get('pci_stats')
    if stats is not None:
        values['pci_pools'] = (
            [dict(pool) for pool in stats.pools] if stats.pools else []
        )
    return values


def unwrap_service(values: Mapping[str, Any]) -> Any:
    """Return a state's service as a plain dictionary; None: it has none."""
    service = values.get('service')
    return getattr(service, 'data', service)
