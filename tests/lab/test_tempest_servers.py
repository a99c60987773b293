"""Run Tempest's own tests of servers in a lab."""

from tests.lab import base

SERVERS = (
    r'^tempest\.api\.compute\.servers\.test_(create_server|instance_actions'
    r'|list_server|server_actions|server_group|server_metadata)'
)
#: These make networks, or rely on a port of each server.
NETWORKS = r'ServersTestMultiNic|test_remove_server_all_security_groups'


class TempestServersTest(base.LabTestCase):
    """Run them with our scheduler, which they don't know."""

    up = ('--computes', '3')
    deadline_s = 1200

    def test_servers(self):
        """Create, list, actions, metadata and server groups."""
        output = self.run_in_lab(
            'tempest', 'run', '--concurrency', '2', '--regex', SERVERS,
            '--exclude-regex', NETWORKS,
        )
        self.assertIn(' - Failed: 0\n', output)
        # Tests of services that the lab lacks are skipped, such as volumes.
        passed = int(output.partition(' - Passed: ')[2].partition('\n')[0])
        self.assertGreater(passed, 70)
