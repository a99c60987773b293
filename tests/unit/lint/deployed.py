"""Configurations like those that deployers publish, as data.

Each is invented, in the manner of its kind: hand-written files of old and new
releases, charts, kolla-ansible, OpenStack-Ansible, devstack.
"""

from dataclasses import dataclass, field

RACK = b"""from nova.scheduler import filters, weights


class RackFilter(filters.BaseHostFilter):
    def host_passes(self, host_state, spec_obj):
        return True


class PowerWeigher(weights.BaseHostWeigher):
    def _weigh_object(self, host_state, request_spec):
        return 1.0
"""


@dataclass(frozen=True)
class Deployed:
    """Represent a configuration.

    :param files: texts by path; those that lint reads come first.
    :param read: the files or folders that lint is given.
    :param lines: how many fixes are lines or commands at least.
    """

    name: str
    files: dict[str, str]
    read: tuple[str, ...] = ('nova.conf',)
    layout: str = 'packages'
    lines: int = 1
    plugins: dict[str, bytes] = field(default_factory=dict)


DEPLOYED = (
    Deployed('a hand-written file of Queens', {'nova.conf': """\
[DEFAULT]
scheduler_default_filters = RetryFilter,AvailabilityZoneFilter,RamFilter
scheduler_max_attempts = 5
cpu_allocation_ratio = 8.0
[filter_scheduler]
available_filters = rack_aware.RackFilter
enabled_filters = RetryFilter, ComputFilter, ComputeFilter ImagePropertyFilter
ram_weight_multiplier = 1,5
baremetal_enabled_filters = ExactRamFilter,ComputeFilter
host_subset_size = 4  # as in the other region
"""}, lines=4, plugins={'rack_aware.py': RACK}),
    Deployed('a list in the brackets of a chart', {'nova.conf': """\
[filter_scheduler]
available_filters = ["nova.scheduler.filters.all_filters", \
"racks_b.RackFilter"]
enabled_filters = ["RetryFilter", "ComputeFilter", "ComputeFilter", \
"NumaTopologyFilter", "RackFilter"]
weight_classes = ["nova.scheduler.weights.all_weighers"]
"""}, lines=3, plugins={'racks_b.py': RACK}),
    Deployed('an edge site with PCI devices', {'nova.conf': """\
[filter_scheduler]
enabled_filters = ComputeFilter;PciPassthroughFilter;NUMATopologyFilter
available_filters = nova.scheduler.filters.all_filters, rack_pci.RackFilter
weight_classes = nova.scheduler.weights.all_weigher,rack_pci.PowerWeigher
pci_weight_multiplier = 2.0
[pci]
device_spec = {'vendor_id': '8086', 'product_id': '154d', }
passthrough_whitelist = [{"address": "0000:05:00.0", "trusted": "true"},]
alias = {"name": "nic", "vendor_id": "8086", 'product_id': "154d"}
"""}, lines=5, plugins={'rack_pci.py': RACK}),
    Deployed('a reservation service', {'nova.conf': """\
[filter_scheduler]
enabled_filters = ComputeFilter,BlazarFilter,AggregateMatchFilter,ioopsfilter
max_io_ops_per_host = 6
enable_filters = DifferentHostFilter
hv_ram_class_weight_multiplier = 3.0
"""}, lines=1),
    Deployed('pasted from a page', {'nova.conf': """\
 [scheduler]
max_attempts = 4
\tworkers = 2
[filter_scheduler]
enabled_filters = \u201cComputeFilter, ImagePropertiesFilter\u201d
enabled_filters = SameHostFilter,ComputeFilter
build_failure_weight_multiplier = -5.0
weight_classes = nova.scheduler.weights.ram.RamWeigher, \
nova.scheduler.weights.cpu.CPUWeigher
[placement]
password = pa$word
"""}, lines=4),
    Deployed("kolla-ansible's folder", {
        'kolla/config/nova.conf': """\
{# ratios of the pool #}
[DEFAULT]
{% raw %}
cpu_allocation_ratio = 3.0
{% endraw %}
""",
        'kolla/config/nova/nova-scheduler.conf': """\
[DEFAULT]
ram_allocation_ratio = 1.0
[filter_scheduler]
{% if enable_pci | bool %}
enabled_filters = ComputeFilter,ImagePropertyFilter,PciPassthroughFiltre
{% endif %}
available_filters = nova.scheduler.filters.all_filters,\
blazarnova.scheduler.filters.blazar_filter.BlazarFilter
[scheduler]
max_attempts 3
""",
    }, ('kolla/config/nova.conf', 'kolla/config/nova/nova-scheduler.conf'),
        lines=3),
    Deployed('variables of OpenStack-Ansible', {'user_variables.yml': """\
nova_nova_conf_overrides:
  filter_scheduler:
    enabled_filters: ComputFilter,SameHostFilter
    host_subset_size: 3
  scheduler:
    max_attempts: 3
"""}, ('user_variables.yml',), 'openstack-ansible'),
    Deployed('a devstack', {'local.conf': """\
[local|localrc]]
ADMIN_PASSWORD=secret
disable_service tempest
[[post-config|$NOVA_CONF]
[filter_scheduler]
enabled_filters = ComputeFilter,ImagePropertiesFilter,AffinityFiltr,,IoOpFilter
[[post_config|$NOVA_CONF]]
[scheduler]
max_attempts = 2
"""}, ('local.conf',), 'devstack', lines=4),
)
