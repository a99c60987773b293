"""Count what resource providers have free, and claim of it.

``read_free`` and ``read_demand`` take it from placement's answer to
``GET /allocation_candidates``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from nova_ext.engine.providers import Amounts

#: Joins resource classes that ran out together.
SEPARATOR = ' and '


class FreeResources:
    """Count what resource providers have free.

    :param free: it is copied.
    """

    def __init__(self, free: Amounts) -> None:
        self._free = {
            provider: dict(amounts) for provider, amounts in free.items()
        }

    def find_lacking(self, demand: Amounts) -> list[str]:
        """Return the resource classes with too little free, sorted."""
        return sorted({
            resource for provider, resource, amount in _iterate(demand)
            if self._get(provider, resource) < amount
        })

    def count_fitting(self, demand: Amounts, at_most: int) -> int:
        """Return how many times a demand fits."""
        return min(
            [
                max(0, self._get(provider, resource) // amount)
                for provider, resource, amount in _iterate(demand) if amount
            ],
            default=at_most,
        )

    def claim(self, demand: Amounts, times: int = 1) -> None:
        """Subtract a demand; it has to fit that many times."""
        for provider, resource, amount in _iterate(demand):
            self._free[provider][resource] -= times * amount

    def deplete(self, demand: Amounts) -> None:
        """Take a demand away, whether it fits or not.

        Providers and resource classes that are not known are passed over.
        """
        for provider, resource, amount in _iterate(demand):
            if resource in self._free.get(provider, {}):
                self._free[provider][resource] -= amount

    def _get(self, provider: str, resource: str) -> int:
        return self._free.get(provider, {}).get(resource, 0)


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


def _iterate(demand: Amounts) -> Iterator[tuple[str, str, int]]:
    for provider, amounts in demand.items():
        for resource, amount in amounts.items():
            yield provider, resource, amount
