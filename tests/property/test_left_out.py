"""Any cloud: what hosts lack is what a plain look at each host finds."""

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import left_out_hosts
from nova_ext.core.decision.placement_query import Demand
from nova_ext.core.explanation import left_out

DEMANDS = [Demand('resources', f'C{n}:1') for n in range(4)]
#: What each host has, by name.
CLOUDS = st.dictionaries(
    st.text('abc', min_size=1, max_size=3), st.sets(st.sampled_from(DEMANDS))
)


class LeftOutPropertyTest(testtools.TestCase):
    """Hosts with one provider each."""

    @given(CLOUDS)
    def test_lacks(self, cloud):
        """Each host that lacks something stands in its group alone."""
        met = [
            (demand, {host for host in cloud if demand in cloud[host]})
            for demand in DEMANDS
        ]
        offered = {host for host in cloud if cloud[host] == set(DEMANDS)}
        groups = left_out_hosts.group_hosts(
            {host: {host} for host in cloud}, offered,
            left_out_hosts.list_lacks(cloud, met, {}, [DEMANDS]),
        )
        self.assertEqual(
            {
                host: [
                    demand.describe_lack() for demand in DEMANDS
                    if demand not in cloud[host]
                ] for host in cloud if host not in offered
            },
            {host: group.lacks for group in groups for host in group.hosts},
        )
        self.assertEqual(
            len(cloud) - len(offered), sum(group.count for group in groups)
        )

    @given(CLOUDS)
    def test_two_queries(self, cloud):
        """What either answer needs, and nothing that another makes up for."""
        queries = DEMANDS[:3], DEMANDS[1:]
        met = [
            (demand, {host for host in cloud if demand in cloud[host]})
            for demand in DEMANDS
        ]
        lacks = left_out_hosts.list_lacks(cloud, met, {}, queries)
        for host, has in cloud.items():
            first, second = (
                {demand.describe_lack() for demand in demands} - {
                    demand.describe_lack() for demand in has
                } for demands in queries
            )
            expected = first & second
            if first - second and second - first:
                expected = first | second
            elif not expected and first | second:
                expected = {left_out_hosts.NOTHING_OF_ONE}
            self.assertEqual(sorted(expected), sorted(lacks[host]))

    @given(st.lists(st.integers(1, 9), max_size=12))
    def test_counts_add_up(self, counts):
        """In the sentence, whatever it leaves out."""
        decision = d.Decision('', '', asked_again=d.PlacementDiagnosis(
            '', '', left_out=[
                d.LeftOut([f'lacks {chr(65 + n)}'], count)
                for n, count in enumerate(counts)
            ],
        ))
        summary = left_out.summarize(decision)
        if len(counts) == 1:
            hosts = f'all {counts[0]} hosts that it left out lack A'
            if counts == [1]:
                hosts = 'the one host that it left out lacks A'
            self.assertIn(f', {hosts}', summary)
            return
        numbers = [
            int(word) for word in
            summary.partition(', of ')[2].split() if word.isdecimal()
        ]
        self.assertEqual(sum(counts), sum(numbers[:1]))
        self.assertEqual(sum(counts), sum(numbers[1:]))
