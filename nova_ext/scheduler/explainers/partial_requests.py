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
    """Return an image without properties, and a part for each of them."""
    return [
        Part('', None, _make_spec({})),
        *(
            Part(name, value, _make_spec({name: value}))
            for name, value in _list_properties(spec)
        ),
    ]


def find_failing(
    filter_: Any, host: Any, parts: Sequence[Part]
) -> Part | None:
    """Return the first part that alone makes the filter reject the host."""
    return next(
        (part for part in parts if not filter_.host_passes(host, part.spec)),
        None,
    )


def explain_by_part(
    filter_: Any, parts: Sequence[Part],
    explain_part: Callable[[Any, Part], Reason],
) -> HostExplainer:
    """Explain by the part that alone fails a host, where there is one.

    :param explain_part: return the reason of a host and that part.
    """
    def explain(host: Any) -> Reason:
        part = find_failing(filter_, host, parts)
        return NO_REASON if part is None else explain_part(host, part)

    return explain


def _list_properties(spec: Any) -> Iterator[tuple[str, Any]]:
    properties = spec.image.properties if spec.image else {}
    for name in getattr(properties, 'fields', ()):
        if name in properties:
            yield name, properties.get(name)


def _make_spec(properties: dict[str, Any]) -> Any:
    return objects.RequestSpec(
        image=objects.ImageMeta(
            properties=objects.ImageMetaProps(**properties)
        )
    )
