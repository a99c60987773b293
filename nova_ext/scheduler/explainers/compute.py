"""Explain the filters that look at a compute host itself.

They look at its service, capabilities, metrics and limits.
"""

import json
import re
from typing import Any

from nova_ext.scheduler.explainers import partial_requests
from nova_ext.scheduler.explainers.reason import HostExplainer, Reason

#: What nova-compute itself puts before its reason
#: (nova.virt.libvirt.driver.DISABLE_PREFIX).
_ITSELF = 'AUTO: '
_BITS = 'hw:maxphysaddr_bits'
_CAPABILITY = 'capabilities:cpu_info:maxphysaddr:bits'


def explain_service(service: Any, group: Any) -> Reason:
    """Explain why a nova-compute service is disabled, down, or both.

    :param group: ``nova.servicegroup.API``, which says whether it is up.
    """
    if not service['disabled']:
        return Reason('down', _since(service))
    why = service.get('disabled_reason') or ''
    by = f'by an operator: {why}' if why else ''
    if why.startswith(_ITSELF):
        by = f'by nova-compute itself: {why.removeprefix(_ITSELF)}'
    if group.service_is_up(service):
        return Reason('disabled', by)
    by = f'; disabled {by}' if by else ''
    return Reason('disabled and down', f'{_since(service)}{by}')


def _compute(filter_: Any, spec: Any) -> HostExplainer:
    return lambda host: explain_service(host.service, filter_.servicegroup_api)


def _since(service: Any) -> str:
    if service.get('forced_down'):
        return 'as forced_down is set'
    seen = service.get('last_seen_up')
    if seen is None:
        return 'since it was created'
    return f'since {seen:%Y-%m-%d %H:%M:%S} UTC'


def _capabilities(filter_: Any, spec: Any) -> HostExplainer:
    parts = partial_requests.split_extra_specs(spec)
    if any(part.name == _BITS for part in parts):
        # The filter puts it in place of the capability itself.
        parts = [part for part in parts if part.name != _CAPABILITY]
    return partial_requests.explain_by_part(
        filter_, parts, lambda host, part: Reason(
            f'{part.name} must be {part.value}',
            _describe_value(filter_, host, part.name),
        ),
    )


def _describe_value(filter_: Any, host: Any, name: str) -> str:
    name = _CAPABILITY if name == _BITS else name
    scope = name.removeprefix('capabilities:').split(':')
    value = filter_._get_capabilities(host, scope)
    return 'and is not reported' if value is None else f'and is {value}'


def _metrics(filter_: Any, spec: Any) -> HostExplainer:
    def explain(host: Any) -> Reason:
        reported = {metric.name for metric in host.metrics}
        missing = sorted(filter_.keys - reported)
        return Reason('reports no metric', ', '.join(missing))

    return explain


def _query(filter_: Any, spec: Any) -> HostExplainer:
    query = json.loads(spec.get_scheduler_hint('query'))
    clauses = [part for part in query if isinstance(part, list)]

    def explain(host: Any) -> Reason:
        failing = query
        if query[0] == 'and':
            failing = next((
                clause for clause in clauses
                if not filter_._process_filter(clause, host)
            ), query)
        text = json.dumps(failing)
        values = ', '.join(
            f'{name} is {filter_._parse_string(name, host)}'
            for name in dict.fromkeys(re.findall(r'"(\$[^"]+)"', text))
        )
        return Reason('hint query does not match', f'in {text}: {values}')

    return explain


def _io_ops(filter_: Any, spec: Any) -> HostExplainer:
    def explain(host: Any) -> Reason:
        most = filter_._get_max_io_ops_per_host(host, spec)
        return Reason(
            f'may have less than {most} I/O operations',
            f'and has {host.num_io_ops}',
        )

    return explain


def _servers(filter_: Any, spec: Any) -> HostExplainer:
    def explain(host: Any) -> Reason:
        most = filter_._get_max_instances_per_host(host, spec)
        return Reason(
            f'may have {most} servers', f'and has {host.num_instances}'
        )

    return explain


EXPLAINERS = {
    'ComputeFilter': _compute,
    'ComputeCapabilitiesFilter': _capabilities,
    'MetricsFilter': _metrics,
    'JsonFilter': _query,
    'IoOpsFilter': _io_ops,
    'AggregateIoOpsFilter': _io_ops,
    'NumInstancesFilter': _servers,
    'AggregateNumInstancesFilter': _servers,
}
