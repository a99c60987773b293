"""Know the cloud of a scheduler's journal, as a rolling replay leaves it.

What a worker knew at a decision is what the decision begins with, but for the
servers that the replay has elsewhere. So servers that came, moved or ended by
other means do so in the replay, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nova.scheduler import utils

from nova_ext.core.decision.decision import PLACED
from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.core.request.operation import Operation
from nova_ext.engine.providers import Amounts
from nova_ext.journal.model import JournalDecision
from nova_ext.journal.replayed import HostKey
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.mirror.deciding import demand
from nova_ext.scheduler.what_if.replay.aggregate_changes import AggregateChange
from nova_ext.scheduler.what_if.replay.gaps import Gaps
from nova_ext.scheduler.what_if.replay.host_states import HostStates
from nova_ext.scheduler.what_if.replay.rolling.journal_cloud import (
    JournalCloud,
)
from nova_ext.scheduler.what_if.replay.rolling.opening import Opening
from nova_ext.scheduler.what_if.replay.rolling.shifted_servers import (
    Shift,
    ShiftedServers,
)

#: Where Nova decided for one of these, the mirror knew the request.
_KNOWN_REQUESTS = frozenset((Fallback.NO_HOST, Fallback.CLAIMS_REFUSED))


class JournalDay:
    """Open and close decisions of one or several workers.

    :param gaps: takes what is unknown.
    :param weighers: Nova's weighers, untraced.
    :param weighs_own: hosts are in the journal without the claims of the
        worker that it had not read yet.
    :ivar shifts: servers that the replay has elsewhere.
    """

    def __init__(
        self, gaps: Gaps, changes: Sequence[AggregateChange],
        weighers: Sequence[Any], *, weighs_own: bool = False,
    ) -> None:
        self._gaps = gaps
        self._weighs_own = weighs_own
        self._changes = changes
        self._weighers = weighers
        #: Each worker's journal has hosts of its own.
        self._clouds: dict[str, JournalCloud] = {}
        self._cloud: JournalCloud | None = None
        self._states = HostStates(gaps, changes)
        self.shifts = ShiftedServers()
        #: Servers of the last decision, which its own cloud does not show, and
        #: those of its shifts.
        self._placed: list[Shift] = []
        self._latest: list[Shift] = []
        self._known: Sequence[Any] = ()
        self._held: Amounts = {}

    def open(self, decision: JournalDecision, spec: Any) -> Opening:
        """Begin a decision.

        :param spec: its request spec, which is changed.
        :raises UnknownFactError: the journal does not have the cloud of then.
        """
        worker = decision.worker
        if worker not in self._clouds:
            self._clouds[worker] = JournalCloud(
                worker, HostStates(self._gaps, self._changes),
                self._weighers, weighs_own=self._weighs_own,
            )
        cloud = self._clouds[worker]
        if decision.known is not self._known:
            self._placed, self._latest = [], []
            self._known, self._held = decision.known, decision.held
        if decision.known:
            cloud.read(decision)
            self.shifts.end(worker, decision.time, cloud)
        self._cloud = cloud
        self._change_request(decision, spec, cloud)
        return self._open(decision, cloud)

    def _open(
        self, decision: JournalDecision, cloud: JournalCloud
    ) -> Opening:
        seeds: dict[int, list[int]] = {}
        for attempt in decision.attempts:
            if attempt.seed is not None:
                seeds.setdefault(attempt.index, []).append(attempt.seed)
        known: dict[str, Any] = {'seeds': seeds, 'refused': frozenset(
            (claim.server, uuid) for claim in decision.claims
            if not claim.claimed for uuid in self._find_uuids(
                decision, claim.host
            )
        )}
        if not decision.mirrored and (
            not self.shifts or _is_rebuild(decision)
        ):
            # As it stood, by Nova's code.
            return Opening(
                None, {}, off=_read_fallback(decision) or Fallback.NOT_LOADED,
                hosts=list(self._states.make(decision.hosts)),
                answer=decision.candidates or {
                    'allocation_requests': [], 'provider_summaries': {},
                }, **known,
            )
        if not decision.known:
            self._gaps.refuse('what the mirror knew: it was not loaded')
        off = None
        if not decision.mirrored:
            off = _read_fallback(decision)
            if off not in _KNOWN_REQUESTS:
                self._gaps.note(
                    f'what placement would have answered: Nova decided '
                    f'({off.text if off else "to verify the mirror"})'
                )
        snapshot = cloud.show(self._list_shifts())
        return Opening(
            snapshot, cloud.instance_info,
            Held(decision.held, frozenset(decision.excluded)),
            None if off in _KNOWN_REQUESTS else off, **known,
        )

    def _change_request(
        self, decision: JournalDecision, spec: Any, cloud: JournalCloud
    ) -> None:
        """Have a request name the hosts on which the replay has servers."""
        for server in decision.servers:
            if not _is_rebuild(decision):
                self.shifts.begin(server)
            shift = self.shifts.get(server)
            if shift is None:
                continue
            if shift.replay_host is None or _is_rebuild(decision):
                self._gaps.refuse(
                    'what the server would have done: it was elsewhere, or '
                    'had found no host'
                )
            self._gaps.note(
                'whether the server would have moved: it was on another host'
            )
            if shift.journal_host is not None and spec.ignore_hosts:
                journal_host, replay_host = (
                    shift.journal_host[0], shift.replay_host[0]
                )
                spec.ignore_hosts = [
                    replay_host if host == journal_host else host
                    for host in spec.ignore_hosts
                ]
        group = spec.instance_group
        if group is None or 'hosts' not in group or not self.shifts:
            return
        group.hosts = sorted(self._list_group_hosts(group, cloud))
        group.obj_reset_changes(['hosts'])

    def _list_group_hosts(self, group: Any, cloud: JournalCloud) -> set[str]:
        """Return the hosts of a group's members."""
        hosts = set(group.hosts or ())
        shifts = {
            member: shift for member in group.members or ()
            if (shift := self.shifts.get(member)) is not None
        }
        stay = {
            key[0] for member in group.members or () if member not in shifts
            and (key := cloud.find(member)) is not None
        }
        for shift in shifts.values():
            if shift.journal_host and shift.journal_host[0] not in stay:
                hosts.discard(shift.journal_host[0])
        return hosts | {
            shift.replay_host[0] for shift in shifts.values()
            if shift.replay_host
        }

    def _find_uuids(
        self, decision: JournalDecision, host: str
    ) -> Iterator[str]:
        for facts in decision.known or decision.hosts:
            if facts.host == host:
                yield facts.uuid

    def close(
        self, decision: JournalDecision, spec: Any,
        chosen: Mapping[str, tuple[HostKey, Amounts]],
    ) -> None:
        """Note which servers are elsewhere than in the journal.

        :param chosen: host and claim of each server, if it has one.
        """
        if _is_rebuild(decision):
            return
        for number, server in enumerate(decision.servers):
            was = _find_host(decision, number)
            now, taken = chosen.get(server, (None, {}))
            about = server, spec, decision.worker, decision.time
            self._placed.append(Shift(*about, None, now, {}, taken))
            if was != now:
                shift = Shift(
                    *about, was, now,
                    self._find_claim(decision, spec, was, taken), taken,
                    self._cloud.find(server) if self._cloud else None,
                )
                self.shifts.add(shift)
                self._latest.append(shift)

    def _list_shifts(self) -> list[Shift]:
        """Return the shifts that the newest cloud is shown with."""
        return [
            *(each for each in self.shifts if each not in self._latest),
            *self._placed,
        ]

    def _find_claim(
        self, decision: JournalDecision, spec: Any, host: HostKey | None,
        taken: Amounts,
    ) -> Amounts:
        """Return what a server holds of providers in the journal."""
        uuid = self._cloud.get_uuid(host) if self._cloud and host else ''
        if not uuid:
            return {}
        for request in (decision.candidates or {}).get(
            'allocation_requests', ()
        ):
            if uuid in request['allocations']:
                return {
                    provider: each['resources']
                    for provider, each in request['allocations'].items()
                }
        if len(taken) == 1:
            return {uuid: next(iter(taken.values()))}
        try:
            return {uuid: demand.compile_query(
                utils.ResourceRequest.from_request_spec(spec).to_querystring()
            ).resources}
        except FallbackError as error:
            self._gaps.note(f'what the server holds in placement: {error}')
            return {}

    def release(self, server: str) -> None:
        """End a server that no journal has."""
        shift = self.shifts.get(server)
        if shift is not None:
            self.shifts.drop([shift])
        self._placed = [
            each for each in self._placed if each.server != server
        ]

    @property
    def servers(self) -> Sequence[str]:
        """Return the servers that have a host."""
        return [
            server for _, state in self._list_hosts()
            for server in state.instances
        ]

    def list_free(self) -> Iterator[tuple[Mapping[str, int], bool]]:
        """Yield what each host's provider has free, and if it is empty."""
        for free, state in self._list_hosts():
            yield free, not state.instances

    def _list_hosts(self) -> Iterator[tuple[Mapping[str, int], Any]]:
        if self._cloud is None:
            return
        self._cloud.show(self._list_shifts())
        for free, state in self._cloud.list_hosts():
            held = self._held.get(state.uuid, {})
            yield {
                name: amount - held.get(name, 0)
                for name, amount in free.items()
            }, state

    def make_views(self, rows: Any) -> list[Any]:
        """Return host states for Nova's own filters, by their rows."""
        assert self._cloud is not None  # noqa: S101  a decision is open
        return self._cloud.make_views(rows)


def _read_fallback(decision: JournalDecision) -> Fallback | None:
    """Return why Nova decided; None: to verify the mirror."""
    return Fallback.parse(decision.fallback) if decision.fallback else None


def _is_rebuild(decision: JournalDecision) -> bool:
    return decision.operation == Operation.REBUILD.value


def _find_host(decision: JournalDecision, number: int) -> HostKey | None:
    """Return the host of a server in the journal."""
    if decision.outcome != PLACED or number >= len(decision.destinations):
        return None
    keys = decision.destinations[number]
    return (keys[0][0], keys[0][1]) if keys else None
