"""Merge offers of zones, whatever they are."""

import dataclasses

import hypothesis
import testtools
from hypothesis import strategies as st

from nova_ext.zones.offers.offer import Offer, merge, move_up, weigh

ROOT = 'root'
COSTS = st.lists(st.integers(0, 20), max_size=6)


@st.composite
def trees(draw, depth):
    """Draw a zone: its UUID, the costs of its slots, and zones below it."""
    below = draw(st.lists(
        trees(depth - 1), max_size=3
    )) if depth > 1 else []
    return draw(st.uuids()).hex, sorted(draw(COSTS)), below


def offer(zone, ids):
    """Return what a zone's own schedulers offer."""
    uuid, costs, _ = zone
    return [
        Offer(request_id, cost, f'{uuid}-{request_id}', 1)
        for request_id, cost in zip(ids, costs, strict=False)
    ]


def gather(zone, ids, shuffle):
    """Return what a zone answers, with all below it.

    :param shuffle: puts answers into the order in which they came.
    """
    uuid, _, below = zone
    answers = [offer(zone, ids)]
    for child in below:
        answers.append([
            move_up(each, child[0], '', 1.0, 0.0)
            for each in gather(child, ids, shuffle)[0]
        ])
    return merge(shuffle(answers), len(ids), uuid)


def list_all(zone, ids, via=()):
    """Return the offers of all zones, each with its way."""
    uuid, _, below = zone
    yield from (
        (each.cost, uuid, each.request_id, via) for each in offer(zone, ids)
    )
    for child in below:
        yield from list_all(child, ids, (*via, child[0]))


class MergingTest(testtools.TestCase):
    """The cheapest offers of a tree of zones."""

    @hypothesis.given(
        st.integers(1, 4).flatmap(trees), st.integers(1, 8), st.randoms()
    )
    def test_sorted(self, zone, count, random):
        """They are those of one sorted list, in any order of answers."""
        ids = [f'req-{number}' for number in range(count)]

        def shuffle(answers):
            return random.sample(answers, len(answers))

        chosen, _ = gather(zone, ids, shuffle)
        expected = sorted(list_all(zone, ids))[:count]
        self.assertEqual(expected, [
            (each.cost, each.via[-1] if each.via else zone[0],
             each.request_id, each.via) for each in chosen
        ])

    @hypothesis.given(trees(2), st.integers(1, 8))
    def test_given_back(self, zone, count):
        """An offer is chosen, or is among the others, or came twice."""
        ids = [f'req-{number}' for number in range(count)]
        answers = [offer(zone, ids), *(
            [move_up(each, child[0], '', 1.0, 0.0)
             for each in offer(child, ids)] for child in zone[2]
        )]
        chosen, others = merge([*answers, *answers], count, zone[0])
        offers = {each for answer in answers for each in answer}
        self.assertEqual(offers, {*chosen, *others})
        self.assertEqual(len(offers), len(chosen) + len(others))

    @hypothesis.given(trees(2), st.integers(0, 20))
    def test_own_word(self, zone, cost):
        """No zone puts its words in the place of another's own offers."""
        ids = [f'req-{number}' for number in range(8)]
        child, *_ = zone[2] or [('child', [10], [])]
        own = [move_up(each, child[0], '', 1.0, 0.0)
               for each in offer(child, ids)]
        said = [move_up(dataclasses.replace(
            each, cost=cost, offer='other'
        ), 'liar', '', 1.0, 0.0) for each in own]
        chosen, _ = merge([said, own], 8, zone[0])
        self.assertEqual(
            sorted(own, key=lambda each: each.cost),
            sorted(chosen, key=lambda each: each.cost),
        )

    @hypothesis.given(
        st.integers(0, 2**31 - 1), st.floats(0, 2**31), st.floats(
            -2**31, 2**31
        )
    )
    def test_weighed(self, cost, scale, offset):
        """A cost stays a cost, whatever its parent makes of it."""
        self.assertIn(weigh(cost, scale, offset), range(2**31))
        self.assertEqual(cost, weigh(cost, 1.0, 0.0))
