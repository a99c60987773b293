"""A copy of what placement has, in which claims cost nothing."""

from collections.abc import Mapping
from typing import Any

#: Amounts by resource class, by resource provider.
Amounts = Mapping[str, Mapping[str, Any]]


class Ledger:
    """What resource providers have free, less what is claimed here.

    :param summaries: provider summaries of placement's answer to GET
        /allocation_candidates, by provider UUID. Capacity is what may be
        used in all: the total less the reserved, times the ratio.
    """

    def __init__(self, summaries: Mapping[str, Mapping[str, Any]]) -> None:
        self._free = {
            provider: {
                resource: of['capacity'] - of['used']
                for resource, of in summary['resources'].items()
            }
            for provider, summary in summaries.items()
        }

    def lacking(self, allocations: Amounts) -> list[str]:
        """Resource classes of which too little is free, sorted.

        :param allocations: those of an allocation request, by provider.
        """
        return sorted({
            resource
            for provider, of in allocations.items()
            for resource, amount in of['resources'].items()
            if self._free.get(provider, {}).get(resource, 0) < amount
        })

    def claim(self, allocations: Amounts) -> bool:
        """Take all of it, or nothing where something is lacking."""
        if self.lacking(allocations):
            return False
        for provider, of in allocations.items():
            for resource, amount in of['resources'].items():
                self._free[provider][resource] -= amount
        return True
