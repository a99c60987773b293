"""Keep the servers of Nova's fake hypervisor across a restart."""

import sys
import uuid
from pathlib import Path
from typing import Any

import nova.virt
from nova import context, objects
from nova.compute import power_state
from nova.virt import fake

from nova_ext.lab.state.hosts import LabHost

#: Nova puts ``nova.virt.`` before ``[DEFAULT] compute_driver``.
_MODULE = 'nova_ext_lab'
_NAMESPACE = uuid.UUID('6cf54f0a-9d4d-5a0e-9a3b-1c1f5b0f6f0e')

_hosts: dict[str, LabHost] = {}


class LabDriver(fake.FakeDriver):
    """Fake a hypervisor of a given size, with a node id that stays."""

    def init_host(self, host: str) -> None:
        """Load the host's size, and the servers that ran on it."""
        super().init_host(host)
        size = _hosts[host]
        self.vcpus = size.vcpus
        self.memory_mb = size.ram_mb
        self.local_gb = size.disk_gb
        self.resources = fake.Resources(
            size.vcpus, size.ram_mb, size.disk_gb
        )
        instances = objects.InstanceList.get_by_host(
            context.get_admin_context(), host
        )
        for instance in instances:
            if instance.power_state not in (None, power_state.NOSTATE):
                self.instances[instance.uuid] = fake.FakeInstance(
                    instance.name, instance.power_state, instance.uuid
                )

    def get_available_resource(self, nodename: str) -> dict[str, Any]:
        """Return Nova's answer, with a node id that outlives the process."""
        resource = super().get_available_resource(nodename)
        if resource:
            resource['uuid'] = _node_id(nodename)
        return resource

    def get_nodenames_by_uuid(self, refresh: bool = False) -> dict[str, str]:
        """Return node names by their ids."""
        return {_node_id(name): name for name in self.get_available_nodes()}


def install(hosts: list[LabHost], state_path: Path) -> None:
    """Let Nova load the driver, and give it the hosts' sizes.

    :param state_path: Nova's folder. A compute reads its node id there, and
        writes a random one if there is none.
    """
    _hosts.update({host.name: host for host in hosts})
    module = sys.modules[__name__]
    sys.modules[f'nova.virt.{_MODULE}'] = module
    setattr(nova.virt, _MODULE, module)
    identity = state_path / 'compute_id'
    if not identity.exists():
        identity.write_text(_node_id('process'))


def _node_id(name: str) -> str:
    return str(uuid.uuid5(_NAMESPACE, name))
