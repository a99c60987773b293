"""Find what features beside the API, such as zones, add to it.

A feature has an entry point in the group ``nova_ext.api``, which names its
:class:`Feature`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from oslo_config import cfg

from nova_ext.core.base.entry_points import list_points

GROUP = 'nova_ext.api'


@dataclass(frozen=True)
class Feature:
    """Represent what a feature adds to the API.

    :param operations: see :class:`nova_ext.api.operations.ApiOperation`.
    :param check: raises a NovaExtError where an option of the feature can't
        be used, so that nova-ext-api does not start.
    """

    operations: Sequence[Any]
    check: Callable[[cfg.ConfigOpts], None]


@cache
def list_features() -> Sequence[Feature]:
    """Return what installed features add, by the names of entry points."""
    return [
        each.load() for each in sorted(
            list_points(GROUP), key=lambda each: each.name
        )
    ]
