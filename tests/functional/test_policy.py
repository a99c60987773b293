"""Who may use the requested_host hint, and what the others learn."""

from pathlib import Path

import fixtures

from tests.functional import base


class DefaultPolicyTest(base.CloudTestCase):
    """Administrators, and managers in their own project."""

    def fault(self, api, host):
        """Boot with the hint; return the fault that the user is shown."""
        server = self.boot(
            {'requested_host': host}, api=api, expected_state='ERROR'
        )
        return api.get_server(server['id'])['fault']

    def test_who_may(self):
        """One who may not learns no more than of a host unknown to Nova."""
        manager = self.client('mia', ['manager'])
        server = self.boot({'requested_host': 'cmp-3'}, api=manager)
        self.assertEqual('cmp-3', self.host_of(server))

        member = self.client('max', [])
        denied = self.fault(member, 'cmp-2')
        unknown = self.fault(manager, 'no-such-host')
        for fault in (denied, unknown):
            fault.pop('created')
        self.assertEqual(unknown, denied)
        self.assertIn('No valid host was found', denied['message'])

        (reason,) = self.decisions()[1].attempts[0].steps[-1].rejections
        self.assertEqual(
            'policy nova_ext:requested_host denies it', reason.reason
        )
        self.assertEqual(3, reason.count)

        for hints in ({}, {'requested_host': ''}):
            self.boot(hints, api=member)

    def test_asked_at_first_boot_only(self):
        """A member's own server moves, whoever named its first host."""
        member = self.client('max', [])
        server = self.boot({'requested_host': 'cmp-1'})
        small = self.api.get_flavors()[1]['id']
        self.act(server, 'resize', {'flavorRef': small}, api=member)
        self._wait_for_state_change(server, 'VERIFY_RESIZE')
        self.assertNotEqual('cmp-1', self.host_of(server))
        self._confirm_resize(server)
        self._shelve_server(server)
        self.act(server, 'unshelve', api=member)
        self._wait_for_state_change(server, 'ACTIVE')
        self.assertEqual('cmp-1', self.host_of(server))


class PolicyFileTest(base.CloudTestCase):
    """A file of rules beside the configuration."""

    def configure(self):
        """Open the hint to everyone."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        policy_file = folder / 'nova-ext-policy.yaml'
        policy_file.write_text('"nova_ext:requested_host": ""\n')
        self.flags(policy_file=str(policy_file), group='nova_ext')

    def test_opens_the_hint(self):
        """A plain member may name a host."""
        server = self.boot(
            {'requested_host': 'cmp-2'}, api=self.client('max', [])
        )
        self.assertEqual('cmp-2', self.host_of(server))


class StockPolicyTest(base.CloudTestCase):
    """In nova-scheduler itself."""

    manager = None

    def test_denies(self):
        """The caller is known there too."""
        hints = {'requested_host': 'cmp-2'}
        self.boot(hints, api=self.client('max', []), expected_state='ERROR')
        server = self.boot(hints, api=self.client('mia', ['manager']))
        self.assertEqual('cmp-2', self.host_of(server))
