"""What a stock nova-scheduler logs is what happened."""

import logging
import pathlib
from unittest import mock

import fixtures
from nova.scheduler.client import report
from oslo_context import context
from oslo_log import formatters

from nova_ext.core import decision as d
from nova_ext.core.explain import explain
from nova_ext.core.tally import tally
from nova_ext.record import stock_log
from nova_ext.scheduler import options
from tests.functional import base


class StockLogTest(base.CloudTestCase):
    """Nova's own manager, logging at DEBUG; our filters record beside it."""

    manager = None
    enabled_filters = (
        'ComputeFilter', 'ImagePropertiesFilter', 'SpecifiedHostFilter'
    )

    def setUp(self):
        """Write the log as nova-scheduler would."""
        super().setUp()
        self.log = self.useFixture(fixtures.TempDir()).join('scheduler.log')
        handler = logging.FileHandler(self.log)
        handler.setFormatter(formatters.ContextFormatter(
            config=options.CONF, datefmt=options.CONF.log_date_format
        ))
        nova = logging.getLogger('nova')
        self.addCleanup(handler.close)
        self.addCleanup(nova.removeHandler, handler)
        self.addCleanup(nova.setLevel, nova.level)
        nova.addHandler(handler)
        nova.setLevel(logging.DEBUG)
        for method in ('get', 'put', 'post', 'delete'):
            self._keep_context(method)

    def _keep_context(self, method):
        """Have placement be elsewhere.

        In the test's process it answers in the caller's thread, where it
        leaves a request id of its own.
        """
        ask = getattr(report.SchedulerReportClient, method)

        def ask_elsewhere(*args, **kwargs):
            mine = context.get_current()
            try:
                return ask(*args, **kwargs)
            finally:
                if mine is not None:
                    mine.update_store()

        self.useFixture(fixtures.MonkeyPatch(
            f'nova.scheduler.client.report.SchedulerReportClient.{method}',
            ask_elsewhere,
        ))

    def from_log(self, server):
        """The newest decision about a server, out of the log."""
        return stock_log.find(self.log, server['id']).decisions[0]

    def test_success(self):
        """The log names the chosen host, and counts as the record does."""
        server = self.boot({'requested_host': ['cmp-1', 'cmp-3']})
        logged = self.from_log(server)
        self.assertEqual(d.PLACED, logged.outcome)
        self.assertEqual([self.host_of(server)],
                         logged.chosen[server['id']])
        (recorded,) = self.decisions()
        self.assertEqual(_counts(recorded), _counts(logged))
        self.assertEqual(recorded.attempts[0].ranked,
                         logged.attempts[0].ranked)
        self.assertIn(
            'chosen from 2 of 3 hosts that reached the filters: 1 rejected by '
            'SpecifiedHostFilter', explain(logged).sentence,
        )
        for server in self.boot_many(2):
            logged = self.from_log(server)
            self.assertEqual([self.host_of(server)],
                             logged.chosen[server['id']])

    def test_failure(self):
        """Counts are those of the record; or placement offers no host."""
        self.boot(expected_state='ACTIVE')
        server = self.boot({'requested_host': 'no-such-host'},
                           expected_state='ERROR')
        logged, recorded = self.from_log(server), self.decisions()[-1]
        self.assertEqual([server['id']], recorded.servers)
        self.assertEqual(d.NO_VALID_HOST, logged.outcome)
        self.assertEqual(_counts(recorded), _counts(logged))
        text = '\n'.join(
            line for line in pathlib.Path(self.log).read_text().splitlines()
            if ' DEBUG ' not in line
        )
        pathlib.Path(self.log).write_text(text)
        self.assertEqual(_counts(recorded), _counts(self.from_log(server)))
        flavor = self._create_flavor(memory_mb=30000)
        server = self.boot(
            flavorRef=f'{self.api_fixture.base_url}/flavors/{flavor}',
            expected_state='ERROR',
        )
        self.assertEqual('no host, placement offered none',
                         explain(self.from_log(server)).sentence)

    def test_claims(self):
        """The best host's claim is refused, then all are."""
        claim = report.SchedulerReportClient.claim_resources
        refused = []

        def refuse_first(*args, **kwargs):
            refused.append(args)
            return len(refused) > 1 and claim(*args, **kwargs)

        name = 'claim_resources'
        with mock.patch.object(
            report.SchedulerReportClient, name, refuse_first
        ):
            server = self.boot()
        logged = self.from_log(server)
        self.assertEqual([False, True], [c.claimed for c in logged.claims])
        self.assertEqual(logged.attempts[0].ranked[:2],
                         [c.host for c in logged.claims])
        self.assertEqual(self.host_of(server), logged.claims[1].host)
        with mock.patch.object(
            report.SchedulerReportClient, name, lambda *a, **k: False
        ):
            server = self.boot(expected_state='ERROR')
        self.assertEqual(
            '0/3 hosts that reached the filters: 3 claim refused by placement '
            '(taken meanwhile)', explain(self.from_log(server)).sentence,
        )


def _counts(made):
    """Hosts by the filter that let them go, and how many passed."""
    counted = tally(made)
    gone = {}
    for group in counted.groups:
        gone[group.stage] = gone.get(group.stage, 0) + group.count
    return counted.total, counted.passed, gone
