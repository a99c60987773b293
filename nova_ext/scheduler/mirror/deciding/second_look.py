"""Read hosts again just before they are claimed, and ask Nova's filters.

The mirror is some seconds old. An operator may have disabled a host since, and
nova-compute may have reported more servers. What Nova would refuse now is
left out.
"""

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from typing import Any
from urllib import parse

import numpy as np

from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns, Key
from nova_ext.engine.providers import Demand
from nova_ext.scheduler.mirror.plugins import nova_plugins, service_state

#: Return the states of hosts as they are now, by host and node. It gets what
#: is known of them.
ReadAgain = Callable[[Iterable[Any]], Mapping[Key, Any]]

#: Of these traits nova-compute reports all, and sets right what others change.
_REPORTED = ('COMPUTE_', 'OWNER_')
#: Placement is asked about each of so few hosts. For more hosts, it lists all
#: that have what is needed.
_ONE_BY_ONE = 20
#: Nova's, for allocation candidates.
_VERSION = '1.36'
#: Attributes of a host state that differ when its row changed, or when Nova
#: took a server off it.
_COMPARED = (
    'uuid', 'updated', 'free_ram_mb', 'free_disk_mb', 'vcpus_used',
    'num_instances', 'num_io_ops', 'failed_builds',
)


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

        Nova's filters run on those that changed. The others passed just now.

        :param rows: hosts that passed Nova's filters.
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
        offered = self._list_offered(states)
        renewed = {
            row: state for row, state in offered.items()
            if state is not columns.states[row]
        }
        passed = set(map(id, nova_plugins.ask_one_by_one(
            self._filters, renewed.values(), self._spec
        )))
        gone = [row for row in new if row not in offered]
        self.refused.update(gone, (
            row for row, state in renewed.items() if id(state) not in passed
        ))
        return (
            find_changed(columns, renewed, self._spec),
            np.array(gone, np.int64),
        )

    def _list_offered(self, states: Mapping[int, Any]) -> Mapping[int, Any]:
        """Return the hosts that placement would offer, apart from their room.

        Nova tells placement and schedulers of its aggregates alike. Of what
        others may have changed, placement is asked.
        """
        demand = self._demand
        traits = demand.forbidden.union(*demand.required)
        if all(trait.startswith(_REPORTED) for trait in traits):
            unsure = {
                state.uuid for state in states.values()
                if not self._is_member(state)
            }
        else:
            unsure = {state.uuid for state in states.values()}
        refused = unsure - self._ask_placement(unsure)
        return {
            row: state for row, state in states.items()
            if state.uuid not in refused
        }

    def _is_member(self, state: Any) -> bool:
        """Say whether a host is in Nova's aggregates as requested."""
        demand = self._demand
        if not demand.member_of and not demand.not_member_of:
            return True
        own = {aggregate.uuid for aggregate in state.aggregates}
        return not demand.not_member_of & own and all(
            names & own for names in demand.member_of
        )

    def _ask_placement(self, uuids: Collection[str]) -> set[str]:
        """Return which providers have the traits and aggregates."""
        demand = self._demand
        query = [
            ('required', ','.join([
                *(trait for names in demand.required for trait in names),
                *(f'!{trait}' for trait in demand.forbidden),
            ])),
            *(
                ('member_of', f'in:{",".join(names)}')
                for names in demand.member_of
            ),
        ]
        if demand.not_member_of:
            query.append(
                ('member_of', f'!in:{",".join(demand.not_member_of)}')
            )
        return {
            provider['uuid']
            for wanted in (
                [[('uuid', uuid)] for uuid in uuids]
                if len(uuids) <= _ONE_BY_ONE else [[]]
            )
            for provider in self._list_providers([*wanted, *query])
        }

    def _list_providers(self, query: Sequence[tuple[str, str]]) -> Any:
        """Return placement's providers of a query."""
        answer = self._get_client().get(
            '/resource_providers?' + parse.urlencode([
                (key, value) for key, value in query if value
            ]), version=_VERSION,
        )
        return answer.json()['resource_providers']


def find_changed(
    columns: HostColumns, states: Mapping[int, Any], spec: Any
) -> dict[int, Any]:
    """Return the states that differ from those of the columns, by row.

    :param states: the hosts as they are now, by row.
    :param spec: the request, to which the servers of hosts may not matter.
    """
    now_s = service_state.tell_time()
    up = service_state.make_filter().judge(
        columns, np.array(list(states), np.int64)
    )
    by_servers = bool(spec.instance_group or spec.scheduler_hints)
    return {
        row: state
        for (row, state), is_up in zip(states.items(), up, strict=True)
        if service_state.is_up(state, now_s) != is_up
        or _describe(state, by_servers)
        != _describe(columns.states[row], by_servers)
    }


def _describe(state: Any, by_servers: bool) -> Any:
    return (
        [getattr(state, name) for name in _COMPARED],
        # Nova replaces one whole when anything of it changes.
        set(map(id, state.aggregates)),
        set(state.instances) if by_servers else None,
    )
