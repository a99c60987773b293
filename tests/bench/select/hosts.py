"""Make hosts, and what Nova's and placement's columns say of them."""

import json
import uuid

from nova import objects

#: What each host has. A server of the bench takes little of it.
CAPACITY = {'VCPU': 64, 'MEMORY_MB': 262144, 'DISK_GB': 4000}
RATIO = {'VCPU': 4.0, 'MEMORY_MB': 1.0, 'DISK_GB': 1.0}
#: Servers that a host has from the beginning.
SERVERS = 4
#: Aggregates; each host is in one.
ZONES = 10
#: Of what libvirt's driver of Nova 34 can report for QEMU on an Intel, by
#: how the names begin.
_TRAITS = {
    '': (
        'COMPUTE_NODE OWNER_NOVA COMPUTE_ARCH_X86_64 HW_ARCH_X86_64 '
        'HW_CPU_HYPERTHREADING'
    ),
    'COMPUTE_': (
        'ACCELERATORS ADDRESS_SPACE_EMULATED ADDRESS_SPACE_PASSTHROUGH '
        'DEVICE_TAGGING EPHEMERAL_ENCRYPTION EPHEMERAL_ENCRYPTION_LUKS '
        'MEM_BACKING_FILE NET_ATTACH_INTERFACE '
        'NET_ATTACH_INTERFACE_WITH_TAG NET_VIRTIO_PACKED RESCUE_BFV '
        'SECURITY_STATELESS_FIRMWARE SECURITY_UEFI_SECURE_BOOT '
        'SOCKET_PCI_NUMA_AFFINITY STORAGE_VIRTIO_FS TRUSTED_CERTS '
        'VOLUME_ATTACH_WITH_TAG VOLUME_EXTEND VOLUME_MULTI_ATTACH'
    ),
    'COMPUTE_IMAGE_TYPE_': (
        'AKI AMI ARI ISO QCOW2 RAW'
    ),
    'COMPUTE_STORAGE_BUS_': (
        'FDC IDE SATA SCSI USB VIRTIO'
    ),
    'COMPUTE_GRAPHICS_MODEL_': (
        'BOCHS CIRRUS NONE VGA VIRTIO'
    ),
    'COMPUTE_NET_VIF_MODEL_': (
        'E1000 E1000E NE2K_PCI PCNET RTL8139 VIRTIO VMXNET3'
    ),
    'COMPUTE_VIOMMU_MODEL_': (
        'AUTO INTEL VIRTIO'
    ),
    'COMPUTE_SOUND_MODEL_': (
        'AC97 ES1370 ICH6 ICH9 PCSPK SB16 USB VIRTIO'
    ),
    'HW_CPU_X86_': (
        'ABM AESNI AVX AVX2 AVX512BW AVX512CD AVX512DQ AVX512F AVX512VL '
        'AVX512VNNI BMI BMI2 CLMUL F16C FMA3 INTEL_VMX MMX MPX SSE SSE2 '
        'SSE3 SSE41 SSE42 SSSE3 VMX'
    ),
}
TRAITS = tuple(
    begin + end for begin, ends in _TRAITS.items() for end in ends.split()
)


class Host:
    """Hold a host, and what its servers take.

    :param number: from 0 on; its rows' id is one more.
    :param dice: draws the servers' sizes.
    """

    def __init__(self, number, dice):
        self.id = number + 1
        self.name = f'cmp-{number:06}'
        self.uuid = str(uuid.UUID(int=(0xC0 << 64) + number))
        self.zone = number % ZONES
        # Uneven, so that hardly two hosts weigh the same.
        self.servers = [
            {
                'VCPU': dice.randrange(1, 9),
                'MEMORY_MB': dice.randrange(1024, 16384),
                'DISK_GB': dice.randrange(10, 200),
            }
            for _ in range(SERVERS)
        ]
        self.io_ops = dice.randrange(4)

    @property
    def used(self):
        """Return what its servers take, by resource class."""
        return {
            name: sum(server[name] for server in self.servers)
            for name in CAPACITY
        }


def describe_inventory(name):
    """Return an inventory, as placement's API does."""
    return {
        'total': CAPACITY[name], 'reserved': 0, 'min_unit': 1,
        'max_unit': CAPACITY[name], 'step_size': 1,
        'allocation_ratio': RATIO[name],
    }


def describe_zone(zone):
    """Return the UUID of a host's aggregate."""
    return str(uuid.UUID(int=(0xA0 << 64) + zone + 1))


#: As libvirt's driver writes them.
CPU_INFO = {
    'arch': 'x86_64', 'model': 'Cascadelake-Server', 'vendor': 'Intel',
    'topology': {'cells': 2, 'sockets': 1, 'cores': 16, 'threads': 2},
    'features': [
        'aes', 'apic', 'avx', 'avx2', 'avx512f', 'bmi1', 'bmi2', 'clflush',
        'cmov', 'cx16', 'cx8', 'de', 'f16c', 'fma', 'fpu', 'fsgsbase', 'fxsr',
        'hle', 'invpcid', 'lahf_lm', 'lm', 'mca', 'mce', 'mmx', 'movbe',
        'msr', 'mtrr', 'nx', 'pae', 'pat', 'pcid', 'pclmuldq', 'pge', 'popcnt',
        'rdrand', 'rdseed', 'rdtscp', 'sse', 'sse2', 'ssse3', 'vmx', 'xsave',
    ],
}
NO_DEVICES = json.dumps({
    'nova_object.name': 'PciDevicePoolList',
    'nova_object.namespace': 'nova', 'nova_object.version': '1.1',
    'nova_object.data': {'objects': []}, 'nova_object.changes': ['objects'],
})


def describe_numa():
    """Return a topology of two cells with siblings, as a column holds it."""
    half = CAPACITY['VCPU'] // 2
    return objects.NUMATopology(cells=[
        objects.NUMACell(
            id=cell, socket=cell, memory=CAPACITY['MEMORY_MB'] // 2,
            cpuset=set(range(cell * half, (cell + 1) * half)), pcpuset=set(),
            cpu_usage=0, memory_usage=0, pinned_cpus=set(),
            siblings=[
                {cpu, cpu + 1}
                for cpu in range(cell * half, (cell + 1) * half, 2)
            ],
            mempages=[
                objects.NUMAPagesTopology(
                    size_kb=size, total=total, used=0, reserved=0
                )
                for size, total in ((4, 33554432), (2048, 0), (1048576, 0))
            ],
            network_metadata=objects.NetworkMetadata(
                physnets=set(), tunneled=False
            ),
        )
        for cell in range(2)
    ])._to_json()
