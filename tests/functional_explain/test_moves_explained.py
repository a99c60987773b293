"""Why a server can't move, whatever it does."""

import time

from nova_ext.core.explanation.explain import explain
from tests.functional import base

PATIENCE_S = 60
LEAVES = (
    '0/3 hosts: 1 host is to be left (request), 2 down as forced_down is set '
    '(ComputeFilter)'
)


class MovesExplainedTest(base.CloudTestCase):
    """A server on cmp-1; nova-compute of all others is down."""

    microversion = '2.79'

    def setUp(self):
        """Boot it there."""
        super().setUp()
        self.server = self.boot({'requested_host': 'cmp-1'})
        for host in ('cmp-2', 'cmp-3'):
            self.take_down(host)

    def fails(self, action, body=None):
        """Ask for a move.

        :returns: on which operation the scheduler decided, and the sentence.
        """
        before = len(self.decisions())
        self.act(self.server, action, body, self.admin_api)
        deadline = time.monotonic() + PATIENCE_S
        while len(self.decisions()) == before:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        decision = self.decisions()[-1]
        sentence = explain(decision, self.server['id']).sentence
        return decision.operation, sentence

    def settled(self, state='ACTIVE'):
        """Wait until Nova has given up the move."""
        self._wait_for_server_parameter(self.server, {
            'status': state, 'OS-EXT-STS:task_state': None,
        })

    def test_moves(self):
        """Cold, live, to another size; away from a host that is down."""
        self.assertEqual(('move', LEAVES), self.fails('migrate'))
        self.settled()
        self.assertEqual(('move', LEAVES), self.fails('os-migrateLive', {
            'host': None, 'block_migration': 'auto',
        }))
        self.settled()
        self.assertEqual(('move', LEAVES), self.fails('resize', {
            'flavorRef': self.api.get_flavors()[1]['id'],
        }))
        self.settled()
        self.take_down('cmp-1')
        self.assertEqual(('move', LEAVES), self.fails('evacuate', {}))

    def test_named_host(self):
        """Of a move, the operator named the host; no other is asked for."""
        down = (
            'pinned', '0/3 hosts: 2 not asked for, 1 down as forced_down is '
            'set (ComputeFilter)',
        )
        self.assertEqual(down, self.fails('migrate', {'host': 'cmp-2'}))
        self.settled()
        self.assertEqual(down, self.fails('os-migrateLive', {
            'host': 'cmp-2', 'block_migration': 'auto',
        }))

    def test_return(self):
        """From shelving; no host is left to it."""
        self._shelve_server(self.server)
        self.take_down('cmp-1')
        self.assertEqual(
            ('return', '0/3 hosts: 3 down as forced_down is set '
             '(ComputeFilter)'), self.fails('unshelve'),
        )


class AffinityResizeTest(base.CloudTestCase):
    """Resize the only member of an affinity group."""

    hosts = ('cmp-1', 'cmp-2')
    enabled_filters = ('ComputeFilter', 'ServerGroupAffinityFilter')
    microversion = '2.79'

    def test_option_named(self):
        """It may go nowhere but to the host that it leaves."""
        group = self.api.post_server_groups(
            {'name': 'together', 'policy': 'affinity'}
        )['id']
        server = self.boot({'group': group})
        self.act(server, 'resize', {
            'flavorRef': self.api.get_flavors()[1]['id'],
        })
        decision = self.wait_for(
            lambda: self.decisions()[1:], 'the decision on the resize'
        )[0]
        explained = explain(decision, server['id'])
        self.assertIn(
            '1 affinity group is not there but on ', explained.sentence,
        )
        self.assertIn(
            'if it was a resize: it leaves its host, and with it the affinity '
            'group, unless allow_resize_to_same_host is set, an option of '
            'nova-api', explained.notes,
        )
