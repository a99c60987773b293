"""nova-ext-api in a stack."""

from tests.devstack import base

API, SHIPPER = 'devstack@nova-ext-api', 'devstack@nova-ext-shipper'
ZONES = ('devstack@nova-ext-zone-poller', 'devstack@nova-ext-builder')


class ApiTest(base.DevstackTestCase):
    """It comes with the plugin."""

    def setUp(self):
        """Beside our scheduler."""
        super().setUp()
        self.local_conf('NOVA_EXT_MODE=scheduler')
        self.conf = self.machine / 'etc/nova-ext-api.conf'
        self.site = self.machine / 'etc/apache-nova-ext-api.conf'

    def test_stack(self):
        """It is installed, configured, registered and started."""
        self.stack()
        self.assertEqual(
            [f'-e {self.machine}/stack/nova-ext[api,client]'],
            self.has('installed'),
        )
        self.assertEqual(
            ['mysql+pymysql://root@127.0.0.1/nova_ext?charset=utf8'],
            self.values('connection', 'nova_ext_database', self.conf),
        )
        self.assertEqual(
            ['nova-ext'],
            self.values('username', 'keystone_authtoken', self.conf),
        )
        self.assertEqual(
            ['recreate_database nova_ext', f'sync {self.conf}'],
            self.has('database'),
        )
        self.assertEqual([
            'create_service_user nova-ext',
            'get_or_create_service nova-ext scheduler Why, what if, how many',
            'get_or_create_endpoint scheduler RegionOne '
            'http://127.0.0.1/scheduler',
        ], self.has('keystone'))
        uwsgi = self.machine / 'etc/nova-ext-api-uwsgi.ini'
        self.assertEqual(
            ['nova_ext.wsgi.api:application'],
            self.values('module', 'uwsgi', uwsgi),
        )
        self.assertEqual(['50'], self.values('threads', 'uwsgi', uwsgi))
        commands = {
            unit: self.has(f'running/{unit}/command')[0]
            for unit in (API, SHIPPER)
        }
        self.assertIn(f'--ini {uwsgi}', commands[API])
        self.assertTrue(commands[SHIPPER].endswith(
            f'nova-ext-shipper --config-file {self.nova_conf} '
            f'--config-file {self.conf}'
        ), commands)
        self.assertEqual(
            ['wait_for_service 60 http://127.0.0.1/scheduler/healthcheck'],
            self.has('waited'),
        )

    def test_zones(self):
        """What child zones need runs where it is enabled, and goes."""
        self.stack()
        for unit in ZONES:
            self.assertFalse((self.machine / 'running' / unit).exists())
        self.local_conf('enable_service nova-ext-zone-poller',
                        'enable_service nova-ext-builder')
        self.stack()
        for unit in ZONES:
            [command] = self.has(f'running/{unit}/command')
            self.assertTrue(command.endswith(
                f'/{unit.partition("@")[2]} --config-file {self.nova_conf} '
                f'--config-file {self.conf}'
            ), command)
        self.run_script('unstack')
        for unit in ZONES:
            self.assertFalse((self.machine / 'running' / unit).exists())
        self.assertEqual(
            [], list((self.machine / 'units').glob('*nova-ext*'))
        )

    def test_a_zone_makes_offers(self):
        """The two services alone bring driver, filter, secret and role."""
        self.local_conf('enable_service nova-ext-zone-poller nova-ext-builder')
        self.stack()
        self.assertEqual('nova-ext-scheduler', self.command)
        self.assertEqual(
            ['FilterScheduler', 'ZoneAwareScheduler'],
            self.values('scheduler_driver', 'nova_ext'),
        )
        [enabled] = self.values('enabled_filters')
        self.assertEqual(['SpecifiedHostFilter', 'OfferFilter'],
                         enabled.split(',')[-2:])
        self.assertEqual(['secret'], self.values('secret', 'nova_ext_offers'))
        self.assertEqual(
            ['True'], self.values('allow_http', 'nova_ext_zones')
        )
        self.assertIn('get_or_create_role nova_ext_parent',
                      self.has('keystone'))
        self.assertIn(
            'get_or_add_user_project_role nova_ext_parent parent parent',
            self.has('keystone'),
        )
        self.local_conf()
        self.run_script('unstack')
        left = self.nova_conf.read_text()
        for word in ('OfferFilter', 'nova_ext', 'secret'):
            self.assertNotIn(word, left)

    def test_zone_that_can_not_be(self):
        """What a zone lacks stops the stack at once."""
        for lines, words in (
            ('NOVA_EXT_API=False', 'it needs nova-ext-api'),
            ('NOVA_EXT_MODE=plugin', 'it needs drivers'),
            ('NOVA_EXT_DRIVERS=IPScheduler',
             'has no driver of topic zone; add ZoneAwareScheduler'),
            ('NOVA_EXT_FILTERS=SpecifiedHostFilter',
             'lacks OfferFilter; add it'),
        ):
            self.local_conf('enable_service nova-ext-builder', lines)
            said = self.stack(status=1)
            self.assertIn('[ERROR] enable_service nova-ext-builder: ', said)
            self.assertIn(words, said)
            self.assertEqual([], self.has('installed'))

    def test_unstack(self):
        """Nothing of it runs, and its files are gone."""
        self.stack()
        self.run_script('unstack')
        for unit in (API, SHIPPER):
            self.assertFalse((self.machine / 'running' / unit).exists())
        self.assertEqual(
            [], list((self.machine / 'etc').glob('nova-ext-api*'))
        )

    def test_clean(self):
        """Apache forgets it, so that a second stack is as the first."""
        self.stack()
        self.run_script('unstack')
        self.assertTrue(self.site.exists())
        self.run_script('clean')
        self.assertFalse(self.site.exists())
        self.stack()
        self.assertEqual(2, len(self.has('waited')))

    def test_stack_again(self):
        """Apache has one line of it, after unstack or without."""
        for verbs in (['unstack', 'stack'], ['stack']):
            for verb in ['stack', *verbs]:
                self.run_script(verb)
            [line] = self.site.read_text().splitlines()
            self.assertEqual('ProxyPass /scheduler', line)

    def test_switched_off(self):
        """What local.conf has no longer goes, whatever it was."""
        self.local_conf('NOVA_EXT_MODE=scheduler',
                        'enable_service nova-ext-zone-poller',
                        'enable_service nova-ext-builder')
        for verb, lines in (
            ('unstack', ['NOVA_EXT_API=False']),
            ('clean', ['ENABLED_SERVICES=mysql,rabbit,n-cond,n-cpu']),
        ):
            self.stack()
            stacked = (self.machine / 'devstack/local.conf').read_text()
            self.local_conf(*lines)
            self.assertEqual('', self.run_script(verb))
            for folder in ('units', 'enabled', 'running'):
                self.assertEqual(
                    [], list((self.machine / folder).glob('*nova-ext*')),
                    (verb, lines, folder),
                )
            self.assertIsNone(self.command)
            self.assertEqual(
                [], list((self.machine / 'etc').glob('nova-ext-*'))
            )
            self.assertNotIn('nova_ext', self.nova_conf.read_text())
            self.assertIn('remove_uwsgi_config', self.has('apache')[-1])
            self.assertEqual(verb != 'clean', self.site.exists())
            (self.machine / 'devstack/local.conf').write_text(stacked)

    def test_never_there(self):
        """Who never had it is told nothing of its site."""
        self.local_conf('NOVA_EXT_API=False')
        self.stack()
        self.assertEqual('', self.run_script('clean'))

    def test_not_wanted(self):
        """Who does not want it has nothing of it."""
        self.local_conf('NOVA_EXT_API=False')
        self.assert_none()

    def test_keystone_elsewhere(self):
        """Another scheduler's node leaves the first one's database alone."""
        self.local_conf('ENABLED_SERVICES=mysql,rabbit,n-cond,n-sch')
        self.assert_none()

    def assert_none(self):
        """Nothing of it is there after a stack."""
        self.stack()
        for of_it in ('keystone', 'database'):
            self.assertEqual([], self.has(of_it))
        self.assertFalse(self.conf.exists())
        self.assertFalse((self.machine / 'running' / API).exists())
