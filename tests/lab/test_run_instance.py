"""Let a driver create servers, with a real token and several workers."""

from oslo_context import context

from nova_ext import client
from tests.lab import base

FILTERS = 'ComputeFilter,OfferFilter'
HOSTS = {'one', 'two', 'three'}


class RunInstanceTest(base.RabbitTestCase):
    """Run two schedulers of two workers each."""

    up = (
        '--broker', 'rabbit', '--schedulers', '2',
        '--set', 'scheduler.workers=2',
        '--computes', *sorted(HOSTS),
        '--set', 'nova_ext_offers.secret=between schedulers',
        '--set', f'filter_scheduler.enabled_filters={FILTERS}',
    )

    @classmethod
    def setUpClass(cls):
        """Get a program with the token of a user of the lab."""
        super().setUpClass()
        cls.scheduler = cls.program()

    def caller(self, token=None):
        """Return the context of the lab's user demo."""
        session = self.cloud(user='demo').session
        return context.RequestContext(
            user_id=session.get_user_id(), project_id=session.get_project_id(),
            roles=['member'], auth_token=token or session.get_token(),
        )

    def run_instance(self, caller, count, name):
        """Have the driver create servers."""
        cloud = self.cloud(user='demo')
        (image,) = cloud.get('image', '/v2/images?name=cirros')['images']
        return self.scheduler.schedule(
            caller, 'compute', 'schedule_run_instance', server={
                'name': name, 'imageRef': image['id'], 'flavorRef': '1',
                'networks': 'none',
            }, count=count, microversion='2.37',
        )

    def test_servers(self):
        """Each is built where it was chosen to be, by any of the workers."""
        created = self.run_instance(self.caller(), 9, 'chosen')
        self.assertEqual(9, len({one['id'] for one in created}))
        self.assertEqual(HOSTS, {one['host'] for one in created})
        for one in created:
            self.wait_until(lambda one=one: self.shown(one)['status'] not in (
                'BUILD', 'UNKNOWN'
            ))
            server = self.shown(one)
            self.assertEqual(
                ('ACTIVE', one['host']),
                (server['status'], server['OS-EXT-SRV-ATTR:host']),
            )

    def shown(self, one):
        """Return a server, as an administrator sees it."""
        return self.cloud().get('compute', f'/servers/{one["id"]}')['server']

    def test_refused_token(self):
        """One that Keystone does not know."""
        self.assertRaises(
            client.UnauthenticatedError, self.run_instance,
            self.caller('gAAAAAB-none'), 1, 'refused',
        )
