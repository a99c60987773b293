"""Test the check of allocations."""

from nova_ext.doctor.checks import allocations
from tests.unit.doctor import fake_cloud

LOST = '00000000-0000-0000-0000-00000000dead'


class AllocationsTest(fake_cloud.CheckTestCase):
    """Compare consumers with servers and migrations."""

    module = allocations

    def allocate(self, consumer, name='cmp-1'):
        """Create an allocation."""
        self.cloud.provider(name)['allocations'].append(consumer)

    def test_servers(self):
        """Find nothing, without a request for each server."""
        self.assert_found(self.look())
        self.assertEqual(
            [], [path for _, path, _ in self.cloud.asked
                 if path.startswith(('/servers/', '/allocations/'))],
        )

    def test_orphan(self):
        """Name the consumer and its host."""
        self.allocate(LOST)
        self.assert_found(
            self.look(), allocation_orphaned=f'{LOST} on cmp-1',
        )

    def test_sample(self):
        """Say what the sample leaves out."""
        self.assert_found(self.look(sample=1))
        self.assertIn('2 of 3 providers', self.unchecked[0].what)

    def test_on_two_hosts(self):
        """Count a consumer on two hosts once."""
        self.allocate(LOST)
        self.allocate(LOST, 'cmp-2')
        self.assert_found(
            self.look(), allocation_orphaned='1 allocation of no server',
        )

    def test_many_servers(self):
        """Read every page, however short Nova makes it."""
        self.cloud.servers = [f'server-{number}' for number in range(5)]
        self.cloud.page = 2
        self.cloud.provider('cmp-0')['allocations'] = ['server-4']
        self.assert_found(self.look())
        self.assertEqual(4, len([
            path for _, path, _ in self.cloud.asked
            if path.startswith('/servers?')
        ]))

    def test_a_server_that_no_list_shows(self):
        """Ask for a server by its id that no list shows."""
        self.allocate(LOST)
        facts = self.cloud.facts()
        self.assertNotIn(LOST, facts.servers)
        self.cloud.servers.append(LOST)
        self.assertEqual([], list(allocations.check(facts)))

    def test_a_server_that_goes(self):
        """Ignore a server that goes with its allocation."""
        self.allocate(LOST)
        facts = self.cloud.facts()
        self.assertIn(
            LOST, facts.holdings[fake_cloud.identity('cmp-1')].consumers
        )
        self.cloud.provider('cmp-1')['allocations'].clear()
        self.assertEqual([], list(allocations.check(facts)))

    def test_migrations(self):
        """Ignore consumers that are running migrations."""
        self.allocate(LOST)
        migration = {'uuid': LOST, 'status': 'finished'}
        self.cloud.migrations = [{'uuid': 'new', 'status': 'done'}, migration]
        self.assert_found(self.look())
        migration['status'] = 'accepted'  # a live migration is asked for
        self.assert_found(self.look())
        migration['status'] = 'error'
        self.assert_found(self.look(), allocation_orphaned=LOST)

    def test_too_many(self):
        """Confirm only so many suspects."""
        for number in range(allocations.CONFIRMED + 2):
            self.allocate(f'lost-{number:03}')
        self.assert_found(
            self.look(),
            allocation_orphaned=f'{allocations.CONFIRMED} allocations',
        )
        self.assertIn('2 more', self.unchecked[0].what)
