"""Split names into words."""

import re

_BOUNDARY = re.compile(
    r'[_-]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])'
)


def split_words(name: str) -> list[str]:
    """Return the words of a name: ``GPUOnly``, ``gpu_only``, ``gpu-only``.

    :param name: in CamelCase, or joined by underscores or hyphens.
    """
    return [word for word in _BOUNDARY.split(name) if word]


def to_snake_case(name: str) -> str:
    """Return the name in lower case, its words joined by underscores."""
    return '_'.join(split_words(name)).lower()


def get_multiplier_key(class_name: str) -> str:
    """Return the aggregate metadata that overrides a weigher's multiplier.

    :param class_name: class of the weigher, ``GpuOnlyWeigher``.
    :returns: ``gpu_only_weight_multiplier``.
    """
    name = class_name.removesuffix('Weigher')
    return f'{to_snake_case(name)}_weight_multiplier'
