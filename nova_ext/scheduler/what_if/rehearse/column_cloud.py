"""Hold the snapshot of the mirror that rehearsals begin from."""

import copy
import dataclasses
from collections.abc import Collection, Hashable
from typing import Any

import numpy as np

from nova_ext.core.decision.fallback import FallbackError
from nova_ext.engine.host_table import HostTable
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.mirror.deciding import demand
from nova_ext.scheduler.mirror.deciding.candidates import (
    Candidates,
    DecisionInputs,
)
from nova_ext.scheduler.mirror.hosts import servers
from nova_ext.scheduler.mirror.plugins import (
    filter_reads,
    nova_plugins,
    service_state,
)
from nova_ext.scheduler.mirror.plugins.host_views import HostView
from nova_ext.scheduler.mirror.snapshot import Snapshot

#: What Nova changes in its place, for servers that ask for it.
_DEVICES = frozenset(('numa_topology', 'pci_stats'))


class RoomView(HostView):
    """Show a host state to one rehearsal, which takes room off it."""

    def consume_from_request(self, spec_obj: Any) -> None:
        """Take a server's room, without the lock, as nobody else has it.

        To parse a NUMA topology takes longer than all the rest, and nothing
        is taken off it, or off devices, for a server without them.
        """
        own = {
            name: self.__dict__[name] for name in _DEVICES
            if name in self.__dict__
        }
        requests = spec_obj.pci_requests
        if spec_obj.numa_topology or (requests and requests.requests):
            for name in _DEVICES - own.keys():
                setattr(self, name, copy.deepcopy(getattr(self, name)))
            self._locked_consume_from_request(spec_obj)
            return
        self.__dict__.update(dict.fromkeys(_DEVICES))
        self._locked_consume_from_request(spec_obj)
        for name in _DEVICES:
            del self.__dict__[name]
        self.__dict__.update(own)


class ColumnCloud:
    """Hold the snapshot that rehearsals begin from.

    :param inputs: what the mirror decides from now.
    :param host_manager: Nova's, which hears of the hosts' servers.
    :raises FallbackError: there is no snapshot, or it is too old.
    """

    def __init__(self, inputs: DecisionInputs, host_manager: Any) -> None:
        candidates = Candidates(inputs, None)
        candidates.check()
        self.inputs = inputs
        self.snapshot: Snapshot = candidates.snapshot
        self.columns = self.snapshot.hosts
        self.check_age()
        self._unknown: FallbackError | None = None
        try:
            self.columns = servers.update(
                host_manager, self.columns, np.arange(len(self.columns))
            )
        except FallbackError as error:
            self._unknown = error
        self.kept = nova_plugins.list_unclaimed(self.columns)

    @property
    def age_s(self) -> float:
        """Return the seconds since the snapshot was right."""
        return Candidates(self.inputs, None).age_s

    def check_age(self) -> None:
        """Check that the snapshot is new enough.

        :raises FallbackError: it is too old.
        """
        Candidates(self.inputs, None).check_age()

    def list_shapes(self, lost: Collection[str], at_most: int) -> list[int]:
        """Return a row of each shape of hosts in use, the commonest first.

        Hosts of one shape differ in nothing but their use.

        :param lost: names of hosts that are not in use.
        """
        now_s = service_state.tell_time()
        shapes = self.snapshot.providers.number_shapes()
        columns = self.columns
        rows: dict[Hashable, list[int]] = {}
        for row, provider in enumerate(self.snapshot.provider_rows.tolist()):
            state = columns.states[row]
            if provider >= 0 and state.host not in lost and (
                service_state.is_up(state, now_s)
            ):
                rows.setdefault((int(shapes[provider]), state.cell_uuid, *(
                    int(columns.classes[name][row])
                    for name in filter_reads.SHAPES
                )), []).append(row)
        ordered = sorted(rows.values(), key=len, reverse=True)
        return [some[0] for some in ordered[:at_most]]

    def copy_empty(self, row: int) -> 'ColumnCloud':
        """Return a cloud of one host: a copy without servers."""
        view = RoomView(self.columns.states[row])
        view.host = f'{view.host} (copy)'
        view.free_ram_mb = view.total_usable_ram_mb
        view.free_disk_mb = view.total_usable_disk_gb * 1024
        view.vcpus_used = view.num_instances = view.num_io_ops = 0
        view.failed_builds = 0
        view.instances = {}
        table = HostTable(nova_plugins.make_readers(self.inputs.weighers))
        table.put(view)
        only = np.zeros(1, np.int64)
        copied = copy.copy(self)
        copied.columns = table.freeze()
        copied.snapshot = dataclasses.replace(
            self.snapshot, hosts=copied.columns,
            providers=self.snapshot.providers.copy_unused(view.uuid),
            behind=only[:0], behind_since=np.zeros(0), order=only,
            by_uuid=only, provider_rows=only, in_trees=only[:0],
        )
        copied.inputs = dataclasses.replace(
            self.inputs, snapshot=copied.snapshot, held=Held({}, frozenset())
        )
        return copied

    def check(self, spec: Any) -> None:
        """Check that what a request asks about servers is known.

        :raises FallbackError: it is not.
        """
        if self._unknown is not None and demand.names_servers(spec):
            raise self._unknown
