"""Find the hosts that changed since the mirror read them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from nova_ext.engine.host_columns import HostColumns
from nova_ext.scheduler.mirror.plugins import service_state

#: Attributes of a host state that differ when its row changed, or when Nova
#: took a server off it.
_COMPARED = (
    'uuid', 'updated', 'free_ram_mb', 'free_disk_mb', 'vcpus_used',
    'num_instances', 'num_io_ops', 'failed_builds',
)


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
