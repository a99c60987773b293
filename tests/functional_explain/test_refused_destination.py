"""Destinations of live migrations that the conductor refuses."""

import fixtures
from nova import context, exception, objects

from nova_ext.core.explanation import (
    explain,
    refused_destination,
    server_outcome,
)
from tests.functional import base
from tests.functional_explain.test_server_outcome import read_history

REFUSED = 'chosen before, and refused for the live migration (request)'


class RefusedCase(base.CloudTestCase):
    """A server on cmp-1; all other hosts have an older hypervisor."""

    microversion = '2.84'

    def setUp(self):
        """Boot it there."""
        super().setUp()
        self.server = self.boot({'requested_host': 'cmp-1'})
        for host in ('cmp-2', 'cmp-3'):
            self.set_version(host, 1)

    def set_version(self, host, version):
        """Have Nova know another version of a host's hypervisor."""
        node = objects.ComputeNode.get_first_node_by_host_for_old_compat(
            context.get_admin_context(), host
        )
        node.hypervisor_version = version
        node.save()

    def migrate(self, host=None):
        """Fail to migrate live.

        :returns: the request's sentences, the oldest first, and what the
            newest is followed by.
        """
        before = len(self.decisions())
        self.act(self.server, 'os-migrateLive', {
            'host': host, 'block_migration': 'auto',
        }, self.admin_api)

        def has_failed():
            events = read_history(self.admin_api, self.server['id']).events
            return any(
                (event['event'], event['result'])
                == ('conductor_live_migrate_instance', 'Error')
                for event in events
            )

        self.wait_for(has_failed, 'the failure')
        decisions = self.decisions()[before:]
        history = read_history(self.admin_api, self.server['id'])
        refused_destination.mark(decisions)
        refused_destination.mark_by_history(decisions[-1], history)
        outcome = server_outcome.describe_outcome(decisions[-1], history)
        return [
            explain.explain(each, self.server['id']) for each in decisions
        ], outcome

    def assert_refusals(self, outcome, *hosts):
        """Check that the conductor refused hosts by itself."""
        self.assertEqual(list(hosts), [
            line.split()[2] for line in outcome
            if line.startswith('nova-conductor refused ')
        ])
        self.assertEqual('the server is ACTIVE on cmp-1', outcome[-1])


class SchedulerModeTest(RefusedCase):
    """Our scheduler records each attempt."""

    def test_any_host(self):
        """Each host is offered once, and none of them is called chosen."""
        explanations, outcome = self.migrate()
        first, second, last = (each.sentence for each in explanations)
        for sentence, number in ((first, 2), (second, 1)):
            self.assertRegex(
                sentence, rf'^cmp-[23] offered from {number} of 3 hosts that '
                rf'placement offered and refused later: ',
            )
            self.assertIn('1 host is to be left (request)', sentence)
        self.assertIn(f'1 {REFUSED}', second)
        self.assertEqual(
            f'0/3 hosts: 2 {REFUSED}, 1 host is to be left (request)', last
        )
        self.assertEqual(
            'refused later', explanations[0].rows[0].verdict
        )
        self.assert_refusals(outcome, *(
            sentence.split()[0] for sentence in (first, second)
        ))

    def test_named_host(self):
        """The named host was refused, and is no destination any more."""
        (first, last), outcome = self.migrate('cmp-2')
        self.assertTrue(first.sentence.startswith(
            'cmp-2 offered from 1 of 3 hosts and refused later: 2 not asked '
            'for'
        ), first.sentence)
        self.assertEqual(
            f'0/3 hosts: 2 not asked for, 1 {REFUSED}', last.sentence
        )
        self.assert_refusals(outcome, 'cmp-2')

    def test_refused_by_the_host(self):
        """nova-compute's own check says why, and no conductor is named."""
        for host in ('cmp-2', 'cmp-3'):
            self.set_version(host, 1000)

        def refuse(*args, **kwargs):
            raise exception.MigrationPreCheckError(reason='CPU differs')

        self.useFixture(fixtures.MonkeyPatch(
            'nova.virt.fake.FakeDriver.check_can_live_migrate_destination',
            refuse,
        ))
        (first, last), outcome = self.migrate('cmp-2')
        self.assertIn('refused later', first.sentence)
        self.assertIn(REFUSED, last.sentence)
        self.assert_refusals(outcome)
        self.assertIn('CPU differs', ' '.join(outcome))


class PluginModeTest(RefusedCase):
    """A stock scheduler shows no attempt for which it has no host."""

    manager = None

    def test_named_host(self):
        """Nova's API shows that the host was refused."""
        (only,), outcome = self.migrate('cmp-2')
        self.assertTrue(only.sentence.startswith(
            'cmp-2 offered from 1 of 3 hosts and refused later: '
        ), only.sentence)
        self.assert_refusals(outcome, 'cmp-2')
