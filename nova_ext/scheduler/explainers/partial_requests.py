"""A filter is asked about one part of the request alone.

Which part fails a host is the filter's own word then, and no copy of what
Nova does to find out.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from nova import objects

from nova_ext.scheduler.explainers.reason import NONE, Explain, Reason


class Part(NamedTuple):
    """One demand of the request, and a request for nothing else."""

    name: str
    value: Any
    spec: Any


def extra_specs(spec: Any) -> list[Part]:
    """The flavor's extra specs."""
    flavor = spec.flavor
    wanted = flavor.extra_specs if 'extra_specs' in flavor else {}
    return [
        Part(name, value, objects.RequestSpec(
            flavor=objects.Flavor(extra_specs={name: value})
        ))
        for name, value in wanted.items()
    ]


def image_properties(spec: Any) -> list[Part]:
    """The image's properties, after an image without any."""
    return [
        Part('', None, _image({})),
        *(
            Part(name, value, _image({name: value}))
            for name, value in _properties(spec)
        ),
    ]


def failing(
    filter_: Any, host: Any, parts: Sequence[Part]
) -> Part | None:
    """The first part that alone makes the filter reject the host."""
    return next(
        (part for part in parts if not filter_.host_passes(host, part.spec)),
        None,
    )


def blame(
    filter_: Any, parts: Sequence[Part], tell: Callable[[Any, Part], Reason]
) -> Explain:
    """Explain by the part that alone fails a host, where there is one.

    :param tell: the reason, of a host and that part.
    """
    def why(host: Any) -> Reason:
        part = failing(filter_, host, parts)
        return NONE if part is None else tell(host, part)

    return why


def _properties(spec: Any) -> Iterator[tuple[str, Any]]:
    properties = spec.image.properties if spec.image else {}
    for name in getattr(properties, 'fields', ()):
        if name in properties:
            yield name, properties.get(name)


def _image(properties: dict[str, Any]) -> Any:
    return objects.RequestSpec(
        image=objects.ImageMeta(
            properties=objects.ImageMetaProps(**properties)
        )
    )
