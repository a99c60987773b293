"""Show what a worker knew, with servers where a rolling replay has them."""

import dataclasses
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_table import HostTable
from nova_ext.engine.provider_columns import Provider
from nova_ext.engine.provider_table import ProviderTable
from nova_ext.engine.providers import Amounts
from nova_ext.journal.model import HostFacts, JournalDecision
from nova_ext.journal.replayed import HostKey
from nova_ext.scheduler.mirror import snapshot
from nova_ext.scheduler.mirror.plugins import nova_plugins
from nova_ext.scheduler.mirror.snapshot import Snapshot
from nova_ext.scheduler.what_if.rehearse import moved_room
from nova_ext.scheduler.what_if.rehearse.column_cloud import RoomView
from nova_ext.scheduler.what_if.replay.host_states import HostStates
from nova_ext.scheduler.what_if.replay.rolling.rolling_cloud import (
    consume,
    count_free,
    make_provider,
)
from nova_ext.scheduler.what_if.replay.rolling.shifted_servers import Shift


class JournalCloud:
    """Hold the hosts and providers of one worker.

    :param states: makes host states of the journal's hosts.
    :param weighers: Nova's weighers, untraced.
    :param weighs_own: whether hosts are read without this worker's claims.
    :ivar instance_info: the servers of hosts, as Nova's host manager keeps
        them.
    """

    def __init__(
        self, worker: str, states: HostStates, weighers: Sequence[Any], *,
        weighs_own: bool,
    ) -> None:
        self._worker = worker
        self._states = states
        self._weighs_own = weighs_own
        self._facts: dict[HostKey, HostFacts] = {}
        self._servers: dict[HostKey, frozenset[str]] = {}
        self._where: dict[str, HostKey] = {}
        self._bases: dict[HostKey, Any] = {}
        self._hosts = HostTable(nova_plugins.make_readers(weighers))
        self._read: dict[str, Provider] = {}
        self._providers = ProviderTable()
        #: What changed since it was shown last.
        self._changed: dict[HostKey, None] = {}
        self._reread: dict[str, None] = {}
        #: Shifts that hosts were shown with, and amounts of providers.
        self._shown: dict[HostKey, list[Shift]] = {}
        self._moved: dict[str, dict[str, int]] = {}
        self._last: Snapshot | None = None
        self._order: Sequence[HostFacts] = ()
        self.instance_info: dict[str, dict[str, Any]] = {}

    def read(self, decision: JournalDecision) -> None:
        """Take what the worker knew when a request came."""
        by_key = {(facts.host, facts.node): facts for facts in decision.known}
        changed = [
            (key, facts) for key, facts in by_key.items()
            if self._facts.get(key) is not facts
        ]
        states = self._states.make([facts for _, facts in changed])
        for (key, facts), state in zip(changed, states, strict=True):
            self._bases[key] = state
            self._set_servers(key, facts.values.get('instances') or ())
        self._changed |= dict.fromkeys(key for key, _ in changed)
        for key in self._facts.keys() - by_key.keys():
            self._set_servers(key, ())
            self._hosts.remove(key)
            self._bases.pop(key)
            self._changed.pop(key, None)
            self._shown.pop(key, None)
        self._facts, self._order = by_key, decision.known
        for provider in decision.providers:
            self._read[provider.uuid] = make_provider(provider)
            self._reread[provider.uuid] = None

    def _set_servers(self, key: HostKey, servers: Iterable[str]) -> None:
        for server in self._servers.pop(key, frozenset()):
            if self._where.get(server) == key:
                del self._where[server]
        self._servers[key] = frozenset(servers)
        self._where |= dict.fromkeys(self._servers[key], key)

    def lists(self, host: HostKey, server: str) -> bool:
        """Say whether a host lists a server."""
        return server in self._servers.get(host, ())

    def find(self, server: str) -> HostKey | None:
        """Return the host that lists a server; None: none does."""
        return self._where.get(server)

    def get_uuid(self, host: HostKey) -> str:
        """Return the UUID of a host's provider; empty: it is not known."""
        facts = self._facts.get(host)
        return facts.uuid if facts else ''

    def show(self, shifts: Iterable[Shift]) -> Snapshot:
        """Return the cloud with servers where the replay has them.

        A host of the replay shows a server when the host of then does: hosts
        are read some time after a claim, in the replay, too. What is claimed
        of providers is known at once.
        """
        by_host: dict[HostKey, list[Shift]] = defaultdict(list)
        moved: dict[str, dict[str, int]] = {}
        for shift in shifts:
            _add(moved, shift.journal_claim, -1)
            _add(moved, shift.replay_claim, 1)
            if self._is_shown(shift):
                for key in shift.journal_host, shift.replay_host:
                    if key is not None:
                        by_host[key].append(shift)
        for key in self._changed | dict.fromkeys(
            key for key in by_host.keys() | self._shown.keys()
            if by_host.get(key) != self._shown.get(key)
        ):
            if key in self._bases:
                self._put(key, by_host.get(key, ()))
        for uuid in self._reread | dict.fromkeys(
            uuid for uuid in moved.keys() | self._moved.keys()
            if moved.get(uuid) != self._moved.get(uuid)
        ):
            if uuid in self._read:
                self._providers.put(_use(
                    self._read[uuid], moved.get(uuid, {})
                ))
        self._shown, self._moved = dict(by_host), moved
        self._changed, self._reread = {}, {}
        return self._make_snapshot()

    def _is_shown(self, shift: Shift) -> bool:
        return shift.journal_host is None or self.lists(
            shift.journal_host, shift.server
        ) or (self._weighs_own and shift.worker == self._worker)

    def _put(self, key: HostKey, shifts: Iterable[Shift]) -> None:
        view = RoomView(self._bases[key])
        for shift in shifts:
            if shift.journal_host == key:
                moved_room.give_back(view, shift.server, shift.spec)
            if shift.replay_host == key:
                consume(view, shift.server, shift.spec)
        self._hosts.put(view)
        self.instance_info[view.host] = {
            'instances': view.instances, 'updated': True,
        }

    def _make_snapshot(self) -> Snapshot:
        new = snapshot.make(
            self._hosts.freeze(), self._providers.freeze(), None,
            time.monotonic(), '', self._last,
        )
        rows = new.hosts.rows
        self._last = new = dataclasses.replace(new, order=np.array(
            [rows[facts.host, facts.node] for facts in self._order], np.int64
        ))
        return new

    def make_views(self, rows: Rows) -> list[Any]:
        """Return states of hosts that a decision may change, by their rows."""
        columns = self._hosts.freeze()
        return [RoomView(columns.states[row]) for row in rows.tolist()]

    def list_hosts(self) -> Iterator[tuple[Mapping[str, int], Any]]:
        """Yield what each host's provider has free, and the host's state."""
        for state in self._hosts.freeze().states:
            provider = self._providers.get(state.uuid)
            if provider is not None:
                yield count_free(provider), state


def _add(
    moved: dict[str, dict[str, int]], amounts: Amounts, sign: int
) -> None:
    for uuid, resources in amounts.items():
        known = moved.setdefault(uuid, {})
        for name, amount in resources.items():
            known[name] = known.get(name, 0) + sign * amount


def _use(provider: Provider, amounts: Mapping[str, int]) -> Provider:
    """Return a provider with more in use, or less."""
    if not amounts:
        return provider
    return dataclasses.replace(provider, used={**provider.used, **{
        name: provider.used.get(name, 0) + amount
        for name, amount in amounts.items()
    }})
