"""Weights are normalised as Nova does it."""

import testtools
from hypothesis import given
from hypothesis import strategies as st
from nova import weights as nova_weights

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import weigher_contributions

NUMBERS = st.floats(-1e9, 1e9) | st.integers(-10, 10)
BOUNDS = st.none() | NUMBERS


class Host:
    """Stand in for a host state in Nova's weight handler."""

    def __init__(self, name):
        self.host = self.nodename = name


class Weigher(nova_weights.BaseWeigher):
    """Gives each host the weight it is told."""

    def __init__(self, weights, multiplier, minval, maxval):
        self.weights = weights
        self.multiplier = multiplier
        self.minval, self.maxval = minval, maxval

    def weight_multiplier(self, host_state):
        """As told."""
        return self.multiplier

    def _weigh_object(self, obj, weight_properties):
        return self.weights[obj.host]


@st.composite
def weighers(draw):
    """Several weighers of one list of hosts."""
    hosts = [f'h{n}' for n in range(draw(st.integers(2, 6)))]
    return hosts, [
        Weigher(
            {host: draw(NUMBERS) for host in hosts}, draw(NUMBERS),
            draw(BOUNDS), draw(BOUNDS),
        )
        for _ in range(draw(st.integers(1, 4)))
    ]


class DifferentialTest(testtools.TestCase):
    """Ours against Nova's."""

    @given(st.lists(NUMBERS, min_size=1), BOUNDS, BOUNDS)
    def test_normalise(self, raw, low, high):
        """The same numbers, bit by bit."""
        named = dict(enumerate(raw))
        self.assertEqual(
            list(nova_weights.normalize(raw, low, high)),
            list(weigher_contributions.normalize(named, low, high).values()),
        )

    @given(weighers())
    def test_contributions(self, given_weighers):
        """Contributions add up to the weight that Nova gives."""
        hosts, all_weighers = given_weighers
        weighed = _Handler().get_weighed_objects(
            all_weighers, [Host(name) for name in hosts], None
        )
        recorded = [_recorded(w, hosts) for w in all_weighers]
        for each in weighed:
            total = 0.0
            for part in weigher_contributions.get_contributions(
                recorded, each.obj.host
            ):
                total += part.amount
            self.assertEqual(each.weight, total)


class _Handler(nova_weights.BaseWeightHandler):
    def __init__(self):
        pass


def _recorded(weigher, hosts):
    raw = weigher.weigh_objects(
        [nova_weights.WeighedObject(Host(name), 0.0) for name in hosts], None
    )
    return d.Weighing(
        'Weigher', dict(zip(hosts, raw, strict=True)),
        dict.fromkeys(hosts, weigher.multiplier), weigher.minval,
        weigher.maxval,
    )
