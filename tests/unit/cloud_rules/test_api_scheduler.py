"""What is asked of nova-ext-api, and where."""

import fixtures
import openstack
import testtools

from nova_ext.cloud_rules.api_scheduler import ApiScheduler
from nova_ext.core.base.errors import NovaExtError
from tests.unit.cmd import fake_cloud

API = 'http://scheduler.example'
REQUEST = {'flavor': {'name': 'small'}}


class ApiSchedulerTest(testtools.TestCase):
    """Ask an API that answers over HTTP."""

    def setUp(self):
        """Have a cloud with nova-ext-api."""
        super().setUp()
        self.cloud = self.useFixture(
            fake_cloud.CloudFixture(scheduler=API)
        )
        self.scheduler = ApiScheduler(openstack.connect())

    def test_asked(self):
        """A request goes out as it is; changes only where there are any."""
        for path, name, ask, body in (
            ('simulations', 'simulation',
             lambda: self.scheduler.simulate(REQUEST, {'ignore_room': True}),
             {'request': REQUEST, 'changes': {'ignore_room': True}}),
            ('simulations', 'simulation',
             lambda: self.scheduler.simulate(REQUEST, {}),
             {'request': REQUEST}),
            ('capacities', 'capacity',
             lambda: self.scheduler.capacity(REQUEST), {'request': REQUEST}),
        ):
            self.cloud.post(f'{API}/v1/{path}', json={name: {'is': name}})
            self.assertEqual({'is': name}, ask())
            self.assertEqual(body, self.cloud.last_request.json())
            self.assertEqual(
                'scheduler 1.0',
                self.cloud.last_request.headers['OpenStack-API-Version'],
            )

    def test_plugins(self):
        """Filters keep their order; a multiplier may not be known."""
        self.cloud.get(f'{API}/v1/filters', json={'filters': [
            {'name': 'RackFilter', 'hints': None},
            {'name': 'ComputeFilter', 'hints': []},
        ]})
        self.assertEqual(
            ['RackFilter', 'ComputeFilter'], self.scheduler.list_filters()
        )
        self.cloud.get(f'{API}/v1/weighers', json={'weighers': [
            {'name': 'RAMWeigher', 'multiplier': 2.0},
            {'name': 'RackWeigher', 'multiplier': None},
        ]})
        self.assertEqual(
            {'RAMWeigher': 2.0, 'RackWeigher': None},
            self.scheduler.list_multipliers(),
        )

    def test_region(self):
        """It is that of the environment, and no other one."""
        self.cloud.get(f'{API}/v1/filters', json={'filters': []})
        for region, is_there in (('r', True), ('elsewhere', False)):
            self.useFixture(
                fixtures.EnvironmentVariable('OS_REGION_NAME', region)
            )
            scheduler = ApiScheduler(openstack.connect())
            if is_there:
                self.assertEqual([], scheduler.list_filters())
                continue
            error = self.assertRaises(NovaExtError, scheduler.list_filters)
            self.assertIn(
                'the catalog has no service of type scheduler', str(error)
            )
