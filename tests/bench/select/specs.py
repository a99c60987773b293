"""Make requests for servers, as the conductor hands them on."""

from nova import context as nova_context
from nova import objects
from oslo_utils import uuidutils

#: What a server of make_spec takes.
AMOUNTS = {'VCPU': 1, 'MEMORY_MB': 2048, 'DISK_GB': 20}


def make_spec(with_topology=False):
    """Return a request for servers.

    :param with_topology: it wants a NUMA node, which the mirror leaves to
        Nova.
    """
    spec = objects.RequestSpec.from_components(
        nova_context.RequestContext('user', 'bench'),
        uuidutils.generate_uuid(),
        objects.ImageMeta(
            id=uuidutils.generate_uuid(), name='image',
            properties=objects.ImageMetaProps(),
        ),
        objects.Flavor(
            id=1, name='m1.small', flavorid='2', root_gb=20, ephemeral_gb=0,
            vcpus=1, memory_mb=2048, swap=0, rxtx_factor=1.0, vcpu_weight=0,
            disabled=False, is_public=True, extra_specs={},
        ),
        objects.InstanceNUMATopology(cells=[objects.InstanceNUMACell(
            id=0, cpuset={0}, pcpuset=set(), memory=2048,
        )]) if with_topology else None,
        objects.InstancePCIRequests(requests=[]), {}, None, None,
    )
    spec.requested_resources = []
    spec.request_level_params = objects.RequestLevelParams()
    return spec
