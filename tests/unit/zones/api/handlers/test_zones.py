"""Ask for zones, and change them."""

import json

from nova_ext.core.base.scheduling_errors import NoSchedulerError
from nova_ext.zones import registry
from tests.unit.api.base import ApiTestCase

ZONE = {'name': 'one', 'url': 'https://one.example.org/', 'cloud': 'one'}


class ZonesTestCase(ApiTestCase):
    """Ask in the version that has zones."""

    def ask(self, path, who='admin', status=200, method='GET', **options):
        """Send a request."""
        return super().ask(path, who, status, method, **options)

    def create(self, **fields):
        """Create a zone, and return it."""
        return self.post('/v1/zones', {'zone': {**ZONE, **fields}},
                         status=201)['zone']

    def change(self, number, status=200, **fields):
        """Change a zone."""
        return self.ask(
            f'/v1/zones/{number}', status=status, method='PUT',
            json={'zone': fields},
        )

    def refused(self, status=400, method='POST', path='/v1/zones', **fields):
        """Return the line with which a body is refused."""
        return self.refusal(
            path, status=status, method=method, json={'zone': fields}
        )


class RegistryTest(ZonesTestCase):
    """Create, list, change and delete child zones."""

    def test_life(self):
        """Keep a zone as it was sent, until it is deleted."""
        zone = self.create()
        self.assertEqual({
            'name': 'one', 'url': 'https://one.example.org', 'cloud': 'one',
            'weight_scale': 1.0, 'weight_offset': 0.0, 'disabled': False,
            'shared': False, 'projects': {},
            'is_active': False, 'uuid': None, 'own_name': '', 'errors': 0,
            'last_error': '', 'last_contact': None, 'gathering': True,
            'inactive_since': zone['created_at'],
            'capabilities': {'general': {}, 'services': {}},
        }, {
            name: value for name, value in zone.items()
            if name not in ('id', 'created_at')
        })
        path = f'/v1/zones/{zone["id"]}'
        self.assertEqual({'zone': zone}, self.ask(path))
        self.assertEqual({'zones': [zone]}, self.ask('/v1/zones'))
        other = self.create(
            name='two', url='https://two.example.org', weight_scale=2,
            weight_offset=-7.5, disabled=True,
        )
        self.assertEqual((2, -7.5, True), (
            other['weight_scale'], other['weight_offset'], other['disabled']
        ))
        self.assertEqual({'zones': [zone, other]}, self.ask('/v1/zones'))
        self.assertEqual(
            {'zones': [other]}, self.ask('/v1/zones?name=two')
        )
        self.assertEqual('', self.ask(path, status=204, method='DELETE'))
        self.refusal(path, status=404)
        self.refusal(path, status=404, method='DELETE')
        self.assertEqual(1, len(self.ask('/v1/zones')['zones']))

    def test_change(self):
        """Change what is named, and nothing else."""
        zone = self.create()
        changed = self.change(zone['id'], name='uno', disabled=True)['zone']
        self.assertEqual({**zone, 'name': 'uno', 'disabled': True}, changed)

    def test_moved(self):
        """Have a zone inactive whose URL or credentials change."""
        number = self.create()['id']
        for fields in ({'url': 'https://new.example.org'}, {'cloud': 'new'}):
            with self.database.writing() as session:
                zone = session.get(registry.Zone, number)
                zone.is_active, zone.inactive_since = True, None
            self.assertTrue(
                self.change(number, name='other')['zone']['is_active']
            )
            changed = self.change(number, **fields)['zone']
            self.assertFalse(changed['is_active'])
            self.assertIsNotNone(changed['inactive_since'])

    def test_exists(self):
        """Refuse a name or a URL that another zone has."""
        self.create()
        two = {**ZONE, 'name': 'two', 'url': 'https://two.example.org'}
        for field in ('name', 'url'):
            self.assertIn('another zone has the name', self.refused(
                409, **{**two, field: ZONE[field]}
            ))
        number = self.create(**two)['id']
        self.assertIn('another zone has the name one', self.refused(
            409, 'PUT', f'/v1/zones/{number}', name='one'
        ))
        self.assertEqual(2, len(self.ask('/v1/zones')['zones']))

    def test_refused(self):
        """Refuse what can't be used, or would be a secret in the database."""
        for fields in (
            {'url': 'https://user:password@one.example.org'},
            {'url': 'https://one.example.org/?token=x'},
            {'url': 'ftp://one.example.org'}, {'url': 'https://'},
            {'url': 'https://one.example.org/\n'},
            {'url': 'https://' + 'x' * 255},
            {'cloud': '/etc/openstack/clouds.yaml'}, {'cloud': ''},
            {'name': '17'}, {'name': 'a b'}, {'name': 7}, {'weight_scale': -1},
            {'weight_offset': '1'}, {'password': 'x'}, {'uuid': 'x'},
        ):
            self.refused(**{**ZONE, **fields})
        for absent in ZONE:
            self.assertIn(absent, self.refused(**{
                name: value for name, value in ZONE.items() if name != absent
            }))
        self.assertIn('no finite number', self.refused(
            **ZONE, weight_offset=float('nan')
        ))
        number = self.create()['id']
        self.refused(400, 'PUT', f'/v1/zones/{number}')
        self.refused(404, 'PUT', '/v1/zones/77', name='x')

    def test_http(self):
        """Take a URL without encryption where that is allowed."""
        fields = {**ZONE, 'url': 'http://one.example.org'}
        self.assertIn('allow_http', self.refused(**fields))
        self.conf.config(group='nova_ext_zones', allow_http=True)
        self.create(**fields)

    def test_members(self):
        """Show zones to administrators only."""
        number = self.create()['id']
        for who in ('manager', 'reader', 'auditor'):
            for method, path in (
                ('GET', '/v1/zones'), ('POST', '/v1/zones'),
                ('GET', f'/v1/zones/{number}'),
                ('PUT', f'/v1/zones/{number}'),
                ('DELETE', f'/v1/zones/{number}'),
            ):
                self.assertIn('nova_ext:zones:', self.refusal(
                    path, who, 403, method=method
                ))


class InfoTest(ZonesTestCase):
    """Ask what this zone is."""

    def setUp(self):
        """Name the zone and one capability."""
        super().setUp()
        self.conf.config(
            group='nova_ext_zones', zone_name='east',
            zone_capabilities='hypervisor=xenserver;kvm',
        )

    def info(self, who='reader'):
        """Return what it says."""
        return self.ask('/v1/zones/info', who)['zone']

    def test_info(self):
        """Show the UUID, the name and the capabilities to every reader."""
        self.assertEqual({
            'uuid': registry.get_own_uuid(self.database), 'name': 'east',
            'gathering': False, 'capabilities': {
                'general': {'hypervisor': {'values': ['kvm', 'xenserver']}},
                'services': {'compute': {'cpu': {'min': 0.1, 'max': 3.5}}},
            },
        }, self.info())
        self.assertEqual(self.info(), self.info('admin'))
        self.assertIn('nova_ext:zone_info:get', self.refusal(
            '/v1/zones/info', 'nobody', 403
        ))

    def test_gathering(self):
        """Say that a scheduler has started a short while ago."""
        self.backends.fake.services['gathering'] = True
        self.assertTrue(self.info()['gathering'])

    def test_routing(self):
        """Show those of active children only where routing is enabled."""
        number = self.create()['id']
        with self.database.writing() as session:
            zone = session.get(registry.Zone, number)
            zone.is_active, zone.is_gathering = True, False
            zone.capabilities = json.dumps({
                'general': {}, 'services': {'volume': {'disk': {
                    'min': 1, 'max': 2,
                }}},
            })
        self.assertNotIn('volume', self.info()['capabilities']['services'])
        self.conf.config(group='nova_ext_zones', enable_zone_routing=True)
        self.assertIn('volume', self.info()['capabilities']['services'])
        self.change(number, disabled=True)
        self.assertNotIn('volume', self.info()['capabilities']['services'])

    def test_no_scheduler(self):
        """Say that nothing can be scheduled here."""
        self.backends.fake.error = NoSchedulerError('none')
        self.assertIn('nova-ext-scheduler', self.refusal(
            '/v1/zones/info', status=503
        ))

