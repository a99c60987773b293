"""Explain the filters that read the metadata of host aggregates."""

from collections.abc import Callable, Iterable
from typing import Any

from nova.scheduler.filters import utils

from nova_ext.scheduler.explainers import partial_requests
from nova_ext.scheduler.explainers.partial_requests import RequestPart
from nova_ext.scheduler.explainers.reason import HostExplainer, Reason

_SCOPE = 'aggregate_instance_extra_specs:'
#: AggregateMultiTenancyIsolation reads every key that begins with it.
_PROJECTS = 'filter_tenant_id'


def _extra_specs(filter_: Any, spec: Any) -> HostExplainer:
    def explain_part(host: Any, part: RequestPart) -> Reason:
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
        'kept for other projects', _name_aggregates(
            host, lambda key: key.startswith(_PROJECTS)
        )
    )


def _flavors(filter_: Any, spec: Any) -> HostExplainer:
    return lambda host: Reason(
        'kept for other flavors', _name_aggregates(
            host, 'instance_type'.__eq__
        )
    )


def _image_properties(filter_: Any, spec: Any) -> HostExplainer:
    return partial_requests.explain_by_part(
        filter_, partial_requests.split_image_properties(spec),
        lambda host, part: Reason(
            f'image has {part.name}={part.value}, kept for others',
            _name_aggregates(host, part.name.__eq__),
        ),
    )


def _list_values(host: Any, key: str) -> str:
    values = utils.aggregate_metadata_get_by_host(host, key).get(key)
    return f'and is {_join(values)}' if values else 'and is in none'


def _name_aggregates(host: Any, is_read: Callable[[str], bool]) -> str:
    """Name the aggregates with metadata that the filter reads.

    :param is_read: returns whether the filter reads a key.
    """
    aggregates = [
        f'{aggregate.name} ({key}={value})'
        for aggregate in host.aggregates
        for key, value in aggregate.metadata.items()
        if is_read(key)
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
