"""Answer for placement as if nothing were allocated in the cloud.

Placement leaves out hosts that are full, and can't be asked otherwise. So it
is asked which providers a request may use, and what each of them offers.
"""

import math
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib import parse

from nova.scheduler.client import report

from nova_ext.core.base.scheduling_errors import SchedulingError
from nova_ext.core.decision import placement_query

#: Several keys ``required`` in one query.
_VERSION = '1.39'
#: Demands on a provider itself. ``limit`` is none.
_KEPT = ('in_tree', 'member_of', 'required', 'root_required')
_SHARING = 'MISC_SHARES_VIA_AGGREGATE'
#: Seconds after which inventories are read again. They seldom change.
_KEPT_S = 3600.0

#: When each provider's inventories were read, and what they are.
_inventories: dict[str, tuple[float, Mapping[str, Any]]] = {}


class EmptyCloud:
    """Answer for placement; claim nothing.

    :param ends: when no more inventories are read, of the monotonic clock.
        Those that were read are kept for the next request.
    """

    def __init__(self, ends: float) -> None:
        self._client = report.report_client_singleton()
        self._ends = ends

    def get_allocation_candidates(self, context: Any, resources: Any) -> Any:
        """Return the candidates on empty hosts, each of one provider.

        :raises SchedulingError: where providers share, or several of one host
            offer, what is asked for; or where reading takes too long.
        """
        query = resources.to_querystring()
        demands, suffixes = placement_query.list_demands(query)
        amounts = dict(
            each.resource for each in demands if each.kind == 'resources'
        )
        if suffixes or not amounts:
            raise _NotKnownError('several groups of resources')
        self._check_shared(amounts)
        candidates: list[Any] = []
        summaries: dict[str, Any] = {}
        for uuid, inventories in self._list_offering(query, amounts):
            summaries[uuid] = {
                'resources': {
                    name: {'capacity': _count_units(each), 'used': 0}
                    for name, each in inventories.items()
                },
                'traits': [], 'parent_provider_uuid': None,
                'root_provider_uuid': uuid,
            }
            if all(
                _fits(inventories[name], amount)
                for name, amount in amounts.items()
            ):
                candidates.append({
                    'allocations': {uuid: {'resources': amounts}},
                    'mappings': {'': [uuid]},
                })
        return candidates, summaries, report.SAME_SUBTREE_VERSION

    def _check_shared(self, amounts: Mapping[str, int]) -> None:
        for provider in self._list([('required', _SHARING)]):
            if amounts.keys() & self._read(provider['uuid']).keys():
                raise _NotKnownError('resources that hosts share')

    def _list_offering(
        self, query: str, amounts: Mapping[str, int]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the hosts' own providers that have all resource classes."""
        kept = [
            (key.removeprefix('root_'), value)
            for key, value in parse.parse_qsl(query) if key in _KEPT
        ]
        for provider in self._list(kept):
            uuid = provider['uuid']
            inventories = self._read(uuid)
            offered = amounts.keys() & inventories.keys()
            if offered and provider['root_provider_uuid'] != uuid:
                raise _NotKnownError('resources of several providers')
            if offered == amounts.keys():
                yield uuid, inventories

    def _list(self, query: list[tuple[str, str]]) -> Any:
        return self._get(
            f'/resource_providers?{parse.urlencode(query)}'
        )['resource_providers']

    def _read(self, uuid: str) -> Mapping[str, Any]:
        read_at, inventories = _inventories.get(uuid, (-math.inf, {}))
        now = time.monotonic()
        if now - read_at > _KEPT_S:
            if now > self._ends:
                raise SchedulingError(
                    f'the inventories of {len(_inventories)} providers are '
                    f'read so far; ask again'
                )
            inventories = self._get(
                f'/resource_providers/{uuid}/inventories'
            )['inventories']
            _inventories[uuid] = now, inventories
        return inventories

    def _get(self, url: str) -> Any:
        answer = self._client.get(url, version=_VERSION)
        if answer.status_code != 200:
            raise SchedulingError(
                f'placement answers {url} with HTTP {answer.status_code}'
            )
        return answer.json()


class _NotKnownError(SchedulingError):
    """Report a request that can't be answered."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f'what fits into an empty cloud is not known of {what}'
        )


def empty_host(host: Any) -> None:
    """Take all servers off a host state."""
    host.instances = {}
    host.num_instances = host.num_io_ops = host.vcpus_used = 0
    host.disk_mb_used = 0
    host.free_ram_mb = host.total_usable_ram_mb
    host.free_disk_mb = host.total_usable_disk_gb * 1024


def check_request(spec: Any) -> None:
    """Refuse what host states alone know of their servers.

    :raises SchedulingError: for processors or devices of a host.
    """
    if spec.numa_topology:
        raise _NotKnownError('a NUMA topology')
    if spec.pci_requests and spec.pci_requests.requests:
        raise _NotKnownError('PCI devices')


def _count_units(inventory: Mapping[str, Any]) -> int:
    return math.floor(
        (inventory['total'] - inventory['reserved'])
        * inventory['allocation_ratio']
    )


def _fits(inventory: Mapping[str, Any], amount: int) -> bool:
    return (
        inventory['min_unit'] <= amount <= min(
            inventory['max_unit'], _count_units(inventory)
        ) and amount % inventory['step_size'] == 0
    )
