"""Read hosts again just before they are claimed, and ask Nova's filters.

The mirror is some seconds old. An operator may have disabled a host since, and
nova-compute may have reported more servers. What Nova would refuse now is
left out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib import parse

import numpy as np

from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns, Key
from nova_ext.engine.provider_columns import Demand
from nova_ext.scheduler.mirror.deciding import host_changes
from nova_ext.scheduler.mirror.plugins import nova_plugins

#: Return the states of hosts as they are now, by host and node. It gets what
#: is known of them.
ReadAgain = Callable[[Iterable[Any]], Mapping[Key, Any]]

#: Of these traits nova-compute reports all, and sets right what others change.
_REPORTED = ('COMPUTE_', 'OWNER_')
#: Nova's, for allocation candidates.
_VERSION = '1.36'


class SecondLook:
    """Find the hosts of one request that Nova would refuse now.

    :param read: reads hosts again.
    :param get_client: returns Nova's report client.
    :param filters: Nova's, untraced.
    :param demand: of one server.
    :ivar refused: rows of hosts that failed.
    """

    def __init__(
        self, read: ReadAgain, get_client: Callable[[], Any],
        filters: Sequence[Any], spec: Any, demand: Demand,
    ) -> None:
        self._read = read
        self._get_client = get_client
        self._filters = filters
        self._spec = spec
        self._demand = demand
        self._seen: set[int] = set()
        self.refused: set[int] = set()

    def has_seen(self, row: int) -> bool:
        """Say whether a host was looked at."""
        return row in self._seen

    def refuse(self, rows: Rows) -> None:
        """Refuse hosts without a look at them."""
        self._seen.update(rows.tolist())
        self.refused.update(rows.tolist())

    def look(
        self, columns: HostColumns, rows: Rows
    ) -> tuple[Mapping[int, Any], Rows]:
        """Look at those of some hosts that were not looked at yet.

        :returns: the states of those that changed, by row; and the rows of
            those that are gone, or that placement would not offer.
        """
        new = [row for row in rows.tolist() if row not in self._seen]
        if not new:
            return {}, rows[:0]
        self._seen.update(new)
        by_key = self._read([columns.states[row] for row in new])
        states = {
            row: by_key[key] for row in new
            if (key := columns.keys[row]) in by_key
            and by_key[key].uuid == columns.states[row].uuid
        }
        offered = {
            row: state for row, state in states.items()
            if self._is_offered(state)
        }
        passed = nova_plugins.ask_one_by_one(
            self._filters, offered.values(), self._spec
        )
        kept = set(map(id, passed))
        self.refused |= {
            row for row in new
            if row not in offered or id(offered[row]) not in kept
        }
        return (
            host_changes.find_changed(columns, offered, self._spec),
            np.array([row for row in new if row not in offered], np.int64),
        )

    def _is_offered(self, state: Any) -> bool:
        """Say whether placement would offer a host, apart from its room.

        Nova tells placement and schedulers of its aggregates alike. Of what
        others may have changed, placement is asked.
        """
        demand = self._demand
        own = {aggregate.uuid for aggregate in state.aggregates}
        if demand.not_member_of & own or any(
            not names & own for names in demand.member_of
        ):
            return False
        traits = demand.forbidden.union(*demand.required)
        if all(trait.startswith(_REPORTED) for trait in traits):
            return True
        query = parse.urlencode({
            'uuid': state.uuid,
            'required': ','.join([
                *(','.join(names) for names in demand.required),
                *(f'!{trait}' for trait in demand.forbidden),
            ]),
        })
        answer = self._get_client().get(
            f'/resource_providers?{query}', version=_VERSION
        )
        return bool(answer.json()['resource_providers'])
