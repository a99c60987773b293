"""Hosts that their aggregates keep for others."""

from collections.abc import Iterable
from typing import Any

from nova.scheduler.filters import utils

from nova_ext.scheduler.explainers import partial_requests
from nova_ext.scheduler.explainers.partial_requests import Part
from nova_ext.scheduler.explainers.reason import Explain, Reason

_SCOPE = 'aggregate_instance_extra_specs:'


def _extra_specs(filter_: Any, spec: Any) -> Explain:
    def tell(host: Any, part: Part) -> Reason:
        key = part.name.removeprefix(_SCOPE)
        return Reason(
            f'{key} must be {part.value} in an aggregate',
            _values(host, key),
        )

    return partial_requests.blame(filter_, partial_requests.extra_specs(spec), tell)


def _projects(filter_: Any, spec: Any) -> Explain:
    return lambda host: Reason(
        'kept for other projects', _by(host, 'filter_tenant_id')
    )


def _flavors(filter_: Any, spec: Any) -> Explain:
    return lambda host: Reason(
        'kept for other flavors', _by(host, 'instance_type')
    )


def _image_properties(filter_: Any, spec: Any) -> Explain:
    return partial_requests.blame(
        filter_, partial_requests.image_properties(spec), lambda host, part: Reason(
            f'image has {part.name}={part.value}, kept for others',
            _by(host, part.name),
        ),
    )


def _values(host: Any, key: str) -> str:
    values = utils.aggregate_metadata_get_by_host(host, key).get(key)
    return f'and is {_listed(values)}' if values else 'and is in none'


def _by(host: Any, key: str) -> str:
    """Which aggregates keep the host, by metadata that begins with a key."""
    kept = [
        f'{aggregate.name} ({name}={value})'
        for aggregate in host.aggregates
        for name, value in aggregate.metadata.items()
        if name.startswith(key)
    ]
    return f'by aggregate {_listed(kept)}'


def _listed(words: Iterable[str]) -> str:
    return ', '.join(sorted(words))


EXPLAINERS = {
    'AggregateInstanceExtraSpecsFilter': _extra_specs,
    'AggregateMultiTenancyIsolation': _projects,
    'AggregateTypeAffinityFilter': _flavors,
    'AggregateImagePropertiesIsolation': _image_properties,
}
