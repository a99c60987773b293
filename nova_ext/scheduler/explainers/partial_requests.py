"""Ask a filter about one part of the request alone.

So the filter itself says which part fails a host. Nothing of what Nova does
to find out is copied.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from nova import objects

from nova_ext.scheduler.explainers.reason import HostExplainer, Reason


class RequestPart(NamedTuple):
    """Hold one demand of the request, and a request for nothing else."""

    name: str
    value: Any
    spec: Any


def split_extra_specs(spec: Any) -> list[RequestPart]:
    """Return a part for each of the flavor's extra specs."""
    flavor = spec.flavor
    extra_specs = flavor.extra_specs if 'extra_specs' in flavor else {}
    return [
        RequestPart(name, value, objects.RequestSpec(
            flavor=objects.Flavor(extra_specs={name: value})
        ))
        for name, value in extra_specs.items()
    ]


def split_image_properties(spec: Any) -> list[RequestPart]:
    """Return a part for each of the image's properties."""
    return [
        RequestPart(name, value, objects.RequestSpec(image=objects.ImageMeta(
            properties=objects.ImageMetaProps(**{name: value})
        )))
        for name, value in list_properties(spec)
    ]


def explain_by_part(
    filter_: Any, parts: Sequence[RequestPart],
    explain_part: Callable[[Any, RequestPart], Reason],
) -> HostExplainer:
    """Explain by the parts that alone fail a host, where there are any.

    :param explain_part: return the reason of a host and such a part.
    """
    def explain(host: Any) -> Reason:
        reasons = [
            explain_part(host, part) for part in parts
            if not filter_.host_passes(host, part.spec)
        ]
        details = '; '.join(reason.detail for reason in reasons)
        return Reason(
            ' and '.join(reason.text for reason in reasons),
            f'({details})' if len(reasons) > 1 else details,
        )

    return explain


def list_properties(spec: Any) -> Iterator[tuple[str, Any]]:
    """Yield name and value of the image's properties."""
    properties = spec.image.properties if spec.image else {}
    for name in getattr(properties, 'fields', ()):
        if name in properties:
            yield name, properties.get(name)
