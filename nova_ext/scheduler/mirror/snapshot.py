"""Hold what the cloud was at one moment."""

import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import os_traits

from nova_ext.core.decision.fallback import Fallback
from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns, Numbers
from nova_ext.engine.provider_columns import Mask, ProviderColumns
from nova_ext.engine.providers import Demand

#: Greatest part of all hosts that may be left out for too old providers.
MAX_OLD = 0.1
_STANDARD_TRAITS = frozenset(os_traits.get_traits())


@dataclass(frozen=True)
class Snapshot:
    """Hold what the cloud was at one moment.

    :param unknown: why a host's own provider may not answer for all that
        the host has; None: it does.
    :param read_at: when the reading began, by the monotonic clock.
    :param behind: the rows of hosts' own providers that changed since; -1:
        it was not read yet.
    :param behind_since: when each of them was right last, by the same clock.
    :param order: all rows of hosts, in the order in which this process
        begins with them. Each has another, as Nova's have: many would take
        the first of equal hosts.
    :param by_uuid: all rows of hosts, sorted by their UUIDs.
    :param provider_rows: the row of each host's provider; -1: there is none.
    :param oldest: version of the oldest nova-compute; 0: not known.
    :param in_trees: the rows of providers that are in the tree of a host's,
        beside its own.
    :param hosts_read_at: when the reading of hosts began, by the monotonic
        clock.
    """

    hosts: HostColumns
    providers: ProviderColumns
    unknown: Fallback | None
    read_at: float
    behind: Rows
    behind_since: Numbers
    order: Rows
    by_uuid: Rows
    provider_rows: Rows
    oldest: int
    in_trees: Rows
    hosts_read_at: float = math.inf

    def look(self, max_age_s: float) -> tuple[float, Rows]:
        """Return how old this is now, and which providers are not to be used.

        Hosts' own that changed longer ago are left out: of a large cloud, more
        may change in a busy minute than are read. Where they are many, none is
        left out, and this is as old as the oldest.

        :returns: seconds, and rows of providers; -1 for each that was not
            read yet.
        """
        now = time.monotonic()
        is_old = self.behind_since < now - max_age_s
        old = self.behind[is_old]
        if len(old) > MAX_OLD * len(self.provider_rows):
            old, is_old = old[:0], np.zeros_like(is_old)
        used = self.behind_since[~is_old].tolist()
        return now - min([self.read_at, *used]), old

    def select(self, candidates: Mask) -> Rows:
        """Return the hosts whose providers are candidates, in order."""
        fits = np.append(candidates, False)  # the last one is for row -1
        return self.order[fits[self.provider_rows][self.order]]

    def sort_by_uuid(self, rows: Rows) -> Rows:
        """Return rows of hosts, sorted by the UUIDs of these."""
        chosen = np.zeros(len(self.hosts), np.bool_)
        chosen[rows] = True
        return self.by_uuid[chosen[self.by_uuid]]

    def find_hosts(self, provider: str) -> list[int]:
        """Return the rows of the hosts whose provider this is."""
        row = self.providers.rows.get(provider)
        if row is None:
            return []
        rows: list[int] = np.flatnonzero(self.provider_rows == row).tolist()
        return rows

    def find_unknown(self, demand: Demand) -> Fallback | None:
        """Return why candidates can't be told for a demand; None: they can.

        Of a tree, placement counts the providers alone that give something.
        So the host's own answers where no other has what is demanded. Of
        custom traits, those are known that a provider has.
        """
        custom = demand.forbidden - _STANDARD_TRAITS
        if custom and not custom <= self.providers.list_traits():
            return Fallback.UNKNOWN_TRAIT
        if self.unknown or not len(self.in_trees):
            return self.unknown
        offering = self.providers.find_offering(demand.resources)
        return (
            Fallback.PROVIDER_TREES if offering[self.in_trees].any() else None
        )


def make(
    hosts: HostColumns, providers: ProviderColumns, unknown: Fallback | None,
    read_at: float, salt: str, last: Snapshot | None = None, oldest: int = 0,
    trees: Mapping[str, str] = MappingProxyType({}),
    behind: Mapping[str, float] = MappingProxyType({}),
    hosts_read_at: float = math.inf,
) -> Snapshot:
    """Return a snapshot.

    :param salt: of the order.
    :param last: the one before, of the same salt.
    :param oldest: see Snapshot.
    :param trees: the root of each provider that is in a tree of several.
    :param behind: when providers that changed since were right last.
    :param hosts_read_at: see Snapshot.
    """
    uuids = hosts.get_values('uuid')
    own = behind.keys() & set(uuids) if behind else set()
    # A tree without one that is not read looks like a single provider.
    read_at = min([read_at, *(behind[uuid] for uuid in behind.keys() - own)])
    if last is not None and last.hosts.rows is hosts.rows and bool(
        (last.hosts.get_values('uuid') == uuids).all()
    ):
        order, by_uuid = last.order, last.by_uuid
        is_same = last.providers.rows is providers.rows
        provider_rows = last.provider_rows if is_same else None
    else:
        order = np.argsort(
            [hash((salt, *key)) for key in hosts.keys], kind='stable'
        )
        by_uuid, provider_rows = np.argsort(uuids), None
    if provider_rows is None:
        provider_rows = np.array(
            [providers.rows.get(uuid, -1) for uuid in uuids], np.int64
        )
    return Snapshot(
        hosts, providers, unknown, read_at,
        np.array([providers.rows.get(uuid, -1) for uuid in own], np.int64),
        np.array([behind[uuid] for uuid in own], np.float64),
        order, by_uuid, provider_rows, oldest,
        _find_in_trees(providers, uuids, trees), hosts_read_at,
    )


def _find_in_trees(
    providers: ProviderColumns, hosts: Iterable[str], trees: Mapping[str, str]
) -> Rows:
    """Return the rows of providers in trees of hosts, but for their own."""
    own = trees.keys() & set(hosts) if trees else set()
    roots = {trees[uuid] for uuid in own}
    return np.array([
        providers.rows[uuid] for uuid, root in trees.items()
        if root in roots and uuid not in own and uuid in providers.rows
    ], np.int64)
