"""What of Nova is used: the names that an upgrade check looks for.

``tests.unit.scheduler.base.test_nova_api`` finds imported and inherited names
by the syntax tree. The functional tests find attributes of Nova's objects by
tracing. Both print what is missing here.
"""

#: The names that are used, by module or class. A name may stand with the
#: parameters that it must take. Names that only some releases have are left
#: out: code asks for these before it uses them.
NOVA_API: dict[str, str] = {
    'nova.api.validation.extra_specs.base.ExtraSpecValidator': 'validate',
    'nova.availability_zones':
        'get_availability_zones(get_only_available services) '
        'get_host_availability_zone',
    'nova.compute.power_state': 'PAUSED RUNNING STATE_MAP',
    'nova.compute.utils': 'is_volume_backed_instance',
    'nova.compute.vm_states':
        'ACTIVE ERROR PAUSED SHELVED SHELVED_OFFLOADED STOPPED',
    'nova.conf': 'CONF',
    'nova.config': 'parse_args(configure_db init_rpc)',
    'nova.context':
        'CELL_TIMEOUT get_admin_context is_cell_failure_sentinel '
        'scatter_gather_all_cells scatter_gather_cells '
        'scatter_gather_skip_cell0 target_cell',
    'nova.context.RequestContext': 'cell_uuid is_admin session to_dict',
    'nova.db.api.api': 'context_manager',
    'nova.db.api.models':
        'BuildRequest CellMapping InstanceGroupMember InstanceMapping '
        'RequestSpec',
    'nova.db.api.models.CellMapping': '__table__',
    'nova.db.api.models.HostMapping': '__table__ host',
    'nova.db.api.models.InstanceGroupMember': '__table__',
    'nova.db.api.models.InstanceMapping': '__table__',
    'nova.db.api.models.RequestSpec': '__table__',
    'nova.db.main.api':
        'instance_get_all_uuids_by_hosts pick_context_manager_reader',
    'nova.db.main.models':
        'ComputeNode InstanceExtra InstanceInfoCache InstanceMetadata '
        'Service ShareMapping',
    'nova.db.main.models.ComputeNode': '__table__',
    'nova.db.main.models.Instance': '__table__ user_id uuid',
    'nova.db.main.models.InstanceExtra': '__table__',
    'nova.db.main.models.InstanceInfoCache': '__table__',
    'nova.db.main.models.Service': '__table__ host',
    'nova.db.main.models.ShareMapping': '__table__',
    'nova.exception':
        'AllocationDeleteFailed ClassNotFound ComputeHostNotFound '
        'FlavorNotFound HostMappingNotFound InstanceGroupNotFound '
        'InstanceMappingNotFound InstanceNotFound NoValidHost NovaException '
        'RequestSpecNotFound ValidationError',
    'nova.filters.BaseFilter':
        'filter_all(filter_obj_list spec_obj) run_filter_for_index(index) '
        'run_filter_once_per_request',
    'nova.filters.BaseFilterHandler': 'get_filtered_objects',
    'nova.loadables.BaseLoader': 'get_matching_classes',
    'nova.manager.Manager': 'host',
    'nova.network.model':
        'VNIC_TYPE_ACCELERATOR_DIRECT VNIC_TYPE_ACCELERATOR_DIRECT_PHYSICAL',
    'nova.objects':
        'AggregateList CellMapping ComputeNodeList Destination Flavor '
        'ImageMeta ImageMetaProps Instance InstanceActionEventList '
        'InstanceActionList InstanceGroup InstanceList InstanceMapping '
        'InstancePCIRequest MonitorMetricList NUMAPagesTopology '
        'NUMATopology NUMATopologyLimits NetworkMetadata RequestLevelParams '
        'RequestSpec Service ServiceList '
        'ShareMappingList register_all',
    'nova.objects.aggregate.Aggregate':
        'availability_zone hosts id metadata name uuid',
    'nova.objects.aggregate.AggregateList': 'get_all',
    'nova.objects.base': 'NovaObject',
    'nova.objects.cell_mapping.CellMapping': 'CELL0_UUID get_by_uuid uuid',
    'nova.objects.compute_node.ComputeNode':
        '_from_db_object get_by_host_and_nodename '
        'get_first_node_by_host_for_old_compat host hypervisor_hostname '
        'hypervisor_type hypervisor_version numa_topology pci_device_pools '
        'uuid',
    'nova.objects.compute_node.ComputeNodeList': 'get_all_by_uuids',
    'nova.objects.flavor.Flavor':
        'disabled extra_specs flavorid get_by_flavor_id memory_mb name '
        'root_gb vcpus',
    'nova.objects.host_mapping.HostMapping': 'cell_mapping get_by_host',
    'nova.objects.image_meta.ImageMeta': 'from_dict properties',
    'nova.objects.image_meta.ImageMetaProps': 'get',
    'nova.objects.instance.Instance':
        'display_name flavor get_by_uuid(expected_attrs) host image_meta '
        'image_ref info_cache launched_on node numa_topology pci_requests '
        'power_state project_id system_metadata task_state user_id uuid '
        'vm_state',
    'nova.objects.instance.InstanceList': 'get_by_host(expected_attrs)',
    'nova.objects.instance_action.InstanceAction': 'id',
    'nova.objects.instance_action.InstanceActionEvent': 'event host',
    'nova.objects.instance_action.InstanceActionEventList': 'get_by_action',
    'nova.objects.instance_action.InstanceActionList': 'get_by_instance_uuid',
    'nova.objects.instance_group.InstanceGroup':
        'get_by_instance_uuid get_by_uuid get_hosts(exclude) hosts members '
        'policies policy rules',
    'nova.objects.instance_info_cache.InstanceInfoCache': 'network_info',
    'nova.objects.instance_mapping.InstanceMapping':
        'cell_mapping get_by_instance_uuid',
    'nova.objects.instance_numa.InstanceNUMACell':
        'memory pagesize total_cpus',
    'nova.objects.instance_numa.InstanceNUMATopology': 'cells',
    'nova.objects.instance_pci_requests.InstancePCIRequest': 'NEUTRON_PORT',
    'nova.objects.instance_pci_requests.InstancePCIRequests':
        'instance_uuid requests',
    'nova.objects.numa.NUMACell':
        'avail_memory avail_pcpus id mempages pcpuset',
    'nova.objects.numa.NUMATopology': 'cells obj_from_db_obj',
    'nova.objects.request_spec.Destination':
        'allow_cross_cell_move cell host node',
    'nova.objects.request_spec.RequestSpec':
        'availability_zone ensure_network_information '
        'ensure_project_and_user_id ephemeral_gb '
        'fields flavor force_hosts force_nodes '
        'from_components(project_id user_id) from_primitives '
        'generate_request_groups_from_pci_requests reset_forced_destinations '
        'get_by_instance_uuid get_scheduler_hint ignore_hosts image '
        'instance_group instance_uuid is_bfv memory_mb num_instances '
        'numa_topology pci_requests project_id requested_destination '
        'request_level_params requested_resources root_gb root_required '
        'scheduler_hints user_id vcpus',
    'nova.objects.share_mapping.ShareMappingList': 'get_by_instance_uuid',
    'nova.objects.selection.Selection': 'nodename service_host',
    'nova.objects.service.Service':
        '_from_db_object get_by_compute_host get_by_host_and_binary host',
    'nova.objects.service.ServiceList':
        'get_all get_by_binary(include_disabled)',
    'nova.pci.request': 'get_pci_requests_from_flavor(flavor affinity_policy)',
    'nova.pci.stats.PciDeviceStats': 'dev_filter numa_topology pools',
    'nova.rpc': 'get_client(target) get_server(target endpoints) init',
    'nova.scheduler.client.report':
        'CONSUMER_GENERATION_VERSION PLACEMENTCLIENT SAME_SUBTREE_VERSION '
        'report_client_singleton',
    'nova.scheduler.client.report.SchedulerReportClient':
        'claim_resources(context consumer_uuid alloc_request) get(url '
        'version) get_allocation_candidates(context resources) '
        'get_allocs_for_consumer(context consumer) '
        'get_provider_traits(context rp_uuid) put(url data version)',
    'nova.scheduler.client.report.TraitInfo': 'traits',
    'nova.scheduler.filters':
        'CandidateFilterMixin HostFilterHandler all_filters',
    'nova.scheduler.filters.BaseHostFilter':
        'RUN_ON_REBUILD host_passes(host_state filter_properties)',
    'nova.scheduler.filters.affinity_filter':
        'ServerGroupAffinityFilter ServerGroupAntiAffinityFilter',
    'nova.scheduler.filters.compute_filter.ComputeFilter': 'servicegroup_api',
    'nova.scheduler.filters.io_ops_filter': 'AggregateIoOpsFilter',
    'nova.scheduler.filters.io_ops_filter.IoOpsFilter':
        '_get_max_io_ops_per_host',
    'nova.scheduler.filters.json_filter': 'JsonFilter',
    'nova.scheduler.filters.metrics_filter': 'MetricsFilter',
    'nova.scheduler.filters.num_instances_filter':
        'AggregateNumInstancesFilter',
    'nova.scheduler.filters.num_instances_filter.NumInstancesFilter':
        '_get_max_instances_per_host',
    'nova.scheduler.filters.numa_topology_filter': 'NUMATopologyFilter',
    'nova.scheduler.filters.numa_topology_filter.NUMATopologyFilter':
        '_satisfies_cpu_policy',
    'nova.scheduler.filters.pci_passthrough_filter': 'PciPassthroughFilter',
    'nova.scheduler.filters.utils': 'aggregate_metadata_get_by_host',
    'nova.scheduler.host_manager.HostManager':
        '_choose_host_filters(filter_cls_names) _get_aggregates_info '
        '_get_host_states(context compute_nodes services) _get_instance_info '
        '_get_instances_by_host _init_aggregates _init_instance_info '
        '_instance_info aggs_by_id cells enabled_cells enabled_filters '
        'filter_cls_map filter_obj_map get_host_states_by_uuids '
        'host_aggregates_map host_state_cls refresh_cells_caches weighers',
    'nova.scheduler.host_manager.HostState':
        '_locked_consume_from_request(spec_obj) _update_from_compute_node '
        'aggregates allocation_candidates cell_uuid consume_from_request '
        'cpu_info disk_mb_used failed_builds free_disk_mb free_ram_mb host '
        'hypervisor_version instances limits nodename num_instances '
        'num_io_ops numa_topology pci_stats stats supported_instances '
        'total_usable_disk_gb total_usable_ram_mb updated uuid vcpus_used',
    'nova.scheduler.host_manager.ReadOnlyDict': 'data',
    'nova.scheduler.manager.SchedulerManager':
        '_cleanup_allocations(context instance_uuids) '
        '_consume_selected_host(selected_host spec_obj instance_uuid) '
        '_ensure_sufficient_hosts(context hosts required_count) '
        '_get_all_host_states(context spec_obj provider_summaries) '
        '_get_sorted_hosts(spec_obj host_states index) _schedule(context '
        'spec_obj instance_uuids alloc_reqs_by_rp_uuid) '
        '_select_destinations(context spec_obj instance_uuids '
        'alloc_reqs_by_rp_uuid) cleanup_host delete_aggregate '
        'delete_instance_info(context host_name instance_uuid) host_manager '
        'init_host(service_ref) notifier placement_client post_start_hook '
        'select_destinations(context request_spec filter_properties spec_obj '
        'instance_uuids return_objects return_alternates) servicegroup_api '
        'sync_instance_info(context host_name instance_uuids) '
        'update_aggregates '
        'update_instance_info(context host_name instance_info)',
    'nova.scheduler.request_filter': 'ALL_REQUEST_FILTERS process_reqspec',
    'nova.scheduler.rpcapi': 'RPC_TOPIC',
    'nova.scheduler.utils':
        'get_weight_multiplier(host_state multiplier_name multiplier_config) '
        'request_is_rebuild '
        'resources_from_request_spec(enable_pinning_translate) '
        'setup_instance_group(context request_spec)',
    'nova.scheduler.utils.ResourceRequest':
        '_limit cpu_pinning_requested from_request_spec(request_spec) '
        'to_querystring',
    'nova.scheduler.weights':
        'BaseHostWeigher HostWeightHandler WeighedHost all_weighers',
    'nova.scheduler.weights.affinity.ServerGroupSoftAffinityWeigher':
        'policy_name',
    'nova.scheduler.weights.affinity.ServerGroupSoftAntiAffinityWeigher':
        'policy_name',
    'nova.scheduler.weights.metrics.MetricsWeigher': 'setting',
    'nova.servicegroup': 'API',
    'nova.servicegroup.api.API': '_driver service_is_up',
    'nova.servicegroup.drivers.db': 'DbDriver',
    'nova.virt.hardware':
        'get_mem_encryption_constraint(flavor image_meta) '
        'get_pci_numa_policy_constraint(flavor image_meta) '
        'get_vtpm_constraint(flavor image_meta) '
        'numa_get_constraints(flavor image_meta) '
        'numa_usage_from_instance_numa(free)',
    'nova.weights.BaseWeigher':
        '_weigh_object maxval minval weigh_objects(weighed_obj_list '
        'weight_properties) weight_multiplier(host_state)',
    'nova.weights.BaseWeightHandler': 'get_weighed_objects',
    'nova.weights.WeighedObject': 'obj weight',
}
