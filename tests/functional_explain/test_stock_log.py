"""What a stock nova-scheduler logs is what happened."""

import logging
import pathlib
from unittest import mock

import fixtures
from nova.scheduler.client import report
from oslo_context import context
from oslo_log import formatters

from nova_ext.core.base import errors
from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.explain import explain
from nova_ext.core.explanation.host_counts import count_hosts
from nova_ext.record import stock_log
from nova_ext.scheduler.base import options
from tests.functional import base


class StockLogTest(base.CloudTestCase):
    """Nova's own manager, logging at DEBUG; our filters record beside it."""

    manager = None
    enabled_filters = (
        'ComputeFilter', 'NumInstancesFilter', 'SpecifiedHostFilter'
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
        """The newest failure of a server, out of the log."""
        return stock_log.find(self.log, server['id']).decisions[0]

    def leave(self, wanted):
        """Leave of the log what a test wants of its lines."""
        log = pathlib.Path(self.log)
        lines = log.read_text().splitlines(keepends=True)
        log.write_text(''.join(line for line in lines if wanted(line)))

    def test_success(self):
        """Servers that were placed are in the record alone.

        Where they fill all hosts, the filters leave none for alternates:
        that is logged, and is no failure.
        """
        self.flags(group='filter_scheduler', max_instances_per_host=1)
        self.take_down('cmp-3')
        servers = self.boot_many(2)
        self.assertIn('Filtering removed all hosts',
                      pathlib.Path(self.log).read_text())
        for server in servers:
            error = self.assertRaises(
                errors.RecordError, self.from_log, server
            )
            self.assertIn('no failed scheduling', str(error))
        self.leave(lambda line: ' DEBUG ' not in line)
        explained = explain(self.from_log(servers[-1]))
        self.assertEqual('', explained.outcome)
        self.assertIn('how the request ended is not in the log',
                      '\n'.join(explained.notes))

    def test_filters(self):
        """Counts are those of the record, at DEBUG and at INFO."""
        self.take_down('cmp-3')
        server = self.boot({'requested_host': 'no-such-host'},
                           expected_state='ERROR')
        (recorded,) = self.decisions()
        self.assertEqual([server['id']], recorded.servers)
        for wanted in (
            lambda line: True,
            lambda line: ' DEBUG ' not in line,
        ):
            self.leave(wanted)
            logged = self.from_log(server)
            self.assertEqual(d.NO_VALID_HOST, logged.outcome)
            self.assertEqual(_counts(recorded), _counts(logged))
            self.assertEqual(
                '0/3 hosts that reached the filters: 1 down (ComputeFilter), '
                '2 rejected by SpecifiedHostFilter',
                explain(logged).sentence,
            )
        # The conductor's words, that no scheduler's own log has.
        self.leave(lambda line: 'No valid host' not in line)
        self.assertEqual('', self.from_log(server).outcome)

    def test_no_candidates(self):
        """Placement offers no host."""
        flavor = self._create_flavor(memory_mb=30000)
        server = self.boot(
            flavorRef=f'{self.api_fixture.base_url}/flavors/{flavor}',
            expected_state='ERROR',
        )
        self.assertEqual('no host, placement offered none',
                         explain(self.from_log(server)).sentence)

    def test_refused(self):
        """Placement refuses the query; Nova logs its words as an error."""
        flavor = self._create_flavor(
            extra_spec={'trait:CUSTOM_NO_SUCH': 'required'}
        )
        server = self.boot(
            flavorRef=f'{self.api_fixture.base_url}/flavors/{flavor}',
            expected_state='ERROR',
        )
        self.assertEqual(
            'no host, placement refused the query (400: No such trait(s): '
            'CUSTOM_NO_SUCH.)', explain(self.from_log(server)).sentence,
        )

    def test_claims(self):
        """Of a claim that placement refuses, the conductor tells the end."""
        with mock.patch.object(
            report.SchedulerReportClient, 'claim_resources',
            lambda *a, **k: False,
        ):
            server = self.boot(expected_state='ERROR')
        self.assertEqual(
            'no host, There are not enough hosts available',
            explain(self.from_log(server)).sentence,
        )


def _counts(decision):
    """Hosts by the filter that let them go, and how many passed."""
    counted = count_hosts(decision)
    gone = {}
    for group in counted.groups:
        gone[group.stage] = gone.get(group.stage, 0) + group.count
    return counted.total, counted.passed, gone
