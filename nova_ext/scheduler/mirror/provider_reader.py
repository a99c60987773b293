"""Read resource providers by placement's API, those that changed.

A provider's generation tells that it changed, but for one thing: deleting a
consumer's allocations with DELETE, as Nova does for deleted servers, leaves
it as it was (placement.objects.allocation.delete_all). nova-compute writes the
host's row shortly before. So a provider is read again, too, as long as its
host's row changed within the last minute. For claims that a scheduler takes
back no row changes. So the usages of all are swept slowly.
"""

import dataclasses
import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from nova_ext.engine.provider_columns import (
    Inventory,
    Provider,
    ProviderTable,
)
from nova_ext.scheduler.mirror.snapshot import TREES

#: Aggregates have a generation since 1.19, trees are seen since 1.14.
VERSION = '1.36'
SHARES = 'MISC_SHARES_VIA_AGGREGATE'
#: Seconds in which the usages of all providers are read, if placement is fast
#: enough.
SWEEP_S = 600


class PlacementError(Exception):
    """Say what placement answered in place of a provider."""


class ProviderReader:
    """Read providers into a table.

    :param get_client: returns Nova's report client. Workers make their own,
        after the fork.
    :param share: of the time, so much may pass in placement's answers while
        providers are read: 0.1 leaves it nine tenths to rest.
    :ivar unknown: why some hosts can't be answered for: trees of several
        providers, and shared ones; empty: all can.
    """

    def __init__(self, get_client: Callable[[], Any], share: float) -> None:
        self._get_client = get_client
        self._share = share
        self.unknown = ''
        #: When the newest reading of each began, by the monotonic clock.
        self._read_at: dict[str, float] = {}
        self._swept_at = time.monotonic()
        #: How many are to be swept.
        self._due = 0.0

    def read(
        self, table: ProviderTable, again: Collection[str]
    ) -> Mapping[str, float]:
        """Read the providers whose generation changed, and some others.

        :param again: UUIDs of those to be read in any case.
        :returns: when the reading of each that was read began, by the
            monotonic clock.
        :raises PlacementError: where placement does not answer as it should.
        """
        listed = self._get('/resource_providers')['resource_providers']
        table.keep(item['uuid'] for item in listed)
        read: dict[str, float] = {}
        for item in listed:
            known = table.get(item['uuid'])
            if (
                known is None or known.generation != item['generation']
                or item['uuid'] in again
            ):
                began = time.monotonic()
                provider = self._read_provider(item['uuid'])
                if provider is not None:
                    table.put(provider)
                    read[provider.uuid] = began
        read |= self._sweep(table, [
            item['uuid'] for item in listed if item['uuid'] not in read
        ])
        self._read_at = {
            item['uuid']: self._read_at.get(item['uuid'], 0.0)
            for item in listed
        } | read
        self.unknown = ''
        if any(item['parent_provider_uuid'] for item in listed):
            self.unknown = TREES
        elif any(SHARES in provider.traits for provider in table):
            self.unknown = 'shared providers'
        return read

    def _sweep(
        self, table: ProviderTable, uuids: Sequence[str]
    ) -> dict[str, float]:
        """Read the usages of those that were not read for longest."""
        now = time.monotonic()
        share = min(1.0, (now - self._swept_at) / SWEEP_S)
        self._swept_at = now
        oldest = sorted(uuids, key=lambda uuid: self._read_at.get(uuid, 0.0))
        read = {}
        self._due += share * len(oldest)
        count = math.floor(self._due)
        self._due -= count
        for uuid in oldest[:count]:
            known, began = table.get(uuid), time.monotonic()
            usages = self._get(f'/resource_providers/{uuid}/usages')
            # Of another generation it is read whole at the next turn.
            if known is not None and usages is not None and (
                usages['resource_provider_generation'] == known.generation
            ):
                table.put(dataclasses.replace(known, used=usages['usages']))
                read[uuid] = began
        return read

    def _read_provider(self, uuid: str) -> Provider | None:
        """Read all of a provider.

        :returns: None where it changed or went meanwhile; the next pass
            reads it again.
        """
        answers = [
            self._get(f'/resource_providers/{uuid}/{part}')
            for part in ('inventories', 'usages', 'traits', 'aggregates')
        ]
        generations = {
            answer and answer['resource_provider_generation']
            for answer in answers
        }
        if len(generations) > 1 or None in generations:
            return None
        inventories, usages, traits, aggregates = answers
        return Provider(
            uuid, generations.pop(),
            {
                name: Inventory(**{
                    field.name: values[field.name]
                    for field in dataclasses.fields(Inventory)
                })
                for name, values in inventories['inventories'].items()
            },
            usages['usages'], frozenset(traits['traits']),
            frozenset(aggregates['aggregates']),
        )

    def _get(self, url: str) -> Any:
        """Return placement's answer, and rest for as long as it deserves.

        :returns: None of what is not there any more.
        """
        began = time.monotonic()
        answer = self._get_client().get(url, version=VERSION)
        took_s = time.monotonic() - began
        time.sleep(took_s * (1 / self._share - 1))
        if answer.status_code == 404:
            return None
        if answer.status_code != 200:
            raise PlacementError(f'{url}: HTTP {answer.status_code}')
        return answer.json()
