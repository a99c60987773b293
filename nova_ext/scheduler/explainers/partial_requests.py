"""Ask a filter about one part of the request alone.

So the filter itself says which part fails a host. Nothing of what Nova does
to find out is copied.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from nova import objects

from nova_ext.scheduler.explainers.reason import (
    NO_REASON,
    HostExplainer,
    Reason,
)


class Part(NamedTuple):
    """Hold one demand of the request, and a request for nothing else."""

    name: str
    value: Any
    spec: Any


def split_extra_specs(spec: Any) -> list[Part]:
    """Return a part for each of the flavor's extra specs."""
    flavor = spec.flavor
    extra_specs = flavor.extra_specs if 'extra_specs' in flavor else {}
    return [
        Part(name, value, objects.RequestSpec(
            flavor=objects.Flavor(extra_specs={name: value})
        ))
        for name, value in extra_specs.items()
    ]


def split_image_properties(spec: Any) -> list[Part]:
    """Return a part for each of the image's properties."""
    return [
        Part(name, value, objects.RequestSpec(image=objects.ImageMeta(
            properties=objects.ImageMetaProps(**{name: value})
        )))
        for name, value in list_properties(spec)
    ]


def explain_by_part(
    filter_: Any, parts: Sequence[Part],
    explain_part: Callable[[Any, Part], Reason],
) -> HostExplainer:
    """Explain by the part that alone fails a host, where there is one.

    :param explain_part: return the reason of a host and that part.
    """
    def explain(host: Any) -> Reason:
        for part in parts:
            if not filter_.host_passes(host, part.spec):
                return explain_part(host, part)
        return NO_REASON

    return explain


def list_properties(spec: Any) -> Iterator[tuple[str, Any]]:
    """Yield name and value of the image's properties."""
    properties = spec.image.properties if spec.image else {}
    for name in getattr(properties, 'fields', ()):
        if name in properties:
            yield name, properties.get(name)
