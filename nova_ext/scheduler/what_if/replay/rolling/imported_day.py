"""Know the cloud of an imported journal, as a rolling replay leaves it."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nova_ext.engine.filtering import Rows
from nova_ext.engine.providers import Amounts
from nova_ext.journal.model import JournalDecision
from nova_ext.journal.replayed import HostKey
from nova_ext.scheduler.base import options
from nova_ext.scheduler.what_if.replay.aggregate_changes import AggregateChange
from nova_ext.scheduler.what_if.replay.gaps import Gaps
from nova_ext.scheduler.what_if.replay.host_states import HostStates
from nova_ext.scheduler.what_if.replay.rolling.opening import Opening
from nova_ext.scheduler.what_if.replay.rolling.rolling_cloud import (
    RollingCloud,
)


class ImportedDay:
    """Open and close decisions. Nobody else changes the cloud.

    :param gaps: takes what is unknown.
    :param weighers: Nova's weighers, untraced.
    """

    _cloud: RollingCloud

    def __init__(
        self, gaps: Gaps, changes: Sequence[AggregateChange],
        weighers: Sequence[Any],
    ) -> None:
        options.CONF.set_override('mirror_sees_all_hosts', True, 'nova_ext')
        self._states = HostStates(gaps, changes)
        self._weighers = weighers
        self._is_open = False

    def open(self, decision: JournalDecision, spec: Any) -> Opening:
        """Begin a decision, after what happened since the one before."""
        if not self._is_open:
            self._is_open = True
            self._cloud = RollingCloud(
                self._states.make(decision.hosts), decision.providers,
                self._weighers,
            )
        for server in decision.ended:
            self._cloud.release(server)
        group = spec.instance_group
        if group is not None:
            group.hosts = self._cloud.list_group_hosts(group.members)
            group.obj_reset_changes(['hosts'])
        seed = zlib.crc32(decision.request_id.encode())
        return Opening(
            self._cloud.make_snapshot(), self._cloud.instance_info,
            seeds={
                index: [seed + index]
                for index in range(len(decision.servers))
            },
        )

    def close(
        self, decision: JournalDecision, spec: Any,
        chosen: Mapping[str, tuple[HostKey, Amounts]],
    ) -> None:
        """Have servers take the room of their hosts."""
        for server, (host, claim) in chosen.items():
            self._cloud.take(server, host, spec, claim)

    def release(self, server: str) -> None:
        """End a server."""
        self._cloud.release(server)

    @property
    def servers(self) -> Mapping[str, Any]:
        """Return the servers that have a host, by UUID."""
        return self._cloud.servers

    def list_free(self) -> Iterator[tuple[Mapping[str, int], bool]]:
        """Yield what each host's provider has free, and if it is empty."""
        return self._cloud.list_free()

    def make_views(self, rows: Rows) -> list[Any]:
        """Return host states for Nova's own filters, by their rows."""
        return self._cloud.make_views(rows)
