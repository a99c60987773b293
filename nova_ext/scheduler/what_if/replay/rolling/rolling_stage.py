"""Set the stage for the day as it would have gone.

A server takes the room of its host until it ends. Nova's cycle decides, from
the columns where the engine is exact, by Nova's filters and weighers where it
is not. It is the mirror's way of deciding; the journal stands for the cloud.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from nova.scheduler import request_filter

from nova_ext.engine.filtering import Rows
from nova_ext.engine.providers import Amounts
from nova_ext.journal.model import (
    IMPORTED,
    JournalDecision,
    JournalProcess,
)
from nova_ext.journal.replayed import HostKey
from nova_ext.scheduler.claims.first_claims import Answer
from nova_ext.scheduler.claims.mirrored_client import get_deciding_request
from nova_ext.scheduler.cycle.cycle import Cycle
from nova_ext.scheduler.mirror.deciding.error_guard import mirror_effort
from nova_ext.scheduler.mirror.mirror_source import (
    MirroredReadOnlyPlacement,
    SimulatedMirrorSource,
)
from nova_ext.scheduler.what_if.replay.aggregate_changes import AggregateChange
from nova_ext.scheduler.what_if.replay.gaps import Gaps
from nova_ext.scheduler.what_if.replay.rolling.imported_day import ImportedDay
from nova_ext.scheduler.what_if.replay.rolling.journal_day import JournalDay
from nova_ext.scheduler.what_if.replay.rolling.journal_mirror import (
    JournalMirror,
    RollingPlacement,
)
from nova_ext.scheduler.what_if.replay.rolling.opening import Opening
from nova_ext.scheduler.what_if.simulate.read_only_placement import (
    ReadOnlyPlacement,
)


def skip_prefilters() -> None:
    """Run none of Nova's prefilters in this process from now on.

    A journal's request spec has what they add. They ask databases.
    """
    request_filter.ALL_REQUEST_FILTERS[:] = []


class StagedCloud(Protocol):
    """Know the cloud between decisions."""

    def open(self, decision: JournalDecision, spec: Any) -> Opening:
        """Begin a decision.

        :param spec: its request spec, which may be changed.
        """
        ...

    def close(
        self, decision: JournalDecision, spec: Any,
        chosen: Mapping[str, tuple[HostKey, Amounts]],
    ) -> None:
        """End a decision.

        :param chosen: host and claim of each server, if it has one.
        """
        ...

    def make_views(self, rows: Rows) -> list[Any]:
        """Return host states for Nova's own filters, by their rows."""
        ...

    def release(self, server: str) -> None:
        """End a server."""
        ...

    @property
    def servers(self) -> Any:
        """Return the servers that have a host."""
        ...

    def list_free(self) -> Iterator[tuple[Mapping[str, int], bool]]:
        """Yield what each host's provider has free, and if it is empty."""
        ...


class RollingStage:
    """Have each decision begin with the cloud that the ones before left.

    :param process: wrote the journal.
    :param gaps: takes what is unknown.
    :param host_manager: gets the hosts where Nova's filters decide.
    :param changes: of aggregates.
    :ivar cloud: between decisions.
    """

    def __init__(
        self, process: JournalProcess, gaps: Gaps, host_manager: Any,
        changes: Sequence[AggregateChange],
    ) -> None:
        self._host_manager = host_manager
        self._spec: Any = None
        self._mirror = JournalMirror(host_manager)
        weighers = self._mirror.weighers
        self.cloud: StagedCloud = (
            ImportedDay(gaps, changes, weighers)
            if process.mode == IMPORTED else JournalDay(
                gaps, changes, weighers, weighs_own=bool(
                    process.configuration.get('nova_ext', {}).get(
                        'mirror_weighs_own_claims'
                    )
                ),
            )
        )
        self.source = RollingSource(self._mirror, host_manager)
        self.claims: Any = ReadOnlyPlacement(
            RollingPlacement(
                self._mirror, host_manager, gaps, self.cloud.make_views
            )
        )
        #: Of the source, where it draws among equal hosts.
        self.equal: Mapping[int, Sequence[HostKey]] = {}

    def open(self, decision: JournalDecision, spec: Any) -> None:
        """Begin a decision, after what happened since the one before."""
        opening = self.cloud.open(decision, spec)
        self._spec = spec
        self._mirror.opening = opening
        self._host_manager._instance_info = opening.instance_info
        self._host_manager.hosts = opening.hosts or ()
        self.source.open(opening)

    def close(self, decision: JournalDecision, selected: Any) -> None:
        """Have servers take the room of their hosts."""
        self.cloud.close(decision, self._spec, {
            server: (
                (selections[0].service_host, selections[0].nodename),
                _read_claim(selections[0]),
            ) for server, selections in zip(
                decision.servers, selected, strict=True
            )
        })

    def fail(self, decision: JournalDecision) -> None:
        """End a decision that places nothing."""
        self.cloud.close(decision, self._spec, {})


def _read_claim(selection: Any) -> Amounts:
    if not selection.allocation_request:
        return {}  # a rebuild claims nothing
    claim = json.loads(selection.allocation_request)['allocations']
    return {
        provider: each['resources'] for provider, each in claim.items()
    }


class RollingSource(SimulatedMirrorSource):
    """Decide from the rolling cloud; draw the same each time."""

    def __init__(self, mirror: JournalMirror, host_manager: Any) -> None:
        super().__init__(mirror, host_manager)
        self._opening: Opening | None = None
        self._draws: Counter[int] = Counter()

    def open(self, opening: Opening) -> None:
        """Begin a decision."""
        self._opening = opening
        self._draws.clear()

    @mirror_effort
    def begin(self, request: Cycle) -> None:
        """Have the mirror decide, which has filters and weighers already."""
        request.mirrored = self._mirror.make_request(
            request.spec, request.servers
        )

    def get_seed(self, index: int) -> int:
        """Return the seed of then; of a draw that was not made, another."""
        seeds = self._opening.seeds.get(index) if self._opening else None
        self._draws[index] += 1
        # Where the engine gave up, Nova draws again.
        return seeds[min(self._draws[index], len(seeds)) - 1] if seeds else (
            index
        )

    def wrap(self, client: Any) -> Any:
        """Return a client that refuses what was refused then."""
        return _RefusingPlacement(
            client, self._mirror,
            self._opening.refused if self._opening else frozenset(),
        )


class _RefusingPlacement(MirroredReadOnlyPlacement):
    """Claim in a copy, and refuse what placement refused.

    :param refused: servers and providers.
    """

    def __init__(
        self, client: Any, mirror: Any, refused: frozenset[tuple[str, str]]
    ) -> None:
        super().__init__(client, mirror)
        self._refused = refused

    def claim_resources(
        self, context: Any, consumer_uuid: str, alloc_request: Any,
        *args: Any, **kwargs: Any,
    ) -> Any:
        """Claim, or refuse."""
        allocations = alloc_request['allocations']
        if not any(
            (consumer_uuid, provider) in self._refused
            for provider in allocations
        ):
            return super().claim_resources(
                context, consumer_uuid, alloc_request, *args, **kwargs
            )
        self._trace(consumer_uuid, alloc_request, Answer.REFUSED)
        deciding = get_deciding_request()
        if deciding is not None:
            deciding.note_refusal(allocations)
        return False
