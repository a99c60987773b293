"""Any sequence of decisions is read as it was written, damaged or not."""

import copy
import itertools
import tempfile
from pathlib import Path

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.journal import frames, writer
from nova_ext.journal.reader import JournalReader
from tests.unit.journal import samples

NAMES = st.sampled_from(['a', 'b', 'c', 'd', 'e'])
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-2**40, 2**40)
    | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=4), inner, max_size=3), max_leaves=6,
)
HOST = st.dictionaries(
    st.sampled_from(['free_ram_mb', 'stats', 'cpu_info', 'numa_topology']),
    PLAIN,
)
#: Hosts in any order; some change, come and go.
HOSTS = st.lists(
    st.tuples(NAMES, HOST), unique_by=lambda pair: pair[0], max_size=5,
)
AGGREGATES = st.dictionaries(st.integers(1, 3), PLAIN, max_size=3)
RESOURCES = st.dictionaries(
    st.sampled_from(['VCPU', 'MEMORY_MB']), st.integers(1, 4), min_size=1,
)
REQUEST = st.builds(
    lambda names, amounts, rest: {
        'allocations': {
            name: {'resources': amounts} for name in names
        },
        'mappings': {'': names[:1], '1': names[-1:]}, **rest,
    },
    st.lists(NAMES, min_size=1, max_size=2, unique=True), RESOURCES,
    st.dictionaries(st.just('other'), PLAIN),
)
CANDIDATES = st.none() | st.fixed_dictionaries({
    'queries': st.just(['resources=VCPU:1']), 'version': st.just('1.36'),
    'allocation_requests': st.lists(REQUEST, max_size=4),
    'provider_summaries': st.dictionaries(NAMES, PLAIN),
})
DECISIONS = st.lists(st.tuples(HOSTS, AGGREGATES, CANDIDATES), max_size=8)


def _write(folder, decisions, epoch=writer.EPOCH_DECISIONS):
    """Write decisions; return the file, and where each begins."""
    made = samples.make_writer(folder, clock=lambda: 1e9)
    begins = []
    for number, (hosts, aggregates, candidates) in enumerate(decisions):
        known = dict(aggregates)
        hosts = {name: {
            **values, 'aggregates': sorted(known),
        } for name, values in hosts}
        if number % epoch == 0:
            made._frames = None  # begin an epoch
        made.write(samples.make_decision(number, hosts, known, candidates))
        begins.append(made._size)
    path = made._path
    made.close()
    return path, begins


def _expected(decision):
    hosts, aggregates, candidates = decision
    return [
        (name, {
            **values,
            'aggregates': [aggregates[n] for n in sorted(aggregates)],
        }) for name, values in hosts
    ], candidates


def _read(decision):
    candidates = decision.candidates
    return [
        (host.host, dict(host.values)) for host in decision.hosts
    ], None if candidates is None else dict(candidates)


def _draw_place(data, size):
    """Return a place behind the header: a part of what the file has."""
    part = data.draw(st.floats(0, 1, exclude_max=True))
    begin = len(frames.HEADER)
    return begin + int(part * (size - begin))


class JournalPropertyTest(testtools.TestCase):
    """Sequences of decisions, whole and damaged."""

    @given(DECISIONS)
    def test_round_trip(self, decisions):
        """All that was written is read, equal and in order."""
        with tempfile.TemporaryDirectory() as folder:
            if not decisions:
                return
            before = copy.deepcopy(decisions)
            path, _ = _write(Path(folder), decisions)
            reader = JournalReader(path)
            read = list(reader)
            self.assertEqual([], list(reader.damage))
            for number, (expected, decision) in enumerate(
                zip(before, read, strict=True)
            ):
                self.assertEqual(number, decision.id)
                self.assertEqual(_expected(expected), _read(decision))

    @given(DECISIONS.filter(bool), st.data())
    def test_cut_off(self, decisions, data):
        """What was whole is read, and one line says that the rest is not."""
        with tempfile.TemporaryDirectory() as folder:
            path, ends = _write(Path(folder), decisions, epoch=3)
            size = path.stat().st_size
            cut = _draw_place(data, size)
            content = path.read_bytes()
            path.write_bytes(content[:cut])
            reader = JournalReader(path)
            whole = [number for number, end in enumerate(ends) if end <= cut]
            self.assertEqual(whole, [each.id for each in reader])
            self.assertLessEqual(len(reader.damage), 1)
            for damage in reader.damage:
                self.assertIn('cut off at byte', damage.text)
            # The rest comes: whoever follows the file misses nothing.
            path.write_bytes(content)
            rest = [each.id for each in reader]
            self.assertEqual(list(range(len(decisions)))[len(whole):], rest)
            self.assertEqual([], list(reader.damage))

    @given(DECISIONS.filter(bool), st.data())
    def test_damaged_bit(self, decisions, data):
        """One line tells; what stands before is read, and later epochs."""
        with tempfile.TemporaryDirectory() as folder:
            path, ends = _write(Path(folder), decisions, epoch=3)
            content = bytearray(path.read_bytes())
            place = _draw_place(data, len(content))
            content[place] ^= 1 << data.draw(st.integers(0, 7))
            path.write_bytes(content)
            reader = JournalReader(path)
            read = [each.id for each in reader]
            hit = next(
                number for number, end in enumerate(ends) if place < end
            )
            following = (hit // 3 + 1) * 3
            self.assertEqual([
                number for number in range(len(ends))
                if number < hit or number >= following
            ], read)
            self.assertEqual(1, len(reader.damage), reader.damage)

    def test_other_numbers(self):
        """1, 1.0 and True differ, though Python calls them equal."""
        values = [1, 1.0, True, 0, 0.0, False]
        with tempfile.TemporaryDirectory() as folder:
            path, _ = _write(Path(folder), [
                ([('a', {'x': one}), ('b', {'x': two})], {}, None)
                for one, two in itertools.product(values, values)
            ])
            read = [
                [host.values['x'] for host in decision.hosts]
                for decision in JournalReader(path)
            ]
        self.assertEqual(
            repr([list(pair) for pair in itertools.product(values, values)]),
            repr(read),
        )
