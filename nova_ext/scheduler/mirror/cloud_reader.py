"""Read a cloud into snapshots, each time what changed.

Hosts are read from Nova's databases, providers from a file that one worker of
the machine writes.
"""

import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from nova.objects.cell_mapping import CellMapping

from nova_ext.core.decision.fallback import Fallback
from nova_ext.engine.host_columns import Readers
from nova_ext.engine.host_table import HostTable
from nova_ext.engine.provider_table import ProviderTable
from nova_ext.engine.providers import Provider
from nova_ext.scheduler.base import options
from nova_ext.scheduler.mirror import snapshot
from nova_ext.scheduler.mirror.hosts.host_reader import HostReader
from nova_ext.scheduler.mirror.providers.machine_reader import MachineReader
from nova_ext.scheduler.mirror.providers.open_file import Listing, OpenFile
from nova_ext.scheduler.mirror.providers.provider_file import ProviderFile
from nova_ext.scheduler.mirror.providers.provider_tables import DamagedError
from nova_ext.scheduler.mirror.snapshot import Snapshot

T = TypeVar('T')

#: Of one of placement's cores, so much may the readers of a cloud take.
PLACEMENT_SHARE = 0.1
#: A trait of providers whose inventories others use.
_SHARES = 'MISC_SHARES_VIA_AGGREGATE'


class CloudReader:
    """Read a cloud. One thread at a time reads hosts, or makes a snapshot.

    :param host_manager: Nova's.
    :param get_client: returns Nova's report client.
    :param readers: read the columns of hosts.
    :ivar host_reader: reads hosts.
    :ivar placement: reads providers into the file.
    :ivar providers: those of the last snapshot.
    :ivar hosts: those that were read.
    """

    def __init__(
        self, host_manager: Any, get_client: Callable[[], Any],
        readers: Readers,
    ) -> None:
        self._salt = ''
        self.hosts = HostTable(readers)
        self.providers = ProviderTable()
        self.host_reader = HostReader(host_manager)
        #: When the last reading of hosts began.
        self._hosts_read_at = 0.0
        self.file = ProviderFile(_get_path(host_manager.cells))
        self.placement = MachineReader(
            self.file, get_client, PLACEMENT_SHARE,
            lambda: self.host_reader.changed_at,
        )
        #: What was taken from the file last.
        self._listing: Listing | None = None
        #: When the reading of those not in a snapshot yet began, and they.
        self._taken: dict[str, tuple[float, Provider]] = {}

    def read_hosts(self, wanted: Mapping[str, float]) -> None:
        """Have providers read, and read hosts.

        :param wanted: see :meth:`Ledger.list_wanted`.
        """
        began = time.monotonic()
        if wanted:
            with self.file.open() as file:
                file.want(wanted)
            self.placement.wake()
        self.host_reader.read(self.hosts)
        self._hosts_read_at = began

    def make_snapshot(self, last: Snapshot | None) -> Snapshot | None:
        """Take from the file what changed, and make a snapshot.

        :param last: the one before.
        :returns: None where rows are missing.
        """
        known = self._listing
        with self.file.open() as file:
            taken = file.take(
                known.epoch if known else '', known.serial if known else 0
            )
        self._listing = taken.listing
        for read_at, provider in taken.rows:
            self.providers.put(provider)
            self._taken[provider.uuid] = read_at, provider
        self.providers.keep(taken.uuids)
        if taken.listing.right_at is None:
            return None
        # Not in the constructor, which runs before workers are forked.
        self._salt = self._salt or secrets.token_hex()
        return snapshot.make(
            self.hosts.freeze(), self.providers.freeze(),
            Fallback.SHARED_PROVIDERS if any(
                _SHARES in provider.traits for provider in self.providers
            ) else None,
            min(self._hosts_read_at, taken.listing.right_at), self._salt,
            last, self.host_reader.oldest, taken.trees, {
                uuid: right_at for uuid, right_at in taken.behind.items()
                if right_at is not None
            }, self._hosts_read_at,
        )

    def pop_taken(self) -> Mapping[str, tuple[float, Provider]]:
        """Return the providers that are new in a snapshot, once.

        :returns: when the reading of each began, and what was read.
        """
        taken, self._taken = self._taken, {}
        return taken

    def count_providers(self) -> tuple[int, int] | None:
        """Return how many providers placement has, and how many were read.

        :returns: None where the file can't be read.
        """
        counts = self._ask_file(lambda file: (
            file.get_listing().providers, len(file.list_behind())
        ))
        return counts and (counts[0], counts[0] - counts[1])

    def has_newer(self) -> bool:
        """Say whether the file has newer rows than were taken, for use."""
        listing = self._ask_file(OpenFile.get_listing)
        right_at, known = listing and listing.right_at, self._listing
        return right_at != (known and known.right_at) and is_fresh(right_at)

    def _ask_file(self, ask: Callable[[OpenFile], T]) -> T | None:
        """Return what the file has; None where it can't be read."""
        try:
            with self.file.open() as file:
                return ask(file)
        except (OSError, sqlite3.Error, DamagedError):
            return None


def is_fresh(read_at: float | None) -> bool:
    """Say whether what was right at a time may be used."""
    return read_at is not None and (
        time.monotonic() - read_at <= options.CONF.nova_ext.mirror_max_age_s
    )


def _get_path(cells: Iterable[str]) -> Path:
    """Return the path of the file of a cloud.

    :param cells: UUIDs of its cells. Each cloud has others.
    """
    cloud = min(
        set(cells) - {CellMapping.CELL0_UUID}, default=CellMapping.CELL0_UUID
    )
    return Path(options.CONF.nova_ext.mirror_path) / f'{cloud}.db'
