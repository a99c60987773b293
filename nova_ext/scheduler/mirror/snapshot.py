"""Hold what the cloud was at one moment."""

from dataclasses import dataclass

import numpy as np

from nova_ext.engine.filtering import Rows
from nova_ext.engine.host_columns import HostColumns
from nova_ext.engine.provider_columns import (
    Demand,
    Mask,
    ProviderColumns,
)

#: Hosts have providers beside their own.
TREES = 'trees of providers'


@dataclass(frozen=True)
class Snapshot:
    """Hold what the cloud was at one moment.

    :param unknown: why a host's own provider may not answer for all that
        the host has; empty: it does.
    :param read_at: when the reading began, by the monotonic clock.
    :param order: all rows of hosts, in the order in which this process
        begins with them. Each has another, as Nova's have: many would take
        the first of equal hosts.
    :param provider_rows: the row of each host's provider; -1: there is none.
    """

    hosts: HostColumns
    providers: ProviderColumns
    unknown: str
    read_at: float
    order: Rows
    provider_rows: Rows

    def select(self, candidates: Mask) -> Rows:
        """Return the hosts whose providers are candidates, in order."""
        own = self.provider_rows[self.order]
        fits = np.append(candidates, False)  # the last one is for row -1
        return self.order[fits[own]]

    def find_hosts(self, provider: str) -> list[int]:
        """Return the rows of the hosts that a provider is of."""
        row = self.providers.rows.get(provider)
        if row is None:
            return []
        rows: list[int] = np.flatnonzero(self.provider_rows == row).tolist()
        return rows

    def find_unknown(self, demand: Demand) -> str:
        """Return why candidates can't be told for a demand; empty: they can.

        Of a tree, placement counts the providers alone that give something.
        So the host's own answers where no other has what is demanded.
        """
        if self.unknown != TREES:
            return self.unknown
        others = self.providers.find_offering(demand.resources)
        others[self.provider_rows[self.provider_rows >= 0]] = False
        return self.unknown if others.any() else ''


def make(
    hosts: HostColumns, providers: ProviderColumns, unknown: str,
    read_at: float, salt: str,
) -> Snapshot:
    """Return a snapshot.

    :param salt: of the order.
    """
    return Snapshot(
        hosts, providers, unknown, read_at,
        np.argsort([hash((salt, *key)) for key in hosts.keys], kind='stable'),
        np.array([
            providers.rows.get(state.uuid, -1) for state in hosts.states
        ], np.int64),
    )
