"""Set the stage for the day as it would have gone.

A server takes the room of its host until it ends. Nova's cycle decides, from
the columns where the engine is exact, by Nova's filters and weighers where it
is not. It is the mirror's way of deciding; the journal stands for the cloud.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from nova.scheduler import request_filter

from nova_ext.core.decision.fallback import FallbackError
from nova_ext.engine.filtering import Rows
from nova_ext.journal.model import JournalDecision
from nova_ext.journal.replayed import HostKey
from nova_ext.scheduler.ask.replay.aggregate_changes import AggregateChange
from nova_ext.scheduler.ask.replay.gaps import Gaps
from nova_ext.scheduler.ask.replay.host_states import HostStates
from nova_ext.scheduler.ask.replay.rolling_cloud import RollingCloud
from nova_ext.scheduler.ask.simulate.read_only_placement import (
    ReadOnlyPlacement,
)
from nova_ext.scheduler.base import options
from nova_ext.scheduler.claims.ledger import Ledger
from nova_ext.scheduler.mirror.deciding.candidates import Candidates, Source
from nova_ext.scheduler.mirror.deciding.mirrored_request import (
    MirroredRequest,
)
from nova_ext.scheduler.mirror.mirror_source import SimulatedMirrorSource
from nova_ext.scheduler.plugins.traced import copy_untraced


def skip_prefilters() -> None:
    """Run none of Nova's prefilters in this process from now on.

    A journal's request spec has what they add. They ask databases.
    """
    request_filter.ALL_REQUEST_FILTERS[:] = []


class RollingStage:
    """Hold the cloud between decisions.

    :param gaps: takes what is unknown.
    :param host_manager: gets the hosts where Nova's filters decide.
    :param changes: of aggregates.
    :ivar cloud: None before the first decision.
    """

    cloud: RollingCloud

    def __init__(
        self, gaps: Gaps, host_manager: Any,
        changes: Sequence[AggregateChange],
    ) -> None:
        options.CONF.set_override('mirror_sees_all_hosts', True, 'nova_ext')
        self._gaps = gaps
        self._host_manager = host_manager
        self._states = HostStates(gaps, changes)
        self._is_open = False
        self._spec: Any = None
        self._mirror = JournalMirror(host_manager)
        self.source = RollingSource(self._mirror, host_manager)
        self.claims: Any = ReadOnlyPlacement(
            RollingPlacement(self._mirror, host_manager, gaps, self)
        )
        #: Of the source, where it draws among equal hosts.
        self.equal: Mapping[int, Sequence[HostKey]] = {}

    def open(self, decision: JournalDecision, spec: Any) -> None:
        """Begin a decision, after what happened since the one before."""
        if not self._is_open:
            self._is_open = True
            self.cloud = RollingCloud(
                self._states.make(decision.hosts), decision.providers,
                self._mirror.weighers,
            )
        for server in decision.ended:
            self.cloud.release(server)
        self._host_manager._instance_info = self.cloud.instance_info
        self._mirror.snapshot = self.cloud.make_snapshot()
        self.source.seed = zlib.crc32(decision.request_id.encode())
        self._spec = spec
        group = spec.instance_group
        if group is not None:
            group.hosts = self.cloud.list_group_hosts(group.members)
            group.obj_reset_changes(['hosts'])

    def close(self, decision: JournalDecision, selected: Any) -> None:
        """Have servers take the room of their hosts."""
        for server, offer in zip(decision.servers, selected, strict=True):
            claim = json.loads(offer[0].allocation_request)['allocations']
            self.cloud.take(
                server, (offer[0].service_host, offer[0].nodename),
                self._spec, {
                    provider: each['resources']
                    for provider, each in claim.items()
                },
            )

    def make_views(self, rows: Rows) -> list[Any]:
        """Return host states for Nova's own filters, by their rows."""
        return self.cloud.make_views(rows)


class JournalMirror:
    """Stand for a mirror that decides, whose snapshot nothing changes.

    :param host_manager: has filters and weighers.
    :ivar snapshot: what the next request is decided from.
    """

    may_decide = True
    off = None
    batches = None
    snapshot: Any = None

    def __init__(self, host_manager: Any) -> None:
        self._host_manager = host_manager
        #: Stays empty. Where the engine gives up, its claims are released.
        self.claims = Ledger()
        self.filters = list(map(copy_untraced, host_manager.enabled_filters))
        self.weighers = list(map(copy_untraced, host_manager.weighers))

    def make_source(self) -> Source:
        """Return what requests are decided from."""
        return Source(self.snapshot, self.filters, self.weighers)

    def make_request(
        self, spec: Any, servers: Sequence[str] | None, *_: Any,
        **__: Any,
    ) -> MirroredRequest:
        """Return what decides a request."""
        return MirroredRequest(
            self.make_source(), self._host_manager, spec, servers,
            together=False, simulated=True,
            make_look=_NoSecondLook,  # type: ignore[arg-type]
            on_refused=lambda: None,
        )


class _NoSecondLook:
    """Look at nothing: nobody else changes the cloud."""

    def __init__(self, *_: Any) -> None:
        self.refused: set[int] = set()

    def has_seen(self, row: int) -> bool:
        """Say that it was looked at."""
        return True

    def look(self, columns: Any, rows: Rows) -> tuple[Mapping[int, Any], Rows]:
        """Find nothing that changed."""
        return {}, np.zeros(0, np.int64)


class RollingSource(SimulatedMirrorSource):
    """Decide from the rolling cloud; draw the same each time.

    :ivar seed: of the next decision's draws.
    """

    seed = 0

    def get_seed(self, index: int) -> int:
        """Return the seed of the next draw."""
        return self.seed + index


class RollingPlacement:
    """Answer for Nova's placement client from the rolling cloud.

    It is asked where Nova's own code decides.
    """

    def __init__(
        self, mirror: JournalMirror, host_manager: Any, gaps: Gaps,
        stage: RollingStage,
    ) -> None:
        self._mirror = mirror
        self._host_manager = host_manager
        self._gaps = gaps
        self._stage = stage

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Return the candidates, and have the hosts looked at.

        :raises UnknownFactError: for a query that the columns can't answer.
        """
        candidates = Candidates(self._mirror.make_source(), None)
        query = resources.to_querystring()
        try:
            fits = candidates.find_providers(query)
        except FallbackError as error:
            self._gaps.refuse(f'what placement would have answered: {error}')
        rows = candidates.snapshot.select(fits)
        views = self._host_manager.hosts = self._stage.make_views(rows)
        demand = dict(candidates.demand.resources)
        free = candidates.snapshot.providers.get_free(
            [view.uuid for view in views], demand, {}
        )
        return [
            {
                'allocations': {view.uuid: {'resources': dict(demand)}},
                'mappings': {'': [view.uuid]},
            } for view in views
        ], {
            view.uuid: {
                'resources': {
                    name: {'capacity': amount, 'used': 0}
                    for name, amount in free[view.uuid].items()
                }, 'traits': [], 'parent_provider_uuid': None,
                'root_provider_uuid': view.uuid,
            } for view in views
        }, '1.36'
