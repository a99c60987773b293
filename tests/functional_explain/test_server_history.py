"""The newest thing that happened to a server, and its decision."""

import fixtures
from nova import exception
from testtools import testcase

from nova_ext.core.explanation import server_history, server_outcome
from nova_ext.core.explanation.explain import explain
from tests.functional import base
from tests.functional_explain.test_server_outcome import read_history

NONE = 'No valid host was found.'


class ServerHistoryTest(base.CloudTestCase):
    """A server on cmp-1; nova-compute of all others is down."""

    microversion = '2.84'

    def setUp(self):
        """Boot it there."""
        super().setUp()
        self.server = self.boot({'requested_host': 'cmp-1'})
        for host in ('cmp-2', 'cmp-3'):
            self.take_down(host)

    def fails(self, action, body=None, name=None, status='ACTIVE'):
        """Have an operator ask for what fails.

        :param name: the action's name in Nova's history.
        :returns: its history.
        """
        self.act(self.server, action, body, self.admin_api)

        def has_failed():
            history = read_history(self.admin_api, self.server['id'])
            return (history.newest['action'], history.newest['message']) == (
                name or action, 'Error'
            )

        self.wait_for(has_failed, 'the failure')
        self._wait_for_server_parameter(self.server, {
            'status': status, 'OS-EXT-STS:task_state': None,
        })
        return read_history(self.admin_api, self.server['id'])

    def explains(self, history):
        """Explain the newest action by its decision.

        :returns: the operation, the outcome, and what is told since.
        """
        (made,) = (
            each for each in self.decisions()
            if each.request_id == history.request_id
        )
        return (
            made.operation, made.outcome,
            server_outcome.describe_outcome(made, history),
        )

    @testcase.attr('slow')
    def test_failed_moves(self):
        """Each is the newest, with one reason and no older fault."""
        for action, body, name, event in (
            ('migrate', None, None, 'conductor_migrate_server'),
            ('resize', {'flavorRef': self.api.get_flavors()[1]['id']}, None,
             'conductor_migrate_server'),
            ('os-migrateLive', {'host': None, 'block_migration': 'auto'},
             'live-migration', 'conductor_live_migrate_instance'),
        ):
            operation, outcome, told = self.explains(
                self.fails(action, body, name)
            )
            self.assertEqual(('move', 'no valid host'), (operation, outcome))
            failed, state = told
            self.assertTrue(failed.startswith(f'{event} failed on '), failed)
            self.assertEqual(1, failed.count(NONE), failed)
            self.assertEqual('the server is ACTIVE on cmp-1', state)

    @testcase.attr('slow')
    def test_failed_evacuation(self):
        """The server's fault is that of the event, told once."""
        self.take_down('cmp-1')
        history = self.fails('evacuate', {}, status='ERROR')
        self.assertIn(NONE, history.fault)
        _, _, told = self.explains(history)
        self.assertEqual(1, ' '.join(told).count(NONE), told)

    @testcase.attr('slow')
    def test_failed_unshelving(self):
        """It has no host of its own by then."""
        self._shelve_server(self.server)
        self.take_down('cmp-1')
        history = self.fails('unshelve', status='SHELVED_OFFLOADED')
        operation, outcome, told = self.explains(history)
        self.assertEqual(('return', 'no valid host'), (operation, outcome))
        self.assertEqual('the server is SHELVED_OFFLOADED', told[-1])

    def test_failed_boot(self):
        """The conductor, the server and the event say the same."""
        self.server = self.boot(
            {'requested_host': 'no-host'}, expected_state='ERROR'
        )
        history = read_history(self.admin_api, self.server['id'])
        _, _, told = self.explains(history)
        self.assertEqual(1, ' '.join(told).count(NONE), told)

    def test_no_decision(self):
        """The conductor refuses it before it asks a scheduler."""
        before = self.decisions()
        self.take_down('cmp-1')
        history = self.fails('os-migrateLive', {
            'host': None, 'block_migration': 'auto',
        }, 'live-migration')
        self.assertEqual(len(before), len(self.decisions()))
        told = server_history.explain_unrecorded(history, before[-1])
        self.assertRegex(
            told.sentence, r'^live-migration at .* UTC \(req-.*\): no '
            r'decision is recorded; conductor_live_migrate_instance failed on '
            r'.*: Compute service of cmp-1 is unavailable at this time\.$',
        )
        self.assertEqual(['the server is ACTIVE on cmp-1'], told.after)
        self.assertIn(f': explain {before[-1].request_id}', told.notes[0])
        # A member sees neither the host nor the reason.
        member = self.client('joe', ())
        told = server_history.explain_unrecorded(
            read_history(member, self.server['id']), None
        )
        self.assertTrue(told.sentence.endswith(
            '; conductor_live_migrate_instance failed'
        ), told.sentence)

    def test_later_fault(self):
        """A fault of something later is told as that, with its time.

        A server that still runs is in no error, and the action did not fail.
        """
        decision = self.decisions()[-1]

        def fail(*args, **kwargs):
            raise exception.NovaException('no power')

        self.useFixture(fixtures.MonkeyPatch(
            'nova.virt.fake.FakeDriver.reboot', fail
        ))
        self.act(self.server, 'reboot', {'type': 'HARD'})
        self._wait_for_instance_action_event(
            self.server, 'reboot', 'compute_reboot_instance', 'success'
        )
        self.act(
            self.server, 'os-resetState', {'state': 'error'}, self.admin_api
        )
        history = read_history(self.admin_api, self.server['id'])
        self.assertIn('no power', history.fault)
        told = server_outcome.describe_outcome(decision, history)
        self.assertEqual(2, len(told), told)
        self.assertRegex(
            told[0], r'^later, reboot at .* UTC \(req-.*\); .*fault: no power'
        )
        self.assertIn(
            'cmp-1 chosen', explain(decision, self.server['id']).sentence
        )
