"""Find candidates as placement's rules say, whatever the providers."""

import numpy as np
import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.engine.provider_table import ProviderTable
from nova_ext.engine.providers import Demand, Inventory, Provider

_CLASSES = st.sampled_from(('VCPU', 'MEMORY_MB', 'DISK_GB'))
_NAMES = st.frozensets(st.sampled_from('abc'), max_size=2)
_INVENTORIES = st.builds(
    Inventory, total=st.integers(0, 12), reserved=st.integers(0, 2),
    allocation_ratio=st.sampled_from((0.7, 1.0, 1.1, 4.0)),
    min_unit=st.integers(1, 3), max_unit=st.integers(1, 9),
    step_size=st.integers(1, 3),
)
_PROVIDERS = st.builds(
    Provider, st.uuids().map(str), st.integers(0, 9),
    st.dictionaries(_CLASSES, _INVENTORIES),
    st.dictionaries(_CLASSES, st.integers(0, 8)), _NAMES, _NAMES,
)
_SOME = st.frozensets(st.sampled_from('abc'), min_size=1, max_size=2)
_DEMANDS = st.builds(
    Demand, st.dictionaries(_CLASSES, st.integers(1, 8), min_size=1),
    st.lists(_SOME, max_size=2), _NAMES, st.lists(_SOME, max_size=2), _NAMES,
)


class FindTest(testtools.TestCase):
    """Compare the columns with the rules, provider by provider."""

    @given(st.lists(_PROVIDERS, max_size=6), _DEMANDS)
    def test_find(self, providers, demand):
        """The mask has just those providers that meet all demands."""
        table = ProviderTable()
        for provider in providers:
            table.put(provider)
        columns = table.freeze()
        mask = columns.find(demand)
        self.assertEqual(
            {p.uuid for p in table if _meets(p, demand)},
            {uuid for uuid, row in columns.rows.items() if mask[row]},
        )


def _meets(provider, demand):
    for name, amount in demand.resources.items():
        inventory = provider.inventories.get(name)
        if inventory is None or (
            any(
                provider.used.get(name, 0) + amount
                > (inventory.total - inventory.reserved) * float(ratio)
                for ratio in (
                    inventory.allocation_ratio,
                    # As MariaDB keeps it.
                    np.float32(inventory.allocation_ratio),
                )
            )
            or not inventory.min_unit <= amount <= inventory.max_unit
            or amount % inventory.step_size
        ):
            return False
    return (
        all(provider.traits & some for some in demand.required)
        and not provider.traits & demand.forbidden
        and all(provider.aggregates & some for some in demand.member_of)
        and not provider.aggregates & demand.not_member_of
    )
