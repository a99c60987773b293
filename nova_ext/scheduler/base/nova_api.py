"""Compare Nova with what nova-ext needs of it."""

import inspect
import pkgutil
from collections.abc import Callable
from typing import Any

#: Members of Nova that are overridden or called, by class or module, with the
#: parameters that they must take. The rest of Nova may change as it likes.
NOVA_API: dict[str, dict[str, str]] = {
    'nova.scheduler.manager.SchedulerManager': {
        'placement_client': '',
        'init_host': 'service_ref',
        'post_start_hook': '',
        'cleanup_host': '',
        'update_aggregates': '',
        'delete_aggregate': '',
        'select_destinations':
            'context request_spec filter_properties spec_obj instance_uuids '
            'return_objects return_alternates',
        '_get_sorted_hosts': 'spec_obj host_states index',
        '_cleanup_allocations': 'context instance_uuids',
        '_ensure_sufficient_hosts': 'context hosts required_count',
        '_select_destinations':
            'context spec_obj instance_uuids alloc_reqs_by_rp_uuid',
        '_schedule': 'context spec_obj instance_uuids alloc_reqs_by_rp_uuid',
        '_get_all_host_states': 'context spec_obj provider_summaries',
        '_consume_selected_host': 'selected_host spec_obj instance_uuid',
    },
    'nova.scheduler.host_manager.HostState': {
        '_locked_consume_from_request': 'spec_obj',
    },
    'nova.scheduler.host_manager.HostManager': {
        '_choose_host_filters': 'filter_cls_names',
        '_get_host_states': 'context compute_nodes services',
    },
    'nova.scheduler.utils': {
        'setup_instance_group': 'context request_spec',
        'get_weight_multiplier':
            'host_state multiplier_name multiplier_config',
    },
    'nova.scheduler.client.report': {'report_client_singleton': ''},
    'nova.scheduler.client.report.SchedulerReportClient': {
        'get_allocation_candidates': 'context resources',
        'claim_resources': 'context consumer_uuid alloc_request',
        'get': 'url version',
        'put': 'url data version',
        'get_allocs_for_consumer': 'context consumer',
    },
    'nova.filters.BaseFilter': {
        'filter_all': 'filter_obj_list spec_obj',
        'run_filter_for_index': 'index',
    },
    'nova.scheduler.filters.BaseHostFilter': {
        'host_passes': 'host_state filter_properties',
    },
    'nova.weights.BaseWeigher': {
        'weigh_objects': 'weighed_obj_list weight_properties',
        'weight_multiplier': 'host_state',
    },
    'nova.rpc': {'get_client': 'target', 'get_server': 'target endpoints'},
    'nova.pci.request': {
        'get_pci_requests_from_flavor': 'flavor affinity_policy',
    },
    'nova.virt.hardware': {
        'numa_get_constraints': 'flavor image_meta',
        'get_pci_numa_policy_constraint': 'flavor image_meta',
    },
}


def find_missing() -> list[str]:
    """Return what Nova lacks of :data:`NOVA_API`, each in one phrase."""
    problems = (
        (f'{owner}.{name}', _find_problem(f'{owner}.{name}', needed.split()))
        for owner, members in NOVA_API.items()
        for name, needed in members.items()
    )
    return [f'{path} {problem}' for path, problem in problems if problem]


def _find_problem(path: str, needed: list[str]) -> str:
    try:
        member = pkgutil.resolve_name(path)
        missing = needed and set(needed) - set(list_parameters(member))
    except (ImportError, AttributeError):
        return 'is gone'
    except TypeError:
        return 'is no function'
    names = ', '.join(name for name in needed if name in missing)
    return f'takes no {names}' if names else ''


def list_parameters(method: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters of one of Nova's callables.

    oslo.messaging hides them behind its decorator for expected exceptions.
    """
    decorated = inspect.getclosurevars(method).nonlocals.get('func', method)
    return list(inspect.signature(decorated).parameters)
