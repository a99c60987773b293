"""Say which hosts aggregates keep out, and why."""

from types import SimpleNamespace

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.scheduler.completion import aggregate_exclusions
from nova_ext.scheduler.explainers import Reason

HOSTS = ('a', 'b', 'c', 'd')
AGGREGATES = [
    SimpleNamespace(
        uuid=f'u-{name}', name=name, hosts=list(hosts), availability_zone=zone
    ) for name, hosts, zone in (
        ('rack-1', 'ab', 'west'), ('rack-2', 'c', 'west'),
        ('mine', 'ad', None), ('gpu', 'bd', None), ('ssd', 'd', None),
    )
]
NOT_WEST = Reason('not in availability zone west')


def by_host(zone='', **prefilters):
    """Return reasons for all of the hosts."""
    request = {'availability_zone': zone} if zone else {}
    return aggregate_exclusions.find_reasons(
        d.Decision('now', 'req', request=request, prefilters=prefilters),
        HOSTS, AGGREGATES,
    )


class KeptOutTest(testtools.TestCase):
    """Use four hosts in five aggregates."""

    def test_zone(self):
        """Take the aggregates of a zone in any order."""
        self.assertEqual(
            {'d': NOT_WEST},
            by_host('west', aggregates=['u-rack-2,u-rack-1']),
        )

    def test_part_of_a_zone(self):
        """Take a part of a zone for required aggregates."""
        reason = Reason('not in a required aggregate', 'such as rack-1')
        self.assertEqual(
            {'c': reason, 'd': reason},
            by_host('west', aggregates=['u-rack-1']),
        )

    def test_no_zone(self):
        """Give no zone where none is requested, or it has no aggregate."""
        reason = Reason(
            'not in a required aggregate', 'such as rack-1, rack-2'
        )
        for zone in ('', 'nova'):
            self.assertEqual(
                {'d': reason}, by_host(zone, aggregates=['u-rack-1,u-rack-2'])
            )
        self.assertEqual({}, by_host('nova'))

    def test_forbidden(self):
        """Name all aggregates that keep a host."""
        self.assertEqual(
            {
                'b': Reason('kept for others', 'by aggregate gpu'),
                'd': Reason('kept for others', 'by aggregate gpu, ssd'),
            }, by_host(forbidden_aggregates=['u-gpu', 'u-other', 'u-ssd']),
        )

    def test_unknown_to_nova(self):
        """Give no reason for aggregates that only placement knows."""
        self.assertEqual({}, by_host(aggregates=['u-mine,u-subnet']))

    def test_first(self):
        """Give the zone first, then isolation, then other aggregates."""
        self.assertEqual({
            'd': NOT_WEST,
            'b': Reason('kept for others', 'by aggregate gpu'),
            'c': Reason('not in a required aggregate', 'such as mine'),
        }, by_host(
            'west', aggregates=['u-mine', 'u-rack-1,u-rack-2'],
            forbidden_aggregates=['u-gpu'],
        ))
