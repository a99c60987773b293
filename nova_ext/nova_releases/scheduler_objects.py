"""List what a filter reads: HostState's and RequestSpec's attributes.

A test compares the tables with Nova's own code.
"""

#: Attributes of a host state; update() sets service and stats.
HOST_STATE = frozenset({
    'aggregates', 'allocation_candidates', 'cell_uuid',
    'consume_from_request', 'cpu_allocation_ratio', 'cpu_info',
    'disk_allocation_ratio', 'disk_mb_used', 'failed_builds', 'free_disk_mb',
    'free_ram_mb', 'host', 'host_ip', 'hypervisor_hostname',
    'hypervisor_type', 'hypervisor_version', 'instances', 'limits', 'metrics',
    'nodename', 'num_instances', 'num_io_ops', 'numa_topology', 'pci_stats',
    'ram_allocation_ratio', 'service', 'stats', 'supported_instances',
    'total_usable_disk_gb', 'total_usable_ram_mb', 'update', 'updated',
    'uuid', 'vcpus_total', 'vcpus_used',
})

#: What every object of Nova's has, but for names that begin with obj_.
OBJECT = frozenset({
    'fields', 'indirection_api', 'should_migrate_data', 'to_json_schema',
})

#: Fields, properties and methods of a request spec.
REQUEST_SPEC = frozenset({
    'availability_zone', 'create', 'destroy', 'destroy_bulk',
    'ensure_network_information', 'ensure_project_and_user_id',
    'ephemeral_gb', 'flavor', 'force_hosts', 'force_nodes', 'from_components',
    'from_primitives', 'generate_request_groups_from_pci_requests',
    'get_by_instance_uuid', 'get_by_instance_uuids',
    'get_request_group_mapping', 'get_scheduler_hint', 'id', 'ignore_hosts',
    'image', 'instance_group', 'instance_uuid', 'is_bfv', 'limits',
    'map_requested_resources_to_providers', 'maps_requested_resources',
    'memory_mb', 'network_metadata', 'num_instances', 'numa_topology',
    'pci_requests', 'project_id', 'request_level_params',
    'requested_destination', 'requested_networks', 'requested_resources',
    'reset_forced_destinations', 'retry', 'root_forbidden', 'root_gb',
    'root_required', 'same_subtree', 'save', 'scheduler_hints',
    'security_groups', 'swap', 'to_legacy_filter_properties_dict',
    'to_legacy_request_spec_dict', 'user_id', 'vcpus',
}) | OBJECT

#: What became of attributes that a host state had, or that people look for.
HOST_STATE_INSTEAD = {
    'capabilities': 'stats, supported_instances and cpu_info have what '
                    'capabilities had',
    'consume_from_instance': 'consume_from_request is its name',
    'flavor': 'the request has the flavor, spec_obj.flavor',
    'free_disk_gb': 'write free_disk_mb / 1024',
    'free_ram_gb': 'write free_ram_mb / 1024',
    'hostname': 'write host',
    'memory_mb': 'write total_usable_ram_mb',
    'metadata': 'a host has the metadata of its aggregates, aggregates',
    'name': 'write host, or nodename for the name of the hypervisor',
    'node': 'write nodename',
    'traits': 'only placement knows traits; have it choose by them, '
              'trait:NAME=required in the flavor',
    'update_from_compute_node': 'update is its name',
    'update_service': 'update is its name',
    'vcpus': 'write vcpus_total',
}

#: What became of entries of filter_properties and request_spec, the
#: dictionaries that filters and weighers got until Liberty. {} is the
#: name that the request spec has.
REQUEST_SPEC_INSTEAD = {
    'config_options': 'read oslo.config\'s options, nova.conf.CONF',
    'context': 'write {}._context',
    'extra_specs': 'write {}.flavor.extra_specs',
    'group_hosts': 'write {}.instance_group.hosts, where there is an '
                   'instance_group',
    'group_policies': 'write {}.instance_group.policy, where there is an '
                      'instance_group',
    'group_policy': 'write {}.instance_group.policy, where there is an '
                    'instance_group',
    'hints': 'write {}.get_scheduler_hint(\'NAME\') for the one hint that is '
             'read, with its name',
    'image_properties': 'write {}.image.properties',
    'instance_properties': 'write {}\'s own attributes, such as project_id',
    'instance_type': 'write {}.flavor',
    'instance_uuids': 'write {}.instance_uuid',
    'os_type': 'write {}.image.properties.get(\'os_type\')',
    'properties': 'write {}.image.properties',
    'request_spec': 'write {} itself',
    'scheduler_hints': 'write {}.get_scheduler_hint(\'NAME\') for the one '
                       'hint that is read, with its name',
}
