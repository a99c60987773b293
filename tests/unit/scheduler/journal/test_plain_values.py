"""Primitives are Nova's own, and hold no secrets."""

import testtools
from nova import objects

from nova_ext.scheduler.journal import plain_values
from tests.bench import nova_hosts


class PlainValuesTest(testtools.TestCase):
    """Request specs as plain values."""

    def setUp(self):
        """Make a request spec as nova-api does."""
        super().setUp()
        nova_hosts.prepare()
        self.spec = nova_hosts.make_request(**{'hw:cpu_policy': 'shared'})
        self.spec.scheduler_hints = {
            'group': ['g'], 'api_key': ['s3cret'],
            'url': ['http://u:s3cret@host/'],
        }

    def test_primitive(self):
        """Nova reads it as it reads its own."""
        read = objects.RequestSpec.obj_from_primitive(
            plain_values.to_primitive(self.spec)
        )
        self.assertEqual(
            _strip(self.spec.obj_to_primitive()),
            _strip(read.obj_to_primitive()),
        )

    def test_primitive_of_objects(self):
        """Objects in objects, in lists; sets, networks, what is not set."""
        self.spec.numa_topology = objects.InstanceNUMATopology(cells=[
            objects.InstanceNUMACell(
                id=number, cpuset={number, number + 8}, pcpuset=set(),
                memory=512, cpu_pinning={1: 2},
            ) for number in range(2)
        ])
        self.spec.pci_requests = objects.InstancePCIRequests(requests=[
            objects.InstancePCIRequest(
                count=1, spec=[{'vendor_id': '8086'}], alias_name='nic',
            ),
        ])
        self.spec.instance_group = objects.InstanceGroup(
            uuid='6b2f0f4e-3c5b-4a1b-9d0e-7f1f6a0c3c11', name='g',
            members=['a', 'b'], hosts=[], policy='anti-affinity',
            rules={'max_server_per_host': 2},
        )
        self.spec.requested_destination = objects.Destination(
            host='h', aggregates=['a,b'], forbidden_aggregates={'c'},
        )
        self.spec.requested_resources = [objects.RequestGroup(
            requester_id='r', resources={'VCPU': 1},
            required_traits={'CUSTOM_A'},
        )]
        self.spec.network_metadata = objects.NetworkMetadata(
            physnets={'physnet0'}, tunneled=True
        )
        self.spec.limits = objects.SchedulerLimits.from_dict({
            'numa_topology': objects.NUMATopologyLimits(
                cpu_allocation_ratio=1.0, ram_allocation_ratio=1.5
            ),
        })
        self.assertEqual(
            _strip(self.spec.obj_to_primitive()),
            plain_values.to_primitive(self.spec),
        )

    def test_masked(self):
        """Secrets in hints are masked, and named."""
        masked, places = plain_values.mask_spec(
            plain_values.to_primitive(self.spec)
        )
        self.assertNotIn('s3cret', str(masked))
        self.assertEqual(['hints.api_key', 'hints.url'], sorted(places))
        self.assertEqual(
            ['g'], masked['nova_object.data']['scheduler_hints']['group']
        )


def _strip(primitive):
    """Leave out which fields were changed: that is no fact."""
    if isinstance(primitive, dict):
        return {
            name: _strip(value) for name, value in primitive.items()
            if name != 'nova_object.changes'
        }
    if isinstance(primitive, list):
        return list(map(_strip, primitive))
    return primitive
