"""Read from placement what each compute node has free."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from openstack.exceptions import NotFoundException

from nova_ext.core.decision.decision import name_host
from nova_ext.metrics.cloud_client import CloudClient

_PATH = '/resource_providers'
_DISABLED = 'COMPUTE_STATUS_DISABLED'


@dataclass(frozen=True)
class Room:
    """Represent what a compute node has free, with all of its devices.

    :param host: its name in the decision record.
    :param free: units by resource class.
    :param is_empty: whether nothing is allocated.
    """

    host: str
    free: Mapping[str, int]
    is_empty: bool


class Rooms:
    """Read usages each time, and inventories whose provider changed."""

    def __init__(self) -> None:
        #: What each provider offers, at which generation, by UUID.
        self._offered: dict[str, tuple[int, Mapping[str, int]]] = {}

    def read(self, cloud: CloudClient) -> Sequence[Room]:
        """Return the room of each compute node that is not disabled.

        Resources that hosts share, such as a common disk, are left out. So is
        a node that is deleted meanwhile.
        """
        disabled = {
            each['uuid'] for each in cloud.get_placement(
                f'{_PATH}?required={_DISABLED}'
            )['resource_providers']
        }
        trees = defaultdict(list)
        for provider in cloud.get_placement(_PATH)['resource_providers']:
            trees[provider['root_provider_uuid']].append(provider)
        present = {each['uuid'] for tree in trees.values() for each in tree}
        for uuid in self._offered.keys() - present:
            del self._offered[uuid]
        rooms = []
        for node in cloud.connection.compute.hypervisors(details=True):
            if node.id not in disabled and node.id in trees:
                host = name_host(node.service_details['host'], node.name)
                try:
                    rooms.append(self._read(cloud, host, trees[node.id]))
                except NotFoundException:
                    continue
        return rooms

    def _read(
        self, cloud: CloudClient, host: str, tree: Sequence[Any]
    ) -> Room:
        free: Counter[str] = Counter()
        is_empty = True
        for provider in tree:
            path = f'{_PATH}/{provider["uuid"]}'
            # Deleting a server leaves the generation as it is, so usages are
            # read each time (placement.objects.allocation.delete_all).
            used = cloud.get_placement(f'{path}/usages')['usages']
            offered = self._read_offered(cloud, path, provider)
            for resource_class, units in offered.items():
                free[resource_class] += max(
                    0, units - used.get(resource_class, 0)
                )
            is_empty &= not any(used.values())
        return Room(host, free, is_empty)

    def _read_offered(
        self, cloud: CloudClient, path: str, provider: Mapping[str, Any]
    ) -> Mapping[str, int]:
        uuid, generation = provider['uuid'], provider['generation']
        known, offered = self._offered.get(uuid, (None, {}))
        if known != generation:
            inventories = cloud.get_placement(f'{path}/inventories')
            offered = {
                resource_class: math.floor(
                    (each['total'] - each['reserved'])
                    * each['allocation_ratio']
                ) for resource_class, each
                in inventories['inventories'].items()
            }
            self._offered[uuid] = generation, offered
        return offered
