"""List what a filter reads: attributes of HostState, RequestSpec and parts.

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

#: The same of its image, of that image's properties, of its flavor and group.
IMAGE = frozenset({
    'checksum', 'container_format', 'created_at', 'direct_url', 'disk_format',
    'from_dict', 'from_image_ref', 'from_instance', 'id', 'min_disk',
    'min_ram', 'name', 'owner', 'properties', 'protected', 'save', 'size',
    'status', 'tags', 'updated_at', 'virtual_size', 'visibility',
}) | OBJECT
PROPERTIES = frozenset({
    'from_dict', 'get', 'hw_architecture', 'hw_auto_disk_config',
    'hw_boot_menu', 'hw_cdrom_bus', 'hw_cpu_cores', 'hw_cpu_max_cores',
    'hw_cpu_max_sockets', 'hw_cpu_max_threads', 'hw_cpu_policy',
    'hw_cpu_realtime_mask', 'hw_cpu_sockets', 'hw_cpu_thread_policy',
    'hw_cpu_threads', 'hw_device_id', 'hw_disk_bus', 'hw_disk_type',
    'hw_emulation_architecture', 'hw_ephemeral_encryption',
    'hw_ephemeral_encryption_format', 'hw_ephemeral_encryption_secret_uuid',
    'hw_firmware_stateless', 'hw_firmware_type', 'hw_floppy_bus',
    'hw_input_bus', 'hw_ipxe_boot', 'hw_locked_memory', 'hw_machine_type',
    'hw_maxphysaddr_bits', 'hw_maxphysaddr_mode', 'hw_mem_encryption',
    'hw_mem_encryption_model', 'hw_mem_page_size', 'hw_numa_cpus',
    'hw_numa_mem', 'hw_numa_nodes', 'hw_pci_numa_affinity_policy', 'hw_pmu',
    'hw_pointer_model', 'hw_qemu_guest_agent', 'hw_redirected_usb_ports',
    'hw_rescue_bus', 'hw_rescue_device', 'hw_rng_model', 'hw_scsi_model',
    'hw_serial_port_count', 'hw_sound_model', 'hw_time_hpet', 'hw_tpm_model',
    'hw_tpm_version', 'hw_usb_model', 'hw_video_model', 'hw_video_ram',
    'hw_vif_model', 'hw_vif_multiqueue_enabled', 'hw_viommu_model',
    'hw_virtio_packed_ring', 'hw_vm_mode', 'hw_watchdog_action', 'img_bdm_v2',
    'img_bittorrent', 'img_block_device_mapping', 'img_cache_in_nova',
    'img_compression_level', 'img_config_drive', 'img_hide_hypervisor_id',
    'img_hv_requested_version', 'img_hv_type', 'img_linked_clone',
    'img_mappings', 'img_owner_id', 'img_root_device_name', 'img_signature',
    'img_signature_certificate_uuid', 'img_signature_hash_method',
    'img_signature_key_type', 'img_use_agent', 'img_version', 'os_admin_user',
    'os_command_line', 'os_distro', 'os_require_quiesce', 'os_secure_boot',
    'os_skip_agent_inject_files_at_boot', 'os_skip_agent_inject_ssh',
    'os_type', 'save', 'to_dict', 'traits_required',
}) | OBJECT
FLAVOR = frozenset({
    'add_access', 'create', 'created_at', 'deleted', 'deleted_at',
    'description', 'destroy', 'disabled', 'ephemeral_gb', 'extra_specs',
    'flavorid', 'get', 'get_by_flavor_id', 'get_by_id', 'get_by_name', 'id',
    'is_public', 'items', 'keys', 'memory_mb', 'name', 'projects',
    'remove_access', 'root_gb', 'rxtx_factor', 'save', 'save_extra_specs',
    'save_projects', 'swap', 'update', 'updated_at', 'values', 'vcpu_weight',
    'vcpus',
}) | OBJECT
GROUP = frozenset({
    'add_members', 'count_members_by_user', 'create', 'created_at', 'deleted',
    'deleted_at', 'destroy', 'destroy_members_bulk', 'get', 'get_by_hint',
    'get_by_instance_uuid', 'get_by_name', 'get_by_uuid', 'get_hosts', 'hosts',
    'id', 'items', 'keys', 'members', 'name', 'policies', 'policy',
    'project_id', 'refresh', 'rules', 'save', 'update', 'updated_at',
    'user_id', 'uuid', 'values',
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

#: The same of a flavor.
FLAVOR_INSTEAD = {
    'disk': 'write {}.root_gb',
    'flavor_id': 'write {}.flavorid',
    'memory': 'write {}.memory_mb',
    'metadata': 'write {}.extra_specs',
    'properties': 'write {}.extra_specs',
    'ram': 'write {}.memory_mb',
    'uuid': 'write {}.flavorid',
}

#: Names of properties that images have in Glance, and objects do not.
PROPERTIES_INSTEAD = {
    'hypervisor_type': "read 'img_hv_type', its name in Nova",
    'hypervisor_version_requires':
        "read 'img_hv_requested_version', its name in Nova",
}
