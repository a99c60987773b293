"""Allocations of servers that don't exist."""

from nova_ext.doctor.checks import allocations
from tests.unit.doctor import base, fake_cloud

LOST = '00000000-0000-0000-0000-00000000dead'


class AllocationsTest(base.CheckTestCase):
    """Consumers against servers and migrations."""

    module = allocations

    def allocate(self, consumer, name='cmp-1'):
        """Have something hold resources."""
        self.cloud.provider(name)['allocations'].append(consumer)

    def test_servers(self):
        """Nothing; nobody is asked about one by one."""
        self.assert_found(self.look())
        self.assertEqual(
            [], [path for _, path, _ in self.cloud.asked
                 if path.startswith(('/servers/', '/allocations/'))],
        )

    def test_orphan(self):
        """The consumer and its host."""
        self.allocate(LOST)
        self.assert_found(
            self.look(), allocation_orphaned=f'{LOST} on cmp-1',
        )

    def test_sample(self):
        """What it leaves out is said."""
        self.assert_found(self.look(sample=1))
        self.assertIn('2 of 3 providers', self.unchecked[0].what)

    def test_on_two_hosts(self):
        """One consumer counts once."""
        self.allocate(LOST)
        self.allocate(LOST, 'cmp-2')
        self.assert_found(
            self.look(), allocation_orphaned='1 allocation of no server',
        )

    def test_many_servers(self):
        """Every page is read, however short Nova makes it."""
        self.cloud.servers = [f'server-{number}' for number in range(5)]
        self.cloud.page = 2
        self.cloud.provider('cmp-0')['allocations'] = ['server-4']
        self.assert_found(self.look())
        self.assertEqual(4, len([
            path for _, path, _ in self.cloud.asked
            if path.startswith('/servers?')
        ]))

    def test_a_server_that_no_list_shows(self):
        """It is asked for by its id, too."""
        self.allocate(LOST)
        facts = self.cloud.facts()
        self.assertNotIn(LOST, facts.servers)
        self.cloud.servers.append(LOST)
        self.assertEqual([], list(allocations.check(facts)))

    def test_a_server_that_goes(self):
        """Its allocation goes with it."""
        self.allocate(LOST)
        facts = self.cloud.facts()
        self.assertIn(
            LOST, facts.holdings[fake_cloud.identity('cmp-1')].consumers
        )
        self.cloud.provider('cmp-1')['allocations'].clear()
        self.assertEqual([], list(allocations.check(facts)))

    def test_migrations(self):
        """One that goes on holds what it holds; one that is over does not."""
        self.allocate(LOST)
        migration = {'uuid': LOST, 'status': 'finished'}
        self.cloud.migrations = [{'uuid': 'new', 'status': 'done'}, migration]
        self.assert_found(self.look())
        migration['status'] = 'error'
        self.assert_found(self.look(), allocation_orphaned=LOST)

    def test_too_many(self):
        """Only some are asked about one by one."""
        for number in range(allocations.CONFIRMED + 2):
            self.allocate(f'lost-{number:03}')
        self.assert_found(
            self.look(),
            allocation_orphaned=f'{allocations.CONFIRMED} allocations',
        )
        self.assertIn('2 more', self.unchecked[0].what)
