"""Spare Nova's prefilters what they would ask databases at each request.

The prefilters run as they are.
"""

from collections.abc import Iterable
from typing import Any

import os_traits
from nova.scheduler import request_filter


def find_oldest(cells: Iterable[Iterable[int | None]]) -> int:
    """Return the version of the oldest nova-compute; 0: there is none.

    As in nova.objects.service.get_minimum_version_all_cells.

    :param cells: versions of the services of each cell, but for those that
        are forced down.
    """
    oldest = [
        min((each for each in versions if each is not None), default=0)
        for versions in cells
    ]
    return min(filter(None, oldest), default=0)


def require_owner(spec: Any, oldest: int) -> None:
    """Require the trait of Nova's own providers, where Nova would.

    Its prefilter asks the services of all cells whether they are new enough,
    unless the trait is required already.

    :param spec: a request without PCI devices, whose providers Nova's
        prefilter looks at, too.
    :param oldest: version of the oldest nova-compute; 0: not known.
    """
    prefilter = getattr(request_filter, 'owner_nova_filter', None)
    if prefilter not in request_filter.ALL_REQUEST_FILTERS:
        return
    if oldest >= request_filter.MIN_COMPUTE_VERSION_OWNER_TRAIT:
        spec.root_required.add(os_traits.OWNER_NOVA)
