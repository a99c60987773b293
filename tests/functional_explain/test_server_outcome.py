"""What became of servers after the scheduler, as Nova's API tells it."""

import contextlib

import fixtures
from nova import exception, utils

from nova_ext.cli import servers
from nova_ext.core.explanation import server_outcome
from tests.functional import base


class _AfterCase(base.CloudTestCase):
    """Explain what became of a server."""

    def explain_outcome(self, server):
        """Return the hosts that were offered last, and what came after."""
        decision = self.decisions()[-1]
        history = read_history(self.admin_api, server['id'])
        self.assertEqual(decision.request_id, history.request_id)
        outcome = server_outcome.describe_outcome(decision, history)
        return decision.chosen[server['id']], outcome


def read_history(api, server):
    """Read what Nova's API shows of a server, as the command does."""
    history, errors = servers.read_history(
        server, lambda: contextlib.nullcontext(_Connection(api))
    )
    if errors:
        raise AssertionError(errors)
    return history


class _Connection:
    """Nova's test client, as openstacksdk's connection."""

    def __init__(self, api):
        self._api = api

    @property
    def compute(self):
        """The compute API."""
        return self

    def get(self, path, microversion):
        """Send a request."""
        with utils.temporary_mutation(self._api, microversion=microversion):
            return self._api.api_request(path)


def refuse_claims(case, count):
    """Have nova-compute find that so many hosts are too small."""
    refused = []

    def refuse(claim, *args, **kwargs):
        if len(refused) < count:
            refused.append(claim)
            raise exception.ComputeResourcesUnavailable(
                reason='NUMA does not fit'
            )

    case.useFixture(fixtures.MonkeyPatch(
        'nova.compute.claims.Claim._claim_test', refuse
    ))


class RescheduleTest(_AfterCase):
    """Every build fails on the first host that is tried."""

    compute_driver = 'fake.FakeRescheduleDriver'
    hosts = ('cmp-1', 'cmp-2')

    def test_alternate_is_tried(self):
        """The conductor takes the alternate, unasked."""
        (first, second), outcome = self.explain_outcome(self.boot())
        self.assertEqual(
            [f'the build failed on {first}, {second} tried next; why stands '
             f'in the log of nova-compute on {first}',
             f'the server is ACTIVE on {second}'], outcome,
        )

    def test_alternates_used_up(self):
        """Nova gives up, and the fault says so."""
        self.flags(max_attempts=1, group='scheduler')
        server = self.boot(expected_state='ERROR')
        (first,), outcome = self.explain_outcome(server)
        self.assertIn(
            f'every host that the scheduler offered was tried: {first}',
            outcome,
        )
        self.assertTrue(
            any(line.startswith('the server\'s fault: ') for line in outcome),
            outcome,
        )
        self.assertEqual('the server is ERROR', outcome[-1])


class ComputeTest(_AfterCase):
    """What nova-compute finds, which the scheduler could not know."""

    hosts = ('cmp-1', 'cmp-2')
    enabled_filters = (
        'ComputeFilter', 'ServerGroupAntiAffinityFilter',
    )
    microversion = '2.87'

    def test_late_affinity_check(self):
        """An operator names the host, past the filters."""
        group = self.api.post_server_groups({
            'name': 'apart', 'policy': 'anti-affinity',
        })['id']
        first = self.host_of(self.boot({'group': group}))
        server = self.boot(
            {'group': group}, self.admin_api, expected_state='ERROR',
            availability_zone=f'nova:{first}',
        )
        (host,), outcome = self.explain_outcome(server)
        self.assertEqual(first, host)
        self.assertIn(
            f'every host that the scheduler offered was tried: {host}',
            outcome,
        )
        self.assertIn('Anti-affinity', ' '.join(outcome))

    def test_claim(self):
        """A host turns out to be too small; the other takes the server."""
        refuse_claims(self, 1)
        server = self.boot()
        (first, second), outcome = self.explain_outcome(server)
        self.assertEqual(
            [f'the build failed on {first}, {second} tried next; why stands '
             f'in the log of nova-compute on {first}',
             f'the server is ACTIVE on {second}'], outcome,
        )

    def test_attempts_used_up(self):
        """Tell why the last host failed, by Nova's own fault."""
        self.flags(max_attempts=2, group='scheduler')
        refuse_claims(self, 2)
        _, outcome = self.explain_outcome(self.boot(expected_state='ERROR'))
        self.assertIn(
            'the build failed on the last host because of Insufficient '
            'compute resources: NUMA does not fit.', outcome,
        )


class MoveTest(_AfterCase):
    """A server on cmp-1 that shall leave."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3')

    def setUp(self):
        """Boot it there."""
        super().setUp()
        self.server = self.boot({'requested_host': 'cmp-1'})

    def test_alternate_is_tried(self):
        """The first host turns out to be too small."""
        refuse_claims(self, 1)
        self.act(self.server, 'migrate', api=self.admin_api)
        self._wait_for_state_change(self.server, 'VERIFY_RESIZE')
        (first, second), outcome = self.explain_outcome(self.server)
        self.assertEqual(
            f'the move failed on {first}, {second} tried next; why stands in '
            f'the log of nova-compute on {first}', outcome[0],
        )
        self.assertEqual(
            f'the server is VERIFY_RESIZE on {second}', outcome[-1]
        )

    def test_alternates_used_up(self):
        """Both do; the server stays where it was, and has failed."""
        refuse_claims(self, 2)
        self.act(self.server, 'migrate', api=self.admin_api)
        # The conductor calls it ACTIVE again, then the last host ERROR.
        self._wait_for_server_parameter(self.server, {
            'status': 'ERROR', 'OS-EXT-STS:task_state': None,
        })
        (first, second), outcome = self.explain_outcome(self.server)
        self.assertIn(
            f'every host that the scheduler offered was tried: {first}, '
            f'{second}', outcome,
        )
        self.assertEqual('the server is ERROR on cmp-1', outcome[-1])
