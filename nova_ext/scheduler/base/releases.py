"""The releases of Nova that nova-ext is tested with, and what it needs."""

import inspect
import logging
import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import metadata
from typing import Any

#: Major version of Nova and the OpenStack release it belongs to.
TESTED = {31: '2025.1', 33: '2026.1', 34: '2026.2'}

#: What of Nova is overridden or called, with the parameters that it must
#: take: none of a property. The rest of Nova may change as it likes.
SEAMS: dict[str, tuple[str, ...]] = {
    'nova.scheduler.manager.SchedulerManager.placement_client': (),
    'nova.scheduler.manager.SchedulerManager.init_host': ('service_ref',),
    'nova.scheduler.manager.SchedulerManager.post_start_hook': (),
    'nova.scheduler.manager.SchedulerManager.cleanup_host': (),
    'nova.scheduler.manager.SchedulerManager.select_destinations': (
        'context', 'request_spec', 'filter_properties', 'spec_obj',
        'instance_uuids', 'return_objects', 'return_alternates',
    ),
    'nova.scheduler.manager.SchedulerManager._get_sorted_hosts': (
        'spec_obj', 'host_states', 'index',
    ),
    'nova.scheduler.manager.SchedulerManager._cleanup_allocations': (
        'context', 'instance_uuids',
    ),
    'nova.scheduler.manager.SchedulerManager._ensure_sufficient_hosts': (
        'context', 'hosts', 'required_count',
    ),
    'nova.scheduler.manager.SchedulerManager._select_destinations': (
        'context', 'spec_obj', 'instance_uuids', 'alloc_reqs_by_rp_uuid',
    ),
    'nova.scheduler.manager.SchedulerManager._schedule': (
        'context', 'spec_obj', 'instance_uuids', 'alloc_reqs_by_rp_uuid',
    ),
    'nova.scheduler.manager.SchedulerManager._get_all_host_states': (
        'context', 'spec_obj', 'provider_summaries',
    ),
    'nova.scheduler.manager.SchedulerManager._consume_selected_host': (
        'selected_host', 'spec_obj', 'instance_uuid',
    ),
    'nova.scheduler.host_manager.HostState._locked_consume_from_request': (
        'spec_obj',
    ),
    'nova.scheduler.host_manager.HostManager._choose_host_filters': (
        'filter_cls_names',
    ),
    'nova.scheduler.utils.setup_instance_group': ('context', 'request_spec'),
    'nova.scheduler.client.report.SchedulerReportClient'
    '.get_allocation_candidates': ('context', 'resources'),
    'nova.scheduler.client.report.SchedulerReportClient.claim_resources': (
        'context', 'consumer_uuid', 'alloc_request',
    ),
    'nova.scheduler.client.report.SchedulerReportClient.get': (
        'url', 'version',
    ),
    'nova.filters.BaseFilter.filter_all': ('filter_obj_list', 'spec_obj'),
    'nova.filters.BaseFilter.run_filter_for_index': ('index',),
    'nova.scheduler.filters.BaseHostFilter.host_passes': (
        'host_state', 'filter_properties',
    ),
    'nova.weights.BaseWeigher.weigh_objects': (
        'weighed_obj_list', 'weight_properties',
    ),
    'nova.weights.BaseWeigher.weight_multiplier': ('host_state',),
    'nova.scheduler.utils.get_weight_multiplier': (
        'host_state', 'multiplier_name', 'multiplier_config',
    ),
    'nova.rpc.get_client': ('target',),
    'nova.rpc.get_server': ('target', 'endpoints'),
    'nova.pci.request.get_pci_requests_from_flavor': (
        'flavor', 'affinity_policy',
    ),
    'nova.virt.hardware.numa_get_constraints': ('flavor', 'image_meta'),
    'nova.virt.hardware.get_pci_numa_policy_constraint': (
        'flavor', 'image_meta',
    ),
    'nova.scheduler.client.report.report_client_singleton': (),
}

LOG = logging.getLogger(__name__)


def unlisted() -> str:
    """Say that Nova's release is not among the tested ones.

    :returns: a sentence; empty for one that is.
    """
    version = metadata.version('nova')
    if int(version.partition('.')[0]) in TESTED:
        return ''
    tested = ', '.join(f'{nova} ({name})' for nova, name in TESTED.items())
    return f'nova-ext is not tested with Nova {version}, but with {tested}'


@cache
def warn() -> None:
    """Warn, once a process, of a release that is not listed."""
    if line := unlisted():
        LOG.warning(
            '%s; "nova-ext-status upgrade check" tells whether it fits', line
        )


def lost() -> list[str]:
    """What this Nova lacks of what is needed, each in one phrase."""
    phrases = []
    for path, wanted in SEAMS.items():
        try:
            seam = pkgutil.resolve_name(path)
            taken = parameters(seam) if wanted else ()
        except (ImportError, AttributeError):
            phrases.append(f'{path} is gone')
            continue
        except TypeError:
            phrases.append(f'{path} is no function')
            continue
        missing = [parameter for parameter in wanted if parameter not in taken]
        if missing:
            phrases.append(f'{path} takes no {", ".join(missing)}')
    return phrases


def parameters(seam: Callable[..., Any]) -> list[str]:
    """Names of the parameters of one of Nova's callables.

    oslo.messaging hides them behind its decorator for expected exceptions.
    """
    decorated = inspect.getclosurevars(seam).nonlocals.get('func', seam)
    return list(inspect.signature(decorated).parameters)
