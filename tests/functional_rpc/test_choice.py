"""What choosing hosts for servers to come leaves behind."""

import fixtures
from nova.cmd import manage
from nova.scheduler.client import report

from nova_ext import client
from nova_ext.core.decision import decision as d
from nova_ext.core.explanation.explain import explain
from tests.functional_rpc.test_run_instance import (
    PickingDriver,
    RunInstanceTestCase,
)


class ChoiceTest(RunInstanceTestCase):
    """One decision, and no allocation."""

    def fail_once(self, method, successes=0):
        """Have a call to placement fail, after some that do not."""
        real = getattr(report.SchedulerReportClient, method)
        calls = []

        def failing(*args, **kwargs):
            calls.append(args)
            if len(calls) == successes + 1:
                raise RuntimeError('placement is away')
            return real(*args, **kwargs)

        self.useFixture(fixtures.MonkeyPatch(
            f'nova.scheduler.client.report.SchedulerReportClient.{method}',
            failing,
        ))

    def test_record(self):
        """One decision of the choice, and one of each server's boot.

        The driver hears of servers, and not of the choice.
        """
        flavor = self._create_flavor(memory_mb=5000)
        created = self.run_instance(5, flavorRef=flavor)
        for one in created[:3]:
            self.active(one)
        choice, *boots = self.decisions()
        self.assertEqual(
            (self.me.request_id, d.CHOICE, d.NO_VALID_HOST),
            (choice.request_id, choice.operation, choice.outcome),
        )
        self.assertIn(
            'hosts for 3 of 5 servers, and none for server 4',
            explain(choice).sentence,
        )
        self.assertEqual(
            sorted([one['id']] for one in created[:3]),
            sorted(made.servers for made in boots),
        )
        self.assertEqual({'first boot'}, {made.operation for made in boots})
        self.assertEqual(
            ['cmp-1', 'cmp-2', 'cmp-3'], sorted(PickingDriver.heard)
        )

    def test_given_back(self):
        """What was claimed for the choice, when an error ends it."""
        self.fail_once('claim_resources', successes=1)
        self.refusal(client.DriverError, count=2)
        self.assertEqual([], self.consumers())

    def test_claim_that_stays(self):
        """It is logged, the servers are created, and Nova's audit has it."""
        log = self.request_log()
        self.fail_once('delete_allocation_for_instance')
        created = [one['id'] for one in self.run_instance(2)]
        for one in created:
            self.active({'id': one})
        (stays,) = set(self.consumers()) - set(created)
        self.assertIn(f'allocation {stays}, which no server has', log.output)
        self.assertEqual(4, manage.PlacementCommands().audit(delete=True))
        self.assertEqual(sorted(created), self.consumers())
