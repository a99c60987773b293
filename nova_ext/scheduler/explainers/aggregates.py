"""Explain the filters that read the metadata of host aggregates."""

from collections.abc import Iterable
from typing import Any

from nova.scheduler.filters import utils

from nova_ext.scheduler.explainers import partial_requests
from nova_ext.scheduler.explainers.partial_requests import Part
from nova_ext.scheduler.explainers.reason import HostExplainer, Reason

_SCOPE = 'aggregate_instance_extra_specs:'


def _extra_specs(filter_: Any, spec: Any) -> HostExplainer:
    def explain_part(host: Any, part: Part) -> Reason:
        key = part.name.removeprefix(_SCOPE)
        return Reason(
            f'{key} must be {part.value} in an aggregate',
            _list_values(host, key),
        )

    return partial_requests.explain_by_part(
        filter_, partial_requests.split_extra_specs(spec), explain_part
    )


def _projects(filter_: Any, spec: Any) -> HostExplainer:
    return lambda host: Reason(
        'kept for other projects', _name_aggregates(host, 'filter_tenant_id')
    )


def _flavors(filter_: Any, spec: Any) -> HostExplainer:
    return lambda host: Reason(
        'kept for other flavors', _name_aggregates(host, 'instance_type')
    )


def _image_properties(filter_: Any, spec: Any) -> HostExplainer:
    return partial_requests.explain_by_part(
        filter_, partial_requests.split_image_properties(spec),
        lambda host, part: Reason(
            f'image has {part.name}={part.value}, kept for others',
            _name_aggregates(host, part.name),
        ),
    )


def _list_values(host: Any, key: str) -> str:
    values = utils.aggregate_metadata_get_by_host(host, key).get(key)
    return f'and is {_join(values)}' if values else 'and is in none'


def _name_aggregates(host: Any, key: str) -> str:
    """Name the aggregates whose metadata begins with a key."""
    aggregates = [
        f'{aggregate.name} ({name}={value})'
        for aggregate in host.aggregates
        for name, value in aggregate.metadata.items()
        if name.startswith(key)
    ]
    return f'by aggregate {_join(aggregates)}'


def _join(words: Iterable[str]) -> str:
    return ', '.join(sorted(words))


EXPLAINERS = {
    'AggregateInstanceExtraSpecsFilter': _extra_specs,
    'AggregateMultiTenancyIsolation': _projects,
    'AggregateTypeAffinityFilter': _flavors,
    'AggregateImagePropertiesIsolation': _image_properties,
}
