"""Decide as Nova's filters, weighers and draw do, to the last bit.

Plugins are asked about each host on Nova's side, and about all of them at
once on the engine's.
"""

import contextlib
import copy
import functools
import logging
import os
import random
import types
from unittest import mock

import fixtures
import numpy as np
import testtools
from nova import conf as nova_conf
from nova import context as nova_context
from nova import exception, objects
from nova.scheduler import filters, host_manager, manager, weights
from oslo_config import fixture as config_fixture

from nova_ext.core.decision.fallback import FallbackError
from nova_ext.engine.host_table import HostTable
from nova_ext.policy import enforcer
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.mirror.deciding.candidates import (
    Candidates,
    DecisionInputs,
)
from nova_ext.scheduler.mirror.plugins import nova_plugins
from nova_ext.scheduler.trace import request_facts
from tests.differential import clouds, plugins

_WANTED = os.environ.get('NOVA_EXT_DIFFERENTIAL_CLOUDS')
#: How many clouds are made.
COUNT = int(_WANTED or '400')
#: The first one's seed. Always the same clouds, unless some are asked for.
SEED = int(os.environ.get('NOVA_EXT_DIFFERENTIAL_SEED') or (
    random.SystemRandom().randrange(10 ** 9) if _WANTED else 1
))
#: A server that is placed.
NEW_SERVER = '11111111-2222-3333-4444-555555555555'
#: What a weigher answers that has no metric of a host.
_RAISED = 'raised'


class _Servers(list):
    """Stand in for Nova's InstanceList, and for the database."""

    def __init__(self, context, objects):
        # The servers that were just placed have no image.
        super().__init__(
            each for each in objects if isinstance(each, types.SimpleNamespace)
        )

    def fill_metadata(self):
        """Do nothing: it is there."""


def _describe(columns, placing):
    """Return the hosts with their weights, and those after each filter."""
    return (
        [
            (columns.keys[row][0], weight) for row, weight in zip(
                placing.rows, placing.weights.tolist(), strict=True
            )
        ],
        [
            [columns.keys[row][0] for row in rows]
            for rows in placing.left[1:]
        ],
    )


class EngineTest(testtools.TestCase):
    """Compare the engine with SchedulerManager._get_sorted_hosts."""

    def setUp(self):
        """Load all of Nova's filters and weighers."""
        super().setUp()
        # Nova logs each verdict, which would be kept with the test's result.
        self.useFixture(fixtures.FakeLogger(level=logging.CRITICAL))
        self.config = self.useFixture(config_fixture.Config(nova_conf.CONF))
        objects.register_all()
        self.filters = [cls() for cls in filters.all_filters()]
        self.plugins = plugins.load_filters()
        self.manager = manager.SchedulerManager.__new__(
            manager.SchedulerManager
        )
        hosts = host_manager.HostManager.__new__(host_manager.HostManager)
        hosts.filter_handler = filters.HostFilterHandler()
        hosts.weight_handler = weights.HostWeightHandler()
        hosts.weighers = [
            *(cls() for cls in weights.all_weighers()),
            *plugins.load_weighers(),
        ]
        self.manager.host_manager = hosts
        #: Takes the reasons that plugins give.
        self.attempt = mock.Mock(reasons={})
        self.denied = False
        for module, name, answer in (
            # ImagePropertiesWeigher reads what servers have of the database.
            (objects, 'InstanceList', _Servers),
            (objects.CellMapping, 'get_by_uuid', lambda *args: None),
            (
                nova_context, 'target_cell',
                lambda context, cell: contextlib.nullcontext(context),
            ),
            (cycle, 'get_attempt', lambda: self.attempt),
            (request_facts, 'get_caller_context', lambda spec: object()),
            (enforcer, 'allows', lambda *args: not self.denied),
        ):
            self.useFixture(fixtures.MockPatchObject(module, name, answer))

    def test_decisions_are_novas(self):
        """Verdicts of each filter, order and weights are Nova's."""
        decided = placed = not_finite = self.reasons = 0
        for seed in range(SEED, SEED + COUNT):
            for expected, answer in self._decide(seed):
                decided += 1
                if answer is None:
                    not_finite += 1
                    continue
                placed += bool(expected[0])
                self.assertEqual(
                    expected, answer, f'NOVA_EXT_DIFFERENTIAL_SEED={seed}'
                )
        print(
            f'{COUNT} clouds from seed {SEED}: {decided} decisions, {placed} '
            f'with hosts, {not_finite} left to Nova, {self.reasons} reasons '
            'of plugins'
        )
        # Most decisions are of use only if some hosts are left.
        self.assertGreater(placed, decided / 4)
        self.assertLess(not_finite, decided / 4)
        self.assertGreater(self.reasons, decided / 4)

    def _decide(self, seed):
        """Yield what Nova and the engine answer, for each server."""
        generator = clouds.Generator(seed)
        draw = generator.random
        for name, choices in clouds.OPTIONS.items():
            self.config.config(
                group='filter_scheduler', **{name: draw.choice(choices)}
            )
        self._configure_plugins(draw)
        enabled = draw.sample(self.filters, draw.randrange(8))
        enabled += draw.sample(self.plugins, draw.randrange(3))
        draw.shuffle(enabled)
        self.denied = draw.random() < 0.2
        for weigher in self.manager.host_manager.weighers[-3:]:
            weigher.plugin.options['weight_multiplier'] = draw.choice(
                (0.0, 1.0, 1.0, -0.3)
            )
        self.manager.host_manager.enabled_filters = enabled
        states = generator.make_hosts()
        spec = generator.make_spec()
        columns = self._freeze(states)
        rows = np.arange(len(states))
        for index in range(draw.choice((1, 1, 2, 4))):
            number = draw.getrandbits(32)
            self.attempt.reasons = {}
            answer = self._ask_engine(columns, rows, spec, index, number)
            reasons, self.attempt.reasons = self.attempt.reasons, {}
            try:
                expected, states = self._ask_nova(states, spec, index, number)
            except exception.ComputeHostMetricNotFound:
                yield _RAISED, answer
                return
            self.reasons += len(reasons)
            self.assertEqual(
                self.attempt.reasons, reasons,
                f'NOVA_EXT_DIFFERENTIAL_SEED={seed}',
            )
            if answer is _RAISED:
                yield expected, answer
                return
            yield expected, answer and _describe(columns, answer)
            if not states or answer is None:
                return
            # The claims on the first ones may fail.
            chosen = states[draw.randrange(min(3, len(states)))]
            rows = answer.rows
            columns = self._deplete(columns, chosen, spec)

    def _configure_plugins(self, draw):
        """Set what filters and weighers of Nova read when they are made."""
        for name, choices in clouds.METRICS.items():
            self.config.config(group='metrics', **{name: draw.choice(choices)})
        for name, choices in clouds.IMAGE_PROPERTIES.items():
            if name in nova_conf.CONF.filter_scheduler:
                self.config.config(
                    group='filter_scheduler', **{name: draw.choice(choices)}
                )
        for weigher in self.manager.host_manager.weighers:
            if hasattr(weigher, '_parse_setting'):
                weigher._parse_setting()
        for filter_ in self.filters:
            if type(filter_).__name__ == 'MetricsFilter':
                type(filter_).__init__(filter_)

    def _ask_engine(self, columns, rows, spec, index, seed):
        try:
            return Candidates(DecisionInputs(
                None, self.manager.host_manager.enabled_filters,
                self.manager.host_manager.weighers,
            ), spec).place(columns, rows, index, seed)
        except FallbackError:
            return None
        except exception.ComputeHostMetricNotFound:
            return _RAISED

    def _ask_nova(self, states, spec, index, seed):
        """Return what Nova decides, and the states of its hosts.

        :returns: as :func:`_describe`.
        """
        kept, left = [], []

        def keep_left(filter_all, states, spec):
            passed = list(filter_all(states, spec))
            if states:  # the engine asks no filter about none
                left.append([state.host for state in passed])
            return passed

        handler = self.manager.host_manager.weight_handler
        weigh = handler.get_weighed_objects

        def keep(*args):
            kept.extend(weigh(*args))
            return list(kept)

        generator = random.Random(seed)  # noqa: S311  not a secret
        with contextlib.ExitStack() as patches:
            for owner, name, value in (
                (handler, 'get_weighed_objects', keep),
                (manager, 'random', generator),
                *(
                    (each, 'filter_all',
                     functools.partial(keep_left, each.filter_all))
                    for each in self.manager.host_manager.enabled_filters
                ),
            ):
                patches.enter_context(mock.patch.object(owner, name, value))
            ranked = self.manager._get_sorted_hosts(spec, states, index)
        by_host = {weighed.obj.host: weighed.weight for weighed in kept}
        return (
            [(state.host, by_host[state.host]) for state in ranked], left,
        ), ranked

    def _freeze(self, states):
        table = HostTable(nova_plugins.make_readers(
            self.manager.host_manager.weighers
        ))
        for state in states:
            table.put(state)
        return table.freeze()

    def _deplete(self, columns, chosen, spec):
        """Consume in both; in the columns, from a state of their own."""
        (row,) = columns.find_rows([(chosen.host, chosen.nodename)])
        state = columns.states[row]
        if state is chosen:
            state = copy.copy(state)
            state.instances = dict(state.instances)
        group = spec.instance_group and copy.deepcopy(spec.instance_group)
        self.manager._consume_selected_host(state, spec, NEW_SERVER)
        spec.instance_group = group
        self.manager._consume_selected_host(chosen, spec, NEW_SERVER)
        return columns.replace(
            {row: state}, nova_plugins.list_unclaimed(columns)
        )
