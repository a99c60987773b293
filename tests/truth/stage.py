"""Keep what is arranged in a lab for one situation, and undo it."""

import contextlib
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from keystoneauth1 import exceptions

#: Seconds in which anything that is asked has ended.
DEADLINE_S = 120.0
_PAUSE_S = 0.05

_DISABLED = 'COMPUTE_STATUS_DISABLED'


class Stage:
    """Hold one situation's servers, groups and other things by their names.

    :param cloud: an administrator's clients, as those of
        :class:`nova_ext.lab.services.cloud.LabUser`.
    :param lab: changes what no API can, as :class:`tests.truth.lab.Lab`;
        None: nothing of that is arranged.
    """

    def __init__(self, cloud: Any, lab: Any = None) -> None:
        self.cloud = cloud
        self.lab = lab
        self.servers: dict[str, str] = {}
        self.groups: dict[str, str] = {}
        self.images: dict[str, str] = {}
        self.undo = contextlib.ExitStack()
        self.providers = {
            provider['name']: provider['uuid'] for provider in cloud.get(
                'placement', '/resource_providers'
            )['resource_providers']
        }

    def wait_until(self, condition: Callable[[], Any], what: str) -> Any:
        """Wait until a condition is true, and return what it returned.

        :raises TimeoutError: when the deadline passes.
        """
        deadline = time.monotonic() + DEADLINE_S
        while not (result := condition()):
            if time.monotonic() > deadline:
                raise TimeoutError(f'{what}: not within {DEADLINE_S:.0f} s')
            time.sleep(_PAUSE_S)
        return result

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Ask Nova for something."""
        return self.cloud.compute.post(path, json=body)

    def show(self, server: str) -> dict[str, Any]:
        """Return a server, as Nova shows it."""
        shown: dict[str, Any] = self.cloud.get(
            'compute', f'/servers/{server}'
        )['server']
        return shown

    def set_services(self, hosts: Iterable[str], **body: Any) -> None:
        """Change the nova-compute services of hosts."""
        services = self._list_services()
        for host in hosts:
            self.cloud.compute.put(
                f'/os-services/{services[host]["id"]}', json=body
            )

    def wait_for_disabled(self) -> None:
        """Wait until placement knows which hosts are disabled."""
        disabled = {
            host for host, service in self._list_services().items()
            if service['status'] == 'disabled'
        }
        self.wait_until(lambda: disabled == {
            provider['name'] for provider in self.cloud.get(
                'placement', f'/resource_providers?required={_DISABLED}'
            )['resource_providers']
        }, 'the trait of disabled hosts')

    def wait_for_mirror(self) -> None:
        """Wait until the scheduler's mirror has read all that is arranged."""
        arranged = time.monotonic()

        def has_read() -> bool:
            asked = time.monotonic()
            try:
                answer = self.cloud.get('scheduler', '/v1/mirrors')
            except exceptions.GatewayTimeout:  # of a busy machine
                return False
            mirrors = answer['mirrors']
            return bool(mirrors) and all(
                mirror['state'] == 'on'
                and mirror['age_s'] < asked - arranged
                and mirror['providers_read'] == mirror['providers']
                for mirror in mirrors
            )

        self.wait_until(has_read, 'the mirror')

    def allocate(self, host: str, resource: str, amount: int) -> None:
        """Allocate a host's resources to nobody."""
        most = self.inventory(host)[resource]['max_unit']
        while amount > 0:
            part = min(amount, most)
            amount -= part
            self.cloud.placement.put(f'/allocations/{uuid.uuid4()}', json={
                'allocations': {
                    self.providers[host]: {'resources': {resource: part}}
                },
                'project_id': 'nobody', 'user_id': 'nobody',
                'consumer_generation': None, 'consumer_type': 'NOBODY',
            })

    def count_capacity(self, host: str, resource: str) -> int:
        """Return how much of a resource a host offers to servers."""
        has = self.inventory(host)[resource]
        return int((has['total'] - has['reserved']) * has['allocation_ratio'])

    def inventory(self, host: str) -> dict[str, Any]:
        """Return what placement knows that a host has, by resource class."""
        inventories: dict[str, Any] = self.cloud.get(
            'placement',
            f'/resource_providers/{self.providers[host]}/inventories',
        )['inventories']
        return inventories

    def close(self) -> None:
        """Undo all of it: services first, and what servers are in last."""
        services = self._list_services()
        if self.lab is not None:
            self.lab.end_evacuations()
        self.set_services((
            host for host, service in services.items()
            if service['forced_down']
        ), forced_down=False)
        self.set_services((
            host for host, service in services.items()
            if service['status'] == 'disabled'
        ), status='enabled')
        self.wait_for_disabled()
        self._delete_servers()
        for provider in self.providers.values():
            self._free(provider)
        self.undo.close()

    def _list_services(self) -> dict[str, dict[str, Any]]:
        return {
            service['host']: service for service in self.cloud.get(
                'compute', '/os-services?binary=nova-compute'
            )['services']
        }

    def _delete_servers(self) -> None:
        def left() -> list[dict[str, Any]]:
            listed: list[dict[str, Any]] = self.cloud.get(
                'compute', '/servers'
            )['servers']
            return listed

        for server in left():
            with contextlib.suppress(exceptions.NotFound):
                self.cloud.compute.delete(f'/servers/{server["id"]}')
        self.wait_until(lambda: not left(), 'servers deleted')

    def _free(self, provider: str) -> None:
        """Free what others hold of a provider.

        DELETE would not raise the provider's generation, by which a mirror
        finds what it has to read.
        """
        for consumer in self.cloud.get(
            'placement', f'/resource_providers/{provider}/allocations'
        )['allocations']:
            path = f'/allocations/{consumer}'
            held = self.cloud.get('placement', path)
            if held['allocations']:
                with contextlib.suppress(exceptions.Conflict):
                    self.cloud.placement.put(
                        path, json={**held, 'allocations': {}}
                    )
