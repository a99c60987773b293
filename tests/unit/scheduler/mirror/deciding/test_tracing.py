"""What is recorded of a ranking of the engine's."""

import random
import types
from unittest import mock

import numpy as np
from nova.scheduler.weights import WeighedHost

from nova_ext.engine import decide, rank
from nova_ext.engine.host_columns import Readers
from nova_ext.engine.host_table import HostTable
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.explainers.reason import Reason
from nova_ext.scheduler.mirror.deciding import tracing
from nova_ext.scheduler.trace.attempt import AttemptTrace
from nova_ext.scheduler.trace.weighings import Weighings
from nova_ext.testing import make_host
from tests.unit.scheduler.configured import ConfiguredTestCase
from tests.unit.scheduler.mirror.deciding import plain_cloud
from tests.unit.scheduler.trace.untraced import UntracedTestCase


class OtherFilter:
    """Stands for a filter that gives its own reasons."""


class TracePlacingTest(ConfiguredTestCase):
    """Of three hosts, one is gone and one is rejected."""

    def test_reasons(self):
        """The filter's reasons stay the filter's."""
        columns = plain_cloud.make_snapshot(dict.fromkeys('xyz', 1)).hosts
        spec = plain_cloud.make_spec()
        attempt = AttemptTrace(spec, 0, columns.states, mock.Mock())
        attempt.reasons = {columns.keys[1]: Reason('no rack')}
        considered, left = np.array([0, 1]), np.array([0])
        tracing.trace_placing(
            attempt, types.SimpleNamespace(
                columns=columns, considered=considered, gone=np.array([2])
            ), decide.Placing(
                left, np.zeros(1), [considered, left], [], [np.zeros(1)]
            ),
            [OtherFilter()], [], spec, 0,
        )
        attempt._explain_rejections()
        gone, rejected = attempt.attempt.steps
        self.assertIn('changed since', gone.rejections[0].reason)
        self.assertEqual('no rack', rejected.rejections[0].reason)


class _Weigher:
    def __init__(self, minval, multiplier):
        self.minval, self.maxval = minval, None
        self._multiplier = multiplier

    def weight_multiplier(self, host):
        return self._multiplier


class RowWeighingsTest(UntracedTestCase):
    """Columns of weights say what lists of them do.

    Weights are drawn of a few values, so that many are equal.
    """

    def setUp(self):
        """Draw the same in each run."""
        super().setUp()
        self.dice = random.Random(7)  # noqa: S311  not a secret
        table = HostTable(Readers(host_key))
        for number in range(12):
            table.put(make_host(f'h{number}'))
        self.columns = table.freeze()

    def weigh(self, count):
        """Weigh some hosts.

        :returns: the weights in columns, those in lists, and the hosts.
        """
        rows = np.array(
            self.dice.sample(range(len(self.columns)), count), np.int64
        )
        hosts = [self.columns.states[row] for row in rows]
        weighers = [
            _Weigher(
                self.dice.choice([None, 0]),
                self.dice.choice([0.0, 1.0, -1.0, 3.7]),
            ) for _ in range(3 if count > 1 else 0)
        ]
        weighings = [
            rank.Weighing(
                np.array([
                    self.dice.choice([0.0, -0.0, 1.0, 2.5, -3.0])
                    for _ in hosts
                ]), np.full(count, weigher._multiplier), weigher.minval,
            ) for weigher in weighers
        ]
        sums = rank.weigh(weighings, count)
        placing = decide.Placing(rows, sums[-1], [rows], weighings, sums)
        lists = Weighings()
        for weigher, weighing, before in zip(
            weighers, weighings, sums, strict=False
        ):
            weighed = [
                WeighedHost(*each)
                for each in zip(hosts, before.tolist(), strict=True)
            ]
            lists.add(weigher, weighed, weighing.raw.tolist())
        if weighers:
            for host, weight in zip(weighed, sums[-1].tolist(), strict=True):
                host.weight = weight
        lists.close()
        return tracing.RowWeighings(
            self.columns, placing, weighers
        ), lists, hosts

    def test_same(self):
        """All that is recorded of them is the same, to the last bit."""
        for _ in range(200):
            ours, lists, hosts = self.weigh(self.dice.randrange(1, 9))
            self.assertEqual(list(lists.list_best()), list(ours.list_best()))
            for count in (1, 3, 20):
                self.assertEqual(
                    list(lists.list_heaviest(count)),
                    list(ours.list_heaviest(count)),
                )
            for some in (None, hosts[:2], [*hosts[1:], make_host('other')]):
                # As text, since -0.0 equals 0.0.
                self.assertEqual(
                    repr(lists.summarize(some)), repr(ours.summarize(some))
                )
