"""Filling hosts, and what it comes to."""

import json

import testtools

from nova_ext.core.decision.decision import Decision
from nova_ext.core.rpc import capacity as c


class FillTest(testtools.TestCase):
    """Hosts are names here, with so much room."""

    def fill(self, room, at_most=100, stop_after=None):
        """Fill hosts in their order.

        :param stop_after: servers in all, after which others are full, too.
        """
        left = dict(room)
        placed = []

        def place(host):
            if stop_after is not None and len(placed) >= stop_after:
                return 'SharedFilter'
            if not left[host]:
                return 'VCPU'
            left[host] -= 1
            placed.append(host)
            return ''

        return c.fill_hosts(room, str, place, at_most)

    def test_full(self):
        """Until something stands in the way."""
        filling = self.fill({'a': 2, 'b': 1})
        self.assertEqual({'a': 2, 'b': 1}, filling.placed)
        self.assertEqual({'a': 'VCPU', 'b': 'VCPU'}, filling.full)
        self.assertFalse(c.depends_on_order(filling))

    def test_depends_on_order(self):
        """Notice a host that another one's servers filled."""
        self.assertTrue(
            c.depends_on_order(self.fill({'a': 2, 'b': 1}, stop_after=2))
        )
        self.assertFalse(
            c.depends_on_order(self.fill({'a': 2, 'b': 2}, stop_after=3))
        )

    def test_bounded(self):
        """What never fills up ends, too; its end is not known."""
        filling = self.fill({'a': 3, 'b': 10**9, 'c': 1}, at_most=5)
        self.assertEqual({'a': 3, 'b': 2, 'c': 0}, filling.placed)
        self.assertEqual({'a': 'VCPU'}, filling.full)
        self.assertFalse(c.depends_on_order(filling))
        capacity = c.summarize([filling], 5, {}, {})
        self.assertTrue(capacity.bounded)
        self.assertEqual(c.ServerRange(5, 5), capacity.total)

    def test_cut(self):
        """What takes too long ends within a host, and says so."""
        answers = iter([False, False, False, True, True])
        filling = c.fill_hosts(
            {'a': 2, 'b': 10**9, 'c': 1}, str, lambda host: '' if (
                host == 'b'
            ) else 'VCPU', 100, lambda: next(answers),
        )
        self.assertEqual({'a': 0, 'b': 2}, filling.placed)
        self.assertEqual(({'a': 'VCPU'}, True), (filling.full, filling.is_cut))
        self.assertFalse(self.fill({'a': 2}).is_cut)

    def test_summed_up(self):
        """Least and most of each, in all of the ways."""
        fillings = [
            self.fill({'a': 3, 'b': 1}, stop_after=3),
            self.fill({'b': 1, 'a': 3}, stop_after=1),
        ]
        capacity = c.summarize(
            fillings, 100, {'a': ['west'], 'b': ['east']},
            {'a': ['rack', 'fast'], 'b': ['rack']},
        )
        capacity.decision = Decision('t', 'r')
        self.assertEqual(c.ServerRange(1, 3), capacity.total)
        self.assertEqual(
            {'west': c.ServerRange(0, 3), 'east': c.ServerRange(0, 1)},
            capacity.zones,
        )
        self.assertEqual(
            {'fast': c.ServerRange(0, 3), 'rack': c.ServerRange(1, 3)},
            capacity.aggregates,
        )
        self.assertEqual(['a', 'b'], list(capacity.hosts))
        self.assertEqual({'SharedFilter': 1}, capacity.full)
        self.assertFalse(capacity.bounded)
        data = json.loads(json.dumps(capacity.to_dict()))
        self.assertEqual(capacity, c.Capacity.from_dict(data))

    def test_none(self):
        """No host at all."""
        capacity = c.summarize([c.FillResult()], 100, {}, {})
        self.assertEqual(c.Capacity(c.ServerRange(0, 0)), capacity)
