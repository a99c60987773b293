"""Hold no more of the zone's own hosts than Nova's quota has room for."""

import testtools

from nova_ext.core.rpc.boot_request import BootFlavor
from nova_ext.core.rpc.offers import MAX_SLOTS, HeldRoom
from nova_ext.zones.offers import own_offers
from nova_ext.zones.tables.models import Item
from tests.unit.zones.offers import base


class CountTest(testtools.TestCase):
    """Count with servers of 2 CPUs and 1,000 MiB, two of which are held."""

    def count(self, **limits):
        """Count those that have room."""
        room = HeldRoom('h', 'h', {}, 1000, 0, 2, 'o', 0)
        return own_offers.count_left(
            {**base.LIMITS, **limits}, [room, room], BootFlavor(2, 1000)
        )

    def test_limits(self):
        """The narrowest limit counts."""
        self.assertEqual(MAX_SLOTS, self.count())
        self.assertEqual(MAX_SLOTS, self.count(maxTotalInstances=10_000))
        self.assertEqual(4, self.count(maxTotalInstances=9))
        self.assertEqual(3, self.count(maxTotalCores=16))
        self.assertEqual(2, self.count(maxTotalRAMSize=11_999))
        self.assertEqual(2, self.count(
            maxTotalInstances=9, maxTotalCores=16, maxTotalRAMSize=11_999
        ))

    def test_over(self):
        """Who uses more than the quota gets none."""
        self.assertEqual(0, self.count(maxTotalInstances=0))
        self.assertEqual(0, self.count(maxTotalCores=1))


class QuotaTest(base.GatheringTestCase):
    """A zone with room for three, and Nova's quota of its project."""

    def ask(self, count):
        """Return the number of offers, and why there are no more."""
        gathered = self.gather(count)
        return len(gathered.offers), gathered.report.reason

    def test_held(self):
        """What is held counts, until it is given back."""
        self.limits['maxTotalInstances'] = 5
        first = self.gather(1).offers
        self.assertEqual((1, 'quota'), self.ask(2))
        self.assertEqual((0, 'quota'), self.ask(1))
        self.give_back(first)
        self.assertEqual((1, None), self.ask(1))
        self.assertEqual(2, len(self.held('root')))

    def test_enough(self):
        """Where hosts have less room, they are why."""
        self.limits['maxTotalInstances'] = 7
        self.assertEqual((3, 'no_room'), self.ask(5))
        self.assertEqual([4], [
            len(question.request_ids) for question in self.backends.fake.asked
        ])

    def test_counted(self):
        """A server that Nova counts, and whose room is held, counts once."""
        self.limits['maxTotalInstances'] = 5
        offered, = self.gather(1).offers
        with self.database.writing() as session:
            session.add(Item(
                key='k', build='b', request_id=offered.request_id,
                server_id='s', state='sent',
            ))
        self.limits['totalInstancesUsed'] += 1
        self.assertEqual((1, 'quota'), self.ask(2))

    def test_silent(self):
        """No offers are made without Nova's answer."""
        del self.limits['totalRAMUsed']
        self.assertEqual((0, 'cloud_silent'), self.ask(1))

    def test_child(self):
        """A child zone holds to the quota of the parent's account."""
        self.backends.fake.costs = []
        self.add_child('one', 1, 2, 3)
        self.limits['maxTotalInstances'] = 4
        gathered = self.gather(2)
        self.assertEqual([1], [each.cost for each in gathered.offers])
        self.assertEqual('quota', base.find(gathered.report, 'one').reason)
