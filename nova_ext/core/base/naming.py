"""Names taken apart into words."""

import re

_BOUNDARY = re.compile(
    r'[_-]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])'
)


def words(name: str) -> list[str]:
    """The words of a name: ``GPUOnly``, ``gpu_only`` and ``gpu-only``.

    :param name: in CamelCase, or joined by underscores or hyphens.
    :returns: the words in the letter case that they have.
    """
    return [word for word in _BOUNDARY.split(name) if word]


def snake_case(name: str) -> str:
    """The name in lower case, its words joined by underscores."""
    return '_'.join(words(name)).lower()


def multiplier_key(class_name: str) -> str:
    """The key of aggregate metadata that overrides a weigher's multiplier.

    :param class_name: of a weigher, ``GpuOnlyWeigher``.
    :returns: ``gpu_only_weight_multiplier``.
    """
    name = class_name.removesuffix('Weigher')
    return f'{snake_case(name)}_weight_multiplier'
