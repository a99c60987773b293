"""Show the cloud after earlier steps of a rolling upgrade.

The hosts of an earlier step are back, without the servers that left them.
Nova and placement still have these servers there. So their room is added to
the host states and to placement's answer, which leaves out hosts that are
full now.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any
from urllib import parse

from nova.scheduler.client import report
from nova.virt import hardware

from nova_ext.core.rpc.move_request import MoveRequest
from nova_ext.core.rpc.rehearsal import MoveOutcome, RehearsedMove
from nova_ext.scheduler.what_if.moves.move_spec import MoveSpec
from nova_ext.scheduler.what_if.rehearse.moved_servers import MovedServer

#: The microversion of placement in which ``required`` may be repeated.
_VERSION = '1.39'
#: What a query for candidates has in a request without groups of its own.
_SIMPLE = {'resources', 'required', 'root_required', 'member_of', 'limit'}


class ReturnedHosts:
    """Know where the servers of earlier steps are, and what they left.

    :param moves: of the steps before.
    :ivar places: the host of each server that moved, by its UUID.
    :ivar moves: the last move of each of these.
    """

    def __init__(self, context: Any, moves: Iterable[RehearsedMove]) -> None:
        self.moves = {
            move.server: move for move in moves
            if move.outcome == MoveOutcome.PLACED
        }
        self.places = {
            server: move.host for server, move in self.moves.items()
        }
        self._client = report.report_client_singleton()
        #: Servers and what they left, by the host on which Nova has them.
        self._left: dict[str, list[tuple[Any, Any]]] = defaultdict(list)
        self._free: dict[str, Counter[str]] = defaultdict(Counter)
        for move in self.moves.values():
            server = MoveSpec(
                context, MoveRequest(move.server, move.operation)
            ).server
            claims = self._client.get_allocs_for_consumer(
                context, move.server
            )['allocations']
            self._left[server.host].append((server, claims))
            for provider, claim in claims.items():
                self._free[provider].update(claim['resources'])

    def list_servers(
        self, servers: Iterable[MovedServer], hosts: Sequence[str]
    ) -> list[MovedServer]:
        """Return the servers of hosts, as the steps before leave them.

        :param servers: those that Nova has there.
        """
        here = [server for server in servers if server.uuid not in self.places]
        return here + [
            MovedServer(
                server.uuid, server.display_name, self.places[server.uuid],
                server.vm_state, server.task_state, server.power_state,
                server.project_id, server.user_id, server.flavor,
            ) for left in self._left.values() for server, _ in left
            if self.places[server.uuid] in hosts
        ]

    def free_host(self, host: Any) -> None:
        """Give back in a host state what servers left that moved."""
        for server, claims in self._left.get(host.host, ()):
            claim = claims.get(host.uuid)
            if claim is None or host.instances.pop(server.uuid, None) is None:
                continue
            resources = claim['resources']
            host.num_instances -= 1
            host.free_ram_mb += resources.get('MEMORY_MB', 0)
            host.free_disk_mb += 1024 * resources.get('DISK_GB', 0)
            host.vcpus_used -= resources.get('VCPU', 0) + resources.get(
                'PCPU', 0
            )
            if host.numa_topology and server.numa_topology:
                host.numa_topology = hardware.numa_usage_from_instance_numa(
                    host.numa_topology, server.numa_topology, free=True
                )

    def change_group(self, spec: Any) -> None:
        """Name the hosts on which a group's members are after the steps."""
        group = spec.instance_group
        if group is None or group.hosts is None or not self.places:
            return
        moved = [each for each in group.members if each in self.places]
        group.hosts = sorted({
            *group.get_hosts(exclude=moved), *map(self.places.get, moved)
        })
        group.obj_reset_changes(['hosts'])

    def add_room(self, context: Any, answer: Any, resources: Any) -> Any:
        """Return placement's answer as it would be after the steps.

        :param answer: to a query for allocation candidates.
        :param resources: Nova's ResourceRequest.
        """
        if not self._free:
            return answer
        candidates, summaries, version = answer or ([], {}, None)
        candidates, summaries = list(candidates), dict(summaries)
        for provider in self._free:
            if provider in summaries:
                summaries[provider] = self._give_back(
                    provider, summaries[provider]
                )
            elif added := self._find(context, provider, resources):
                candidates.append(added[0])
                summaries[provider] = added[1]
        return candidates, summaries, version

    def _give_back(self, provider: str, summary: Any) -> Any:
        return {**summary, 'resources': {
            resource: {
                **amounts,
                'used': amounts['used'] - self._free[provider][resource],
            } for resource, amounts in summary['resources'].items()
        }}

    def _find(self, context: Any, provider: str, resources: Any) -> Any:
        """Return the candidate and the summary of a host that was full.

        Placement says whether it has the traits and aggregates. A request
        with groups of its own, as for devices, is not looked up: the host
        counts as full.
        """
        query = parse.parse_qs(resources.to_querystring())
        if set(query) - _SIMPLE:
            return None
        wanted = {
            name: int(amount) for name, amount in (
                each.rsplit(':', 1)
                for each in query['resources'][0].split(',')
            )
        }
        matching = self._get(context, '/resource_providers?' + parse.urlencode(
            {
                'uuid': provider, 'member_of': query.get('member_of', []),
                'required': [
                    *query.get('required', []),
                    *query.get('root_required', []),
                ],
            }, doseq=True,
        ))['resource_providers']
        path = f'/resource_providers/{provider}'
        inventories = matching and self._get(
            context, f'{path}/inventories'
        )['inventories']
        if not inventories or any(
            not _takes(inventories.get(name), amount)
            for name, amount in wanted.items()
        ):
            return None
        usages = self._get(context, f'{path}/usages')['usages']
        return {
            'allocations': {provider: {'resources': wanted}},
            'mappings': {'': [provider]},
        }, self._give_back(provider, {
            'resources': {
                name: {
                    'capacity': int(
                        (each['total'] - each['reserved'])
                        * each['allocation_ratio']
                    ),
                    'used': usages.get(name, 0),
                } for name, each in inventories.items()
            },
            'traits': [], 'parent_provider_uuid': None,
            'root_provider_uuid': provider,
        })

    def _get(self, context: Any, url: str) -> Any:
        answer = self._client.get(
            url, version=_VERSION, global_request_id=context.global_id
        )
        answer.raise_for_status()
        return answer.json()


def _takes(inventory: Any, amount: int) -> bool:
    """Say whether an inventory takes an amount, if it is empty."""
    return bool(
        inventory
        and inventory['min_unit'] <= amount <= inventory['max_unit']
        and amount % inventory['step_size'] == 0
    )
