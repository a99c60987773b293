"""Turn answers about capacity into metrics."""

from types import SimpleNamespace

import testtools
from keystoneauth1 import exceptions as keystone

from nova_ext.core.base.errors import NovaExtError
from nova_ext.metrics import capacity, cloud_client, placement
from nova_ext.metrics.answers import Failure
from tests.unit.metrics import clouds

_PATH = '/resource_providers'


def collect(samples):
    """Return values by metric and labels."""
    return {
        (sample.metric.removeprefix('nova_ext_'), *sample.labels): sample.value
        for sample in samples
    }


class CapacityTest(testtools.TestCase):
    """Two flavors, and a third that is not public."""

    def setUp(self):
        """Let the large one fit beside small ones on one host alone."""
        super().setUp()
        self.cloud = clouds.DoubleCloud(
            clouds.make_flavor('small'), clouds.make_flavor('large', ram=4096),
            clouds.make_flavor('own', is_public=False),
        )
        self.cloud.fits = {
            'small': {'a': 5, 'b': 3, 'full': 0}, 'large': {'a': 1, 'b': 0},
            'own': {},
        }
        self.rooms = placement.Rooms()
        self.set_providers(a=(8, 0), b=(8, 5), full=(8, 7), off=(8, 0))

    def set_providers(self, **units):
        """Set the disk that each host has, and how much is used."""
        self.cloud.nodes = [
            SimpleNamespace(id=name, name=name, service_details={'host': name})
            for name in units
        ]
        self.cloud.placement = {
            f'{_PATH}?required=COMPUTE_STATUS_DISABLED': {
                'resource_providers': [{'uuid': 'off'}],
            },
            _PATH: {'resource_providers': [
                {'uuid': name, 'root_provider_uuid': name, 'generation': 1}
                for name in units
            ]},
        }
        for name, (total, used) in units.items():
            self.cloud.placement[f'{_PATH}/{name}/usages'] = {
                'usages': {'DISK_GB': used}
            }
            self.cloud.placement[f'{_PATH}/{name}/inventories'] = {
                'inventories': {'DISK_GB': {
                    'total': total + 1, 'reserved': 1, 'allocation_ratio': 1.0,
                }},
            }

    def ask(self, *names):
        """Return the metrics."""
        return collect(capacity.ask(self.cloud, names, self.rooms))

    def test_metrics(self):
        """Count the least, by zone and aggregate, and what is stranded."""
        self.assertEqual({
            ('servers_fit', 'small'): 8, ('servers_fit', 'large'): 1,
            ('servers_fit_by_zone', 'small', 'east'): 8,
            ('servers_fit_by_zone', 'small', 'west'): 0,
            ('servers_fit_by_zone', 'large', 'east'): 1,
            ('servers_fit_by_zone', 'large', 'west'): 0,
            ('servers_fit_by_aggregate', 'small', 'rack'): 0,
            ('servers_fit_by_aggregate', 'large', 'rack'): 0,
            # Half of host a, and all of b.
            ('servers_fit_shared', 'small'): 5,
            ('servers_fit_shared', 'large'): 0,
            ('largest_flavor_memory_bytes', 'large'): 4096 * 2**20,
            ('stranded', 'DISK_GB'): 1, ('hosts',): 3, ('empty_hosts',): 1,
            ('left_out', 'flavor'): 0, ('left_out', 'zone'): 0,
            ('left_out', 'aggregate'): 0,
        }, self.ask())

    def test_none_fits(self):
        """Name no largest flavor; all that is free is stranded."""
        self.cloud.fits = {name: {} for name in self.cloud.fits}
        metrics = self.ask()
        self.assertEqual(0, metrics['largest_flavor_memory_bytes', ''])
        self.assertEqual(8 + 3 + 1, metrics['stranded', 'DISK_GB'])

    def test_flavors(self):
        """Ask about those that are named, whether they are public or not."""
        metrics = self.ask('own')
        self.assertEqual(0, metrics['servers_fit', 'own'])
        self.assertNotIn(('servers_fit', 'small'), metrics)
        error = self.assertRaises(NovaExtError, self.ask, 'own', 'huge')
        self.assertEqual('--flavors: there is no flavor huge', str(error))

    def test_left_out(self):
        """Leave out what is refused or not known, and count it."""
        refused = NovaExtError('no')
        refused.__cause__ = keystone.BadRequest()
        for answer in (refused, None):
            self.cloud.fits['large'] = answer
            metrics = self.ask()
            self.assertEqual(1, metrics['left_out', 'flavor'])
            self.assertNotIn(('servers_fit', 'large'), metrics)
        self.cloud.fits['small'] = None
        error = self.assertRaises(NovaExtError, self.ask)
        self.assertEqual(Failure.UNKNOWN, cloud_client.find_reason(error))
        self.cloud.fits['small'] = NovaExtError('unreachable')
        self.assertRaises(NovaExtError, self.ask)

    def test_bounds(self):
        """Bound flavors, zones and aggregates; say how many are missing."""
        flavors = [
            clouds.make_flavor(f'f{number:03}')
            for number in range(capacity.MAX_FLAVORS + 2)
        ]
        cloud = clouds.DoubleCloud(*flavors)
        cloud.placement, cloud.nodes = self.cloud.placement, []
        cloud.fits = {flavor.name: {} for flavor in flavors}
        cloud.zones = tuple(map(str, range(capacity.MAX_GROUPS + 3)))
        metrics = collect(capacity.ask(cloud, (), self.rooms))
        self.assertEqual((2, 3, 0), tuple(
            metrics['left_out', kind]
            for kind in ('flavor', 'zone', 'aggregate')
        ))
        names = [name for name, *_ in metrics]
        self.assertEqual(capacity.MAX_FLAVORS, names.count('servers_fit'))
        self.assertEqual(
            capacity.MAX_FLAVORS * capacity.MAX_GROUPS,
            names.count('servers_fit_by_zone'),
        )

    def test_hidden_hosts(self):
        """Say that a policy hides hosts, and do not strand all of them."""
        self.cloud.post = lambda path, body: {'capacity': {
            'unknown': False, 'total': {'least': 1}, 'zones': {},
            'aggregates': {}, 'hosts': {},
        }}
        error = self.assertRaises(NovaExtError, self.ask)
        self.assertEqual(Failure.UNAUTHORIZED, cloud_client.find_reason(error))

    def test_inventories(self):
        """Read inventories again only where the generation differs."""
        self.ask()
        del self.cloud.asked[:]
        provider = self.cloud.placement[_PATH]['resource_providers'][2]
        provider['generation'] = 2
        self.cloud.placement[f'{_PATH}/a/usages'] = {'usages': {'DISK_GB': 1}}
        self.assertEqual(0, self.ask()['empty_hosts',])
        self.assertEqual([f'{_PATH}/full/inventories'], [
            path for path in self.cloud.asked
            if isinstance(path, str) and path.endswith('inventories')
        ])

    def test_empty(self):
        """Ask for the empty cloud."""
        self.assertEqual(
            {('servers_fit_empty', 'small'): 8,
             ('servers_fit_empty', 'large'): 1},
            collect(capacity.ask_empty(self.cloud, ())),
        )
        self.assertTrue(all(body['is_empty'] for body in self.cloud.asked))
