"""Test the check of aggregates."""

from nova_ext.doctor.checks import aggregates
from tests.unit.doctor import fake_cloud


class AggregatesTest(fake_cloud.CheckTestCase):
    """Compare hosts in Nova with members in placement."""

    module = aggregates

    def aggregate(self, hosts, members, name='racks'):
        """Create an aggregate."""
        self.cloud.aggregates.append(
            {'uuid': f'uuid-{name}', 'name': name, 'hosts': hosts,
             'metadata': {}}
        )
        for member in members:
            self.cloud.provider(member)['aggregates'].append(f'uuid-{name}')

    def test_agreeing(self):
        """Find nothing; ignore members that are no computes."""
        self.aggregate(['cmp-0', 'cmp-1'], ['cmp-0', 'cmp-1'])
        self.cloud.providers['x'] = {
            **fake_cloud.provider('shared-disk'), 'traits': [],
            'aggregates': ['uuid-racks'],
        }
        self.assert_found(self.look())

    def test_different(self):
        """Name missing and surplus members."""
        self.aggregate(['cmp-0', 'cmp-1'], ['cmp-1', 'cmp-2'])
        self.aggregate(['cmp-0'], [], 'other\x1b[2J')
        self.aggregate(['cmp-0'], ['cmp-0'], 'good')
        found = self.look()
        self.assert_found(
            found, aggregate_differs='2 aggregates with other members'
        )
        where = found['aggregate-differs'].where
        self.assertIn(
            'racks: placement lacks cmp-0, has too many: cmp-2', where
        )
        self.assertNotIn('\x1b', where)

    def test_host_without_provider(self):
        """Ignore a host without a provider, which another check finds."""
        self.aggregate(['cmp-0', 'cmp-1', 'gone'], ['cmp-0'])
        del self.cloud.providers[fake_cloud.identity('cmp-1')]
        self.assert_found(self.look())
