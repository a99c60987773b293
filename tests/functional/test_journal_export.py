"""A scrubbed journal is decided again as the one that it was made from."""

import subprocess
import sys
from pathlib import Path

from nova_ext.journal.reader import JournalReader
from nova_ext.scheduler.journal import journal
from tests.functional.test_replay import PATIENCE_S, STOCK, ReplayTestCase


class ScrubTest(ReplayTestCase):
    """Names in facts, configuration, metadata and hints."""

    enabled_filters = (*STOCK, 'AggregateMultiTenancyIsolation')

    def test_verify(self):
        """It differs nowhere, and has no name of this cloud."""
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': 'ours', 'availability_zone': None}}
        )
        self.add_to_aggregate(aggregate['id'], 'cmp-3')
        self.admin_api.post_aggregate_action(aggregate['id'], {
            'set_metadata': {'metadata': {'filter_tenant_id': 'other-team'}}
        })
        known = self.scheduler.host_manager.aggs_by_id
        self.wait_for(
            lambda: known[aggregate['id']].metadata, 'metadata is known'
        )
        group = self.api.post_server_groups(
            {'name': 'g', 'policy': 'anti-affinity'}
        )
        servers = [
            self.boot({'group': group['id']}),
            self.boot({'group': group['id']}),
            self.boot({'requested_host': 'cmp-2'}),
            self.boot({'requested_host': 'none'}, expected_state='ERROR'),
        ]
        servers += [self.boot({
            'same_host': servers[0]['id'], 'api_secret': 'cmp-5',
        })]
        self.assertTrue(journal.get().flush(60))
        new = self.folder / 'scrubbed'
        done = subprocess.run(
            [Path(sys.executable).with_name('nova-ext'), 'journal', 'export',
             self.folder, '--scrub', '--to', new],
            capture_output=True, text=True, timeout=PATIENCE_S,
        )
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn('5 decisions in 1 file', done.stdout)
        _, before = self.replay('--verify')
        status, after = self.replay('--verify', journals=[new])
        self.assertEqual(0, status, after['verification'])
        self.assert_verified(after, at_least=4)
        for name in ('exact', 'partial', 'not_replayable'):
            self.assertEqual(
                before['verification'][name], after['verification'][name]
            )
        (path,) = new.glob('*.journal')
        self.assertEqual(0o640, path.stat().st_mode & 0o777)
        decisions = list(JournalReader(path))
        text = repr([
            (decision, dict(decision.candidates or {}))
            for decision in decisions
        ])
        for name in ('cmp-', 'other-team', aggregate['uuid'], group['id'],
                     *(server['id'] for server in servers)):
            self.assertNotIn(name, text)
        self.assertIn('ours', text)
