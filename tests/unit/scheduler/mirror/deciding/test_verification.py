"""Test what is said of a ranking that differs from Nova's."""

import types

import numpy as np

from nova_ext.engine import decide
from nova_ext.scheduler.mirror.deciding.verification import find_differences
from nova_ext.testing import make_host
from tests.unit.scheduler.trace.untraced import UntracedTestCase

NAMES = ('a', 'b', 'c', 'd', 'e', 'f')


class FindDifferencesTest(UntracedTestCase):
    """The engine ranks some of six hosts, Nova others or otherwise."""

    def find(self, ours, theirs):
        """Return the differences of two rankings.

        :param ours: weights of the engine, by the host's name, in order.
        """
        columns = types.SimpleNamespace(keys=[(n, n) for n in NAMES])
        placing = decide.Placing(
            np.array([NAMES.index(name) for name in ours]),
            np.array(list(ours.values()), np.float64), [], [], [],
        )
        return find_differences(
            columns, placing, [make_host(name) for name in theirs],
            {(name, name): weight for name, weight in theirs.items()},
        )

    def test_same(self):
        """Nothing is said, though Nova gave a single host no weight."""
        for ours in ({}, {'a': 0.0}, {'b': 2.0, 'a': 1.5}):
            self.assertEqual('', self.find(ours, ours))
        columns = types.SimpleNamespace(keys=[('a', 'a')])
        placing = decide.Placing(np.array([0]), np.zeros(1), [], [], [])
        self.assertEqual('', find_differences(
            columns, placing, [make_host('a')], {}
        ))

    def test_passed(self):
        """Hosts that passed on one side alone are counted."""
        self.assertEqual(
            'only Nova passed b/b',
            self.find({'a': 2.0}, {'a': 1.0, 'b': 1.0}),
        )
        self.assertEqual(
            'only the engine passed a/a, b/b, c/c, and 2 more, '
            'only Nova passed f/f',
            self.find(dict.fromkeys('edcba', 1.0), {'f': 1.0}),
        )

    def test_weights_and_order(self):
        """Both are said, weights to the last bit."""
        self.assertEqual(
            'the order differs in 2 places, first in 2',
            self.find(
                {'a': 3.0, 'b': 1.0, 'c': 1.0}, {'a': 3.0, 'c': 1.0, 'b': 1.0}
            ),
        )
        self.assertEqual(
            'a/a weighs 0.30000000000000004 (Nova: 0.3)',
            self.find({'a': 0.1 + 0.2}, {'a': 0.3}),
        )
        self.assertEqual(
            'a/a weighs 1.0 (Nova: 2.0), b/b weighs 2.0 (Nova: 1.0), '
            'the order differs in 2 places, first in 1',
            self.find({'b': 2.0, 'a': 1.0}, {'a': 2.0, 'b': 1.0}),
        )
