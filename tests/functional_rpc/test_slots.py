"""Slots of a zone, whatever its hosts are."""

from hypothesis import given
from hypothesis import strategies as st
from nova import test

import tests.property  # noqa: F401  says how many cases
from tests.functional_rpc import filling

#: Free RAM in MiB, and vCPUs, of each host.
HOSTS = st.lists(
    st.tuples(st.integers(0, 12_000), st.integers(0, 6)), min_size=1,
    max_size=6,
)
MEMORY_MB = st.integers(1, 3000)


def make_hosts(sizes):
    """Return hosts of these sizes."""
    return [
        filling.make_host(f'cmp-{number}', free_ram_mb, vcpus)
        for number, (free_ram_mb, vcpus) in enumerate(sizes)
    ]


class SlotsTest(test.NoDBTestCase):
    """Fill hosts by the RAM that they have left."""

    @given(HOSTS, MEMORY_MB, st.integers(1, 20))
    def test_one_question_or_many(self, sizes, memory_mb, count):
        """Slots of one question are those of as many questions.

        Each of them holds what it got; the costs are the same, too.
        """
        hosts, spec = make_hosts(sizes), filling.make_spec(memory_mb)
        together, _ = filling.fill(hosts, spec, count)
        single, held = [], []
        for _ in range(count):
            slots, _ = filling.fill(hosts, spec, 1, held)
            single += slots
            held += [filling.hold(slot, spec) for slot in slots]
        self.assertEqual(together, single)

    @given(HOSTS, MEMORY_MB)
    def test_all_that_fits(self, sizes, memory_mb):
        """Each host gets as many as fit, and no more."""
        slots, full = filling.fill(
            make_hosts(sizes), filling.make_spec(memory_mb), 1000
        )
        placed = [slot.host for slot in slots]
        self.assertEqual(
            [min(free_mb // memory_mb, vcpus) for free_mb, vcpus in sizes],
            [placed.count(f'cmp-{number}') for number in range(len(sizes))],
        )
        self.assertEqual(len(sizes), len(full))

    @given(HOSTS, MEMORY_MB, st.integers(1, 20))
    def test_order(self, sizes, memory_mb, count):
        """The cheapest come first, in whatever order the hosts come."""
        hosts, spec = make_hosts(sizes), filling.make_spec(memory_mb)
        slots, full = filling.fill(hosts, spec, count)
        costs = [slot.cost for slot in slots]
        self.assertEqual(sorted(costs), costs)
        self.assertEqual(
            (slots, full), filling.fill(hosts[::-1], spec, count)
        )
