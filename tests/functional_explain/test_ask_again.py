"""Decide again what left no decision, from the stored request spec."""

from nova import context

from nova_ext.core.explanation.explain import explain
from nova_ext.core.rpc.boot_request import Changes
from nova_ext.scheduler.what_if import stored_request
from nova_ext.scheduler.what_if.simulate import offline_simulation
from nova_ext.scheduler.what_if.simulate.simulation_requests import (
    SimulationRequests,
)
from tests.functional import base


class AskAgainTest(base.CloudTestCase):
    """A stock nova-scheduler, to which placement offers no host."""

    manager = None
    ask_again_every_s = 1

    def configure(self):
        """Have quotas stop nobody."""
        self.flags(group='quota', ram=-1)

    def repeat(self, server, ignore_hosts=None):
        """Return the decision that would be made now."""
        admin = context.get_admin_context()
        return SimulationRequests(offline_simulation.make_decider()).decide(
            admin,
            lambda: stored_request.load(admin, server['id'], ignore_hosts),
            Changes(), 10, diagnose=True,
        )

    def too_big(self, count=1, **fields):
        """Ask for more than any host has; return the first server."""
        flavor = self._create_flavor(memory_mb=30000)
        return self.boot_many(
            count, expected_state='ERROR',
            flavorRef=f'{self.api_fixture.base_url}/flavors/{flavor}',
            **fields,
        )[0]

    def test_boot(self):
        """Each host lacks memory, for all servers of the request."""
        for count, start in ((1, '0/3 hosts'), (2, 'none of 2 servers')):
            server = self.too_big(count)
            sentence = explain(self.repeat(server)).sentence
            self.assertTrue(sentence.startswith(start), sentence)
            self.assertIn('3 hosts that it left out lack MEMORY_MB', sentence)
        self.assertFalse(self.record.exists())

    def test_forced(self):
        """The host that was forced is asked for again."""
        server = self.too_big(availability_zone='nova:cmp-2')
        decision = self.repeat(server)
        self.assertEqual(['cmp-2'], decision.request['force_hosts'])
        self.assertIn('2 not asked for', explain(decision).sentence)

    def test_move(self):
        """The hosts that it leaves are left out; nothing is forced."""
        server = self.boot(availability_zone='nova:cmp-2')
        decision = self.repeat(server, ['cmp-1', 'cmp-2'])
        self.assertEqual([['cmp-3']], list(decision.chosen.values()))
