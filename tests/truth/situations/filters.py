"""Hosts that one of Nova's filters rejects, alone or beside others."""

from tests.truth.arrangements import (
    Aggregate,
    Disabled,
    Down,
    Full,
    Image,
    Server,
)
from tests.truth.ask import Boot, Flavor
from tests.truth.model import (
    ALL,
    PLACEMENT,
    Left,
    Situation,
    failed,
    others,
    placed,
)

SSD = {'aggregate_instance_extra_specs:ssd': 'true'}
SPECS = 'AggregateInstanceExtraSpecsFilter'
FAST = Aggregate('fast', 'c1 c2', {'ssd': 'true'})
DOWN = ('down',)
ARM = Image('arm', {'hw_architecture': 'aarch64'})
NUMA = Flavor(extra={'hw:numa_nodes': '1'})
GPU = Flavor(extra={'pci_passthrough:alias': 'gpu:1'})
KVM = Flavor(extra={'capabilities:hypervisor_type': 'kvm'})

SITUATIONS = [
    Situation(
        'all down', Boot(), failed(Left('ComputeFilter', ALL, DOWN)),
        (Down(ALL),),
    ),
    Situation(
        'four down', Boot(), placed(
            Left('ComputeFilter', 'c1 c2 c3 c4', DOWN)
        ), (Down('c1 c2 c3 c4'),),
    ),
    Situation(
        'a capability that no host has', Boot(KVM), failed(
            Left('ComputeCapabilitiesFilter', ALL, ('hypervisor_type',))
        ),
    ),
    Situation(
        'a capability, and three down', Boot(KVM), failed(
            Left('ComputeFilter', 'c1 c2 c3', DOWN), Left(
                'ComputeCapabilitiesFilter', others('c1 c2 c3'),
                ('hypervisor_type', 'kvm'),
            ),
        ), (Down('c1 c2 c3'),),
    ),
    Situation(
        'an architecture', Boot(image='arm'), failed(
            Left('ImagePropertiesFilter', ALL, ('aarch64',))
        ), (ARM,),
    ),
    Situation(
        'a kind of hypervisor', Boot(image='kvm'), failed(
            Left('ImagePropertiesFilter', ALL, ('kvm',))
        ), (Image('kvm', {'img_hv_type': 'kvm'}),),
    ),
    Situation(
        'an architecture, a kind of hypervisor and a mode', Boot(image='arm'),
        failed(
            Left('ComputeFilter', 'c1 c2', DOWN), Left(
                'ImagePropertiesFilter', others('c1 c2'), (
                    'hw_architecture=aarch64', 'img_hv_type=kvm',
                    'hw_vm_mode=xen',
                ),
            ),
        ), (Image('arm', {
            'hw_architecture': 'aarch64', 'img_hv_type': 'kvm',
            'hw_vm_mode': 'xen',
        }), Down('c1 c2')),
    ),
    Situation(
        'a mode and a version', Boot(image='new'), failed(
            Left('ImagePropertiesFilter', ALL, (
                'hw_vm_mode=xen', 'img_hv_requested_version=>=99',
            )),
        ), (Image('new', {
            'img_hv_requested_version': '>=99', 'hw_vm_mode': 'xen',
        }),),
    ),
    Situation(
        'disabled and down', Boot(), failed(
            Left(f'{PLACEMENT}|ComputeFilter', 'c1 c2', ('disabled', 'down')),
            Left(PLACEMENT, 'c3', ('disabled',)),
            Left('ComputeFilter', others('c1 c2 c3'), DOWN),
        ), (Disabled('c1 c2 c3'), Down('c1 c2'), Down(others('c1 c2 c3'))),
    ),
    Situation(
        'an aggregate with the extra spec', Boot(Flavor(extra=SSD)), placed(
            Left(SPECS, others('c1 c2'), ('ssd',))
        ), (FAST,),
    ),
    Situation(
        'no aggregate with the extra spec', Boot(Flavor(extra=SSD)), failed(
            Left('AggregateInstanceExtraSpecsFilter', ALL, ('ssd',))
        ),
    ),
    Situation(
        'an aggregate with the extra spec, and its hosts down',
        Boot(Flavor(extra=SSD)), failed(
            Left('ComputeFilter', 'c1 c2', DOWN), Left(
                'AggregateInstanceExtraSpecsFilter', others('c1 c2'), ('ssd',)
            ),
        ), (FAST, Down('c1 c2')),
    ),
    Situation(
        'an aggregate with the extra spec, and its hosts full',
        Boot(Flavor(memory_mb=8192, extra=SSD)), failed(
            Left(PLACEMENT, 'c1 c2', ('MEMORY_MB',)), Left(
                'AggregateInstanceExtraSpecsFilter', others('c1 c2'), ('ssd',)
            ),
        ), (FAST, Full('c1 c2')),
    ),
    Situation(
        'other projects\' aggregate', Boot(), placed(
            Left('AggregateMultiTenancyIsolation', 'c3 c4 c5', ('project',))
        ), (Aggregate('acme', 'c3 c4 c5', {'filter_tenant_id': 'f' * 32}),),
    ),
    Situation(
        'other projects\' aggregate has all', Boot(), failed(
            Left('AggregateMultiTenancyIsolation', ALL, ('project',))
        ), (Aggregate('acme', ALL, {'filter_tenant_id': 'f' * 32}),),
    ),
    Situation(
        'other flavors\' aggregate', Boot(), placed(
            Left('AggregateTypeAffinityFilter', 'c1 c9', ())
        ), (Aggregate('big', 'c1 c9', {'instance_type': 'big.only'}),),
    ),
    Situation(
        'other images\' aggregate', Boot(image='debian'), placed(
            Left('AggregateImagePropertiesIsolation', 'c7', ('os_distro',))
        ), (
            Image('debian', {'os_distro': 'debian'}),
            Aggregate('windows', 'c7', {'os_distro': 'windows'}),
        ),
    ),
    Situation(
        'servers of an aggregate\'s hosts', Boot(), placed(
            Left('AggregateNumInstancesFilter', 'c1', ('may have 1',))
        ), (
            Server('first', 'c1'),
            Aggregate('few', 'c1 c2', {'max_instances_per_host': '1'}),
        ),
    ),
    Situation(
        'operations of an aggregate\'s hosts', Boot(), placed(
            Left('AggregateIoOpsFilter', 'c4 c5', ('I/O',))
        ), (Aggregate('still', 'c4 c5', {'max_io_ops_per_host': '0'}),),
    ),
    Situation(
        'NUMA cells', Boot(NUMA),
        failed(Left('NUMATopologyFilter', ALL, ('NUMA',))),
    ),
    Situation(
        'PCI devices', Boot(GPU),
        failed(Left('PciPassthroughFilter', ALL, ('gpu',))),
    ),
    Situation(
        'NUMA cells, and four down', Boot(NUMA), failed(
            Left('ComputeFilter', 'c1 c2 c3 c4', DOWN),
            Left('NUMATopologyFilter', others('c1 c2 c3 c4'), ('NUMA',)),
        ), (Down('c1 c2 c3 c4'),),
    ),
    Situation(
        'down, other projects\', and PCI devices', Boot(GPU), failed(
            Left('ComputeFilter', 'c1 c2', DOWN),
            Left('AggregateMultiTenancyIsolation', 'c3 c4 c5', ('project',)),
            Left(
                'PciPassthroughFilter', others('c1 c2 c3 c4 c5'), ('gpu',)
            ),
        ), (
            Down('c1 c2'),
            Aggregate('acme', 'c2 c3 c4 c5', {'filter_tenant_id': 'f' * 32}),
        ),
    ),
    Situation(
        'full, down, other flavors\', and NUMA cells',
        Boot(Flavor(memory_mb=8192, extra=NUMA.extra)), failed(
            Left(PLACEMENT, 'c1', ('MEMORY_MB',)),
            Left('ComputeFilter', 'c2 c3', DOWN),
            Left('AggregateTypeAffinityFilter', 'c4'),
            Left(
                'NUMATopologyFilter', others('c1 c2 c3 c4'), ('NUMA',)
            ),
        ), (
            Full('c1'), Down('c2 c3'),
            Aggregate('big', 'c3 c4', {'instance_type': 'big.only'}),
        ),
    ),
    Situation(
        'two images\' aggregates, and the extra spec',
        Boot(Flavor(extra=SSD), image='debian'), failed(
            Left('AggregateImagePropertiesIsolation', 'c1 c2', ('os_distro',)),
            Left(SPECS, others('c1 c2'), ('ssd',)),
        ), (
            Image('debian', {'os_distro': 'debian'}), FAST,
            Aggregate('windows', 'c1', {'os_distro': 'windows'}),
            Aggregate('bsd', 'c2', {'os_distro': 'freebsd'}),
        ),
    ),
]
