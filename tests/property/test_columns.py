"""Filters and weighers say the same of many hosts as of each of them."""

import random
import time

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext import testing
from nova_ext.core.base import offer_signature
from nova_ext.filters import offer
from nova_ext.filters.specified_host import SpecifiedHostFilter
from nova_ext.filters.stats import StatsFilter
from nova_ext.weighers.specified_host import SpecifiedHostWeigher
from nova_ext.weighers.stats import StatsWeigher

HOSTS = st.builds(
    lambda seed, count: testing.make_random_hosts(
        random.Random(seed), count  # noqa: S311  not a secret
    ), st.integers(0, 10 ** 6), st.integers(1, 12),
)
NAMES = st.sampled_from(['cmp-0', 'CMP-0', 'cmp-1', 'cmp-7', 'x', '', ' '])
#: What tells a first boot from a move, a return and a forced host.
OPERATIONS = st.sampled_from([
    {}, {}, {'ignore_hosts': ['cmp-3']}, {'force_hosts': ['cmp-2']},
    {'requested_destination': testing.FakeDestination(cell='c')},
])
#: Requirements, some of which can't be parsed.
TEXTS = st.sampled_from(['<= 8', '>= 8', '== 0', '< 8', '', 'fast'])
STATS = {
    f'cmp-{number}': {'ext:load1': number, 'ext:disk': 'fast'}
    for number in range(0, 12, 2)
}
SECRET = 'between schedulers'  # noqa: S105
LATER = int(time.time()) + 3600


NO_SPECS = st.just({})


@st.composite
def requests(draw, hints, specs=NO_SPECS):
    """Draw a request."""
    return testing.make_request(
        draw(hints), flavor=testing.FakeFlavor(extra_specs=draw(specs)),
        **draw(OPERATIONS),
    )


def stats_of(names):
    """Return extra specs or hints about stats."""
    return st.dictionaries(
        st.sampled_from([f'stats:{name}' for name in names]), TEXTS
    )


class SameAnswersTest(testtools.TestCase):
    """Any hosts, any request."""

    @given(HOSTS, requests(st.dictionaries(
        st.just('requested_host'), NAMES | st.lists(NAMES)
    )))
    def test_specified_host(self, hosts, request):
        """The hint, once, several times, or absent."""
        for plugin in (SpecifiedHostFilter(), SpecifiedHostWeigher()):
            testing.assert_same_answers(plugin, request, hosts)

    @given(HOSTS, requests(
        stats_of(['load1']), stats_of(['load1', 'disk', 'load2'])
    ))
    def test_stats(self, hosts, request):
        """Requirements that hosts meet, miss, or do not report."""
        options = {'names': ['load1', 'disk'], 'weight_multiplier': 1.0}
        facts = testing.FakeFacts(stats=STATS)
        for plugin in (
            StatsFilter(options, facts), StatsWeigher(options, facts)
        ):
            testing.assert_same_answers(plugin, request, hosts)

    @given(HOSTS, requests(st.dictionaries(
        st.just(offer_signature.HINT), st.sampled_from(['', 'made up', '1.x'])
        | st.integers(0, 11).map(lambda number: offer_signature.sign(
            SECRET, 'req-1', 'project', f'cmp-{number}', f'node-{number}',
            LATER,
        )),
    )), st.sampled_from([[], [SECRET]]))
    def test_offer(self, hosts, request, secrets):
        """The offer of a host, one that is made up, or none."""
        testing.assert_same_answers(offer.OfferFilter(
            {'secret': secrets}, testing.FakeFacts(global_id='req-1')
        ), request, hosts)
