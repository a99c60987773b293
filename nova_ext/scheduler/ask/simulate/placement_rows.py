"""Read placement's answer to GET /allocation_candidates for the engine."""

from collections.abc import Mapping
from typing import Any

from nova_ext.engine.snapshot import Amounts


def read_free(summaries: Mapping[str, Mapping[str, Any]]) -> Amounts:
    """Return what providers have free.

    :param summaries: provider summaries by provider UUID. Their capacity is
        the total less the reserved, times the ratio.
    """
    return {
        provider: {
            resource: amounts['capacity'] - amounts['used']
            for resource, amounts in summary['resources'].items()
        }
        for provider, summary in summaries.items()
    }


def read_demand(candidate: Mapping[str, Any]) -> Amounts:
    """Return what an allocation request takes."""
    return {
        provider: allocation['resources']
        for provider, allocation in candidate['allocations'].items()
    }
