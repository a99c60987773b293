"""What is recorded of hosts that were left out before a ranking."""

import types
from unittest import mock

import numpy as np

from nova_ext.engine.decide import Placing
from nova_ext.scheduler.explainers.reason import Reason
from nova_ext.scheduler.mirror.deciding import tracing
from nova_ext.scheduler.trace.attempt import AttemptTrace
from tests.unit.scheduler.configured import ConfiguredTestCase
from tests.unit.scheduler.mirror.deciding import plain_cloud


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
            ), Placing(
                left, np.zeros(1), [considered, left], [], [np.zeros(1)]
            ),
            [OtherFilter()], [], spec, 0,
        )
        attempt._explain_rejections()
        gone, rejected = attempt.attempt.steps
        self.assertIn('changed since', gone.rejections[0].reason)
        self.assertEqual('no rack', rejected.rejections[0].reason)
