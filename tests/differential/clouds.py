"""Make random hosts and requests, of Nova's own objects."""

import datetime
import random
import types
import uuid

from nova import objects
from nova.scheduler import host_manager
from oslo_utils import timeutils

#: Options of [filter_scheduler], with values among which one is drawn.
OPTIONS = {
    'aggregate_image_properties_isolation_namespace': [None, None, 'hw'],
    'aggregate_image_properties_isolation_separator': ['_', '.'],
    'host_subset_size': [1, 1, 2, 3, 50],
    'image_properties_default_architecture': [None, None, 'x86_64'],
    'isolated_hosts': [[], [], ['h1', 'h3']],
    'isolated_images': [[], [str(uuid.UUID(int=7))]],
    'max_instances_per_host': [50, 5],
    'max_io_ops_per_host': [8, 3],
    'restrict_isolated_hosts_to_isolated_images': [True, False],
    'shuffle_best_same_weighed_hosts': [False, True],
    **{
        f'{name}_weight_multiplier': [1.0, 1.0, 0.0, -1.0, 1e6, 0.1]
        for name in (
            'cpu', 'cross_cell_move', 'disk',
            'hypervisor_version', 'io_ops', 'num_instances', 'ram',
        )
    },
    **{
        f'{name}_weight_multiplier': [1.0, 0.0, 3.5]
        for name in (
            'build_failure', 'pci', 'soft_affinity', 'soft_anti_affinity',
        )
    },
}
#: Options of [metrics], as above.
METRICS = {
    'required': [False, False, True],
    'weight_multiplier': [1.0, 0.0, -2.5],
    'weight_of_unavailable': [-10000.0, 3.0],
    'weight_setting': [
        [], [], ['cpu.percent=1.0'], ['cpu.percent=-2', 'cpu.frequency=0.1'],
    ],
}
#: Options that not every release of Nova has.
IMAGE_PROPERTIES = {
    'image_props_weight_multiplier': [0.0, 0.0, 1.0, -2.5],
    'image_props_weight_setting': [[], ['hw_machine_type=2', 'os_type=-0.1']],
}
_METADATA = {
    'build_failure_weight_multiplier': ['0', '12.5'],
    'cpu_weight_multiplier': ['2', '0.3', '-1', 'x'],
    'disk_weight_multiplier': ['0', '-3.5'],
    'headroom_weight_multiplier': ['2', '-1', '0', 'x', 'inf'],
    'filter_tenant_id': ['p1', 'p2', 'p1,p3'],
    'hw_architecture': ['x86_64', 'ppc64'],
    'instance_type': ['m1', 'm2, m3'],
    'io_ops_weight_multiplier': ['-2.5'],
    'max_instances_per_host': ['3', '9', 'none'],
    'max_io_ops_per_host': ['2', '6', '?'],
    'num_instances_weight_multiplier': ['-1.5', '2'],
    'pci_weight_multiplier': ['0.5'],
    'ram_weight_multiplier': ['0', '7.25', '1e308', 'nan', 'inf'],
    'soft_affinity_weight_multiplier': ['0', '4'],
    'soft_anti_affinity_weight_multiplier': ['0.7'],
    'ssd': ['true', 'false'],
}
_SPECS = {
    'aggregate_instance_extra_specs:ssd': ['true', '<or> false <or> true'],
    'capabilities:hypervisor_version': ['>= 2000', 's== 1001'],
    'free_ram_mb': ['>= 1024', '>= 2048'],
    'hw:maxphysaddr_bits': ['40'],
    'hw:mem_page_size': ['any'],
    'quota:cpu_shares': ['10'],
    'trait:HW_CPU_X86_AVX2': ['required'],
}
_HINTS = {
    'build_near_host_ip': [['10.0.0.1']],
    'cidr': [['/30']],
    'different_host': [['i1'], ['i2', 'i4'], [' ']],
    'requested_host': [['h1'], ['H0', 'h3'], ['']],
    'stats:load1': [['<= 3'], ['>= 6'], ['< 1']],
    'query': [['[">=", "$free_ram_mb", 2048]']],
    'same_host': [['i1', 'i3']],
}
_PROPERTIES = {
    'hw_architecture': ['x86_64', 'ppc64'],
    'hw_vm_mode': ['hvm'],
    'img_hv_requested_version': ['>=2.0'],
    'img_hv_type': ['qemu', 'kvm'],
}
PROJECTS = ('p1', 'p2')
#: A server that is moved: a host may have it.
OWN = str(uuid.UUID(int=2))


class Generator:
    """Make hosts and requests of one cloud.

    :param seed: the same cloud comes of the same seed.
    """

    def __init__(self, seed):
        self.random = random.Random(seed)  # noqa: S311  not a secret
        #: Of the hosts, so many tell of a metric.
        self._metrics_share = self.random.choice((0.0, 0.8, 1.0))
        self._aggregates = [
            self._make_aggregate(number)
            for number in range(self.random.randrange(4))
        ]

    def make_hosts(self):
        """Return host states, up to 14."""
        count = self.random.choice((1, 2, 3, 5, 8, 14))
        return [self._make_host(number) for number in range(count)]

    def make_busy_hosts(self, count):
        """Return host states that are up, each with room, few alike."""
        states = []
        for number in range(count):
            state = self._make_host(number)
            state.free_ram_mb = self.random.randrange(1024, 262144)
            state.free_disk_mb = 1024 * self.random.randrange(20, 4000)
            state.vcpus_used = self.random.randrange(64)
            state.num_instances = self.random.randrange(40)
            state.aggregates = []
            state.service.update(
                disabled=False, forced_down=False,
                last_seen_up=timeutils.utcnow(),
            )
            states.append(state)
        return states

    def make_plain_spec(self):
        """Return a request spec that rules out no host by itself."""
        spec = self.make_spec()
        spec.requested_destination = spec.ignore_hosts = None
        spec.flavor.extra_specs = spec.scheduler_hints = {}
        spec.image.properties = objects.ImageMetaProps()
        spec.instance_group = None
        return spec

    def make_spec(self):
        """Return a request spec."""
        properties = self._draw(_PROPERTIES)
        image = objects.ImageMeta(
            id=str(uuid.UUID(int=self.random.choice((7, 8)))),
            properties=objects.ImageMetaProps.from_dict(properties),
        )
        return objects.RequestSpec(
            image=image,
            flavor=objects.Flavor(
                name=self.random.choice(('m1', 'm2', 'm4')), vcpus=1,
                memory_mb=512, root_gb=1, ephemeral_gb=0, swap=0,
                extra_specs=self._draw(_SPECS),
            ),
            project_id=self.random.choice(PROJECTS),
            scheduler_hints=self._draw(_HINTS),
            instance_group=self._make_group(),
            instance_uuid=self.random.choice((self._make_uuid(), OWN)),
            num_instances=1,
            numa_topology=None, pci_requests=None, requested_resources=[],
            ignore_hosts=self.random.choice((None, None, None, ['H1', 'h2'])),
            force_hosts=None, force_nodes=None,
            requested_destination=self._make_destination(), retry=None,
            limits=None,
        )

    def _make_host(self, number):
        state = host_manager.HostState(f'h{number}', f'n{number}', 'cell')
        draw = self.random.choice
        state.uuid = self._make_uuid()
        state.free_ram_mb = draw((0, 512, 2048, 4096, 4097, -100))
        state.total_usable_ram_mb = 8192
        state.free_disk_mb = draw((0, 10240, 20480, 20481))
        state.vcpus_total = draw((4, 8, 16))
        state.vcpus_used = draw((0, 1, 3, 8))
        state.cpu_allocation_ratio = draw((1.0, 4.0, 1.1))
        state.ram_allocation_ratio = state.disk_allocation_ratio = 1.0
        state.num_instances = draw((0, 2, 4, 20))
        state.num_io_ops = draw((0, 1, 2, 5))
        state.failed_builds = draw((0, 0, 0, 1, 4))
        state.hypervisor_version = draw((None, 1001, 2000, 2000))
        state.hypervisor_type = 'QEMU'
        state.cpu_info = draw(('{}', '{"maxphysaddr": {"bits": 46}}'))
        state.supported_instances = draw((
            [], [['x86_64', 'qemu', 'hvm']],
            [['x86_64', 'kvm', 'hvm'], ['ppc64', 'kvm', 'hvm']],
        ))
        state.host_ip = f'10.0.0.{draw((1, 2, 9))}'
        state.stats = {}
        state.metrics = objects.MonitorMetricList(objects=[
            objects.MonitorMetric(name=name, value=draw((0, 7, 93)))
            for name in ('cpu.percent', 'cpu.frequency')
            if self.random.random() < self._metrics_share
        ])
        state.aggregates = [
            a for a in self._aggregates if self.random.random() < 0.5
        ]
        state.instances = {
            name: self._make_server()
            for name in ('i1', 'i2', 'i3', 'i4', OWN)
            if self.random.random() < 0.2
        }
        state.service = {
            'disabled': self.random.random() < 0.1,
            'forced_down': self.random.random() < 0.1,
            'disabled_reason': None,
            'binary': 'nova-compute', 'host': state.host,
            'created_at': timeutils.utcnow(),
            'last_seen_up': draw((
                timeutils.utcnow(), timeutils.utcnow(), None,
                timeutils.utcnow() - datetime.timedelta(hours=1),
            )),
        }
        return state

    def _make_server(self):
        """Return what ImagePropertiesWeigher reads of a server."""
        properties = {
            'hw_machine_type': ['pc', 'q35'], 'os_type': ['linux', 'windows'],
        }
        return types.SimpleNamespace(image_meta=objects.ImageMeta(
            properties=objects.ImageMetaProps.from_dict(self._draw(properties))
        ))

    def _make_aggregate(self, number):
        return objects.Aggregate(
            id=number, name=f'a{number}',
            metadata=self._draw(_METADATA),
        )

    def _make_group(self):
        if self.random.random() < 0.8:
            return None
        policy = self.random.choice((
            'affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity',
        ))
        return objects.InstanceGroup(
            uuid=self._make_uuid(), policy=policy, policies=[policy],
            hosts=self.random.choice(([], ['h0', 'h2'])),
            rules=self.random.choice(({}, {'max_server_per_host': 2})),
            members=self.random.choice((['i1', 'i3'], ['i1', 'i2', 'i4'])),
        )

    def _make_destination(self):
        if self.random.random() < 0.9:
            return None
        destination = objects.Destination(allow_cross_cell_move=False)
        if self.random.random() < 0.7:
            destination.host = self.random.choice(('h0', 'h1'))
            destination.node = self.random.choice((None, 'n0'))
        return destination

    def _make_uuid(self):
        return str(uuid.UUID(int=self.random.getrandbits(128)))

    def _draw(self, values):
        """Return some of the keys, few or many, with a value of each."""
        share = self.random.choice((0.1, 0.1, 0.6))
        return {
            name: self.random.choice(choice)
            for name, choice in values.items() if self.random.random() < share
        }
