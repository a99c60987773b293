"""A topic beside compute, in a cloud: over RPC, by the library."""

import fixtures
from oslo_context import context

from nova_ext import client, plugin, testing
from nova_ext.scheduler.facts import nova_facts
from tests.functional import base
from tests.unit.client.test_scheduler_client import LEGACY

URL = 'fake://'
DRIVER = 'tests.functional_rpc.test_topics:BackupDriver'


class BackupDriver(plugin.Driver):
    """Sends a backup to any host that is up and has the disk for it."""

    topic = 'backup'

    @plugin.schedule_method
    def choose(self, context, disk):
        """The first host of the group."""
        hosts = self.group_hosts(context, self.topic, 'disk').get(disk, [])
        if not hosts:
            raise client.NoHostError(f'no backup host has disk {disk}')
        return {'host': hosts[0], 'for': context.user_id}


class TopicsTestCase(base.CloudTestCase):
    """A cloud, and a program that knows nothing of Nova."""

    hosts = ('cmp-1', 'cmp-2')
    drivers = ('FilterScheduler', DRIVER)

    def setUp(self):
        """The program's client."""
        super().setUp()
        # They answer at once, but on a busy machine.
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.client.connection.PRESENCE_S', 60.0
        ))
        self.program = client.SchedulerClient(URL, timeout_s=180)
        self.addCleanup(self.program.close)
        self.me = context.RequestContext(
            user_id='me', project_id=self.admin_api.project_id,
            roles=['member'],
        )

    def report(self, host, **capabilities):
        """Report once, as the backup service of a host."""
        self.program.update_service_capabilities(
            self.me, 'backup', host, capabilities
        )

    def wait_for_hosts(self, *hosts):
        """Wait until exactly these serve backup."""
        self.wait_for(
            lambda: self.program.hosts_up(self.me, 'backup') == list(hosts),
            f'{hosts} to be up',
        )


class TopicsTest(TopicsTestCase):
    """Each method of the library has its answer."""

    def test_schedule(self):
        """The driver chooses among the services that report."""
        self.report('b-1', disk='hdd')
        self.report('b-2', disk=['ssd', 'hdd'])
        self.wait_for_hosts('b-1', 'b-2')
        self.assertEqual(
            {'host': 'b-2', 'for': 'me'},
            self.program.schedule(self.me, 'backup', 'choose', disk='ssd'),
        )
        self.assertEqual(
            {'hdd': ['b-1', 'b-2'], 'ssd': ['b-2']},
            self.program.group_hosts(self.me, 'backup', 'disk'),
        )
        error = self.assertRaises(
            client.NoHostError, self.program.schedule, self.me, 'backup',
            'choose', disk='tape',
        )
        self.assertEqual('no backup host has disk tape', str(error))

    def test_service_capabilities(self):
        """All that services report is rolled up, with a driver or without."""
        self.report('b-1', free_gb=5)
        self.report('b-2', free_gb=7)
        for topic, host in ('compute', 'forged'), ('volume', 'v-1'):
            self.program.update_service_capabilities(
                self.me, topic, host, {'tier': 'ssd'}
            )
        expected = {
            'services': {
                'backup': {'free_gb': {'min': 5, 'max': 7}},
                'volume': {'tier': {'values': ['ssd']}},
            },
            # It has just started.
            'gathering': True,
        }
        self.wait_for(
            lambda: self.program.service_capabilities(self.me) == expected,
            'the reports',
        )
        # From its start on it counts how long it has listened.
        nova_facts.get().services._complete_after_s = 0
        self.assertFalse(
            self.program.service_capabilities(self.me)['gathering']
        )

    def test_change(self):
        """A report takes the place of the one before."""
        self.report('b-1', disk='hdd')
        self.wait_for_hosts('b-1')
        self.report('b-1', disk='ssd')
        self.wait_for(
            lambda: self.program.group_hosts(self.me, 'backup', 'disk')
            == {'ssd': ['b-1']}, 'the change',
        )

    def test_compute_goes_on_beside_it(self):
        """Nova's own topic is served as before, by the same process."""
        self.boot({'requested_host': 'cmp-2'})
        self.assertEqual(
            ['cmp-1', 'cmp-2'], self.program.hosts_up(self.me, 'compute')
        )
        self.take_down('cmp-1')
        self.assertEqual(
            ['cmp-2'], self.program.hosts_up(self.me, 'compute')
        )

    def test_errors(self):
        """Each says what is wrong; the scheduler goes on."""
        for expected, topic, method, arguments in (
            (client.UnknownTopicError, 'network', 'choose', {}),
            (client.UnknownMethodError, 'backup', 'rank', {}),
            (client.WrongArgumentsError, 'backup', 'choose', {'x': 1}),
            (client.WrongArgumentsError, 'compute',
             'schedule_run_instance', {}),
        ):
            self.assertRaises(
                expected, self.program.schedule, self.me, topic, method,
                **arguments,
            )
        self.wait_for_hosts()

    def test_manager(self):
        """In the scheduler's process the manager answers alike."""
        self.report('b-1', disk='hdd')
        self.wait_for_hosts('b-1')
        self.assertEqual(
            {'host': 'b-1', 'for': 'me'},
            self.scheduler.schedule(self.me, 'backup', 'choose', disk='hdd'),
        )

    def test_stop_and_start(self):
        """Nobody answers while it is stopped; after it, one report does."""
        # From Nova 34 on a service waits for its manager, and no longer.
        if hasattr(self.scheduler, '_wait_for_in_progress_tasks'):
            self.flags(manager_shutdown_timeout=60)
        self.report('b-1', disk='hdd')
        self.wait_for_hosts('b-1')
        self.scheduler_service.stop()
        with client.SchedulerClient(URL, timeout_s=1) as hasty:
            self.assertRaises(
                client.RequestTimeoutError, hasty.hosts_up, self.me, 'backup'
            )
        self._forget_other_tests()
        self.scheduler_service = self.start_service('scheduler')
        self.wait_for_hosts()
        self.report('b-1', disk='hdd')
        self.wait_for_hosts('b-1')


class LoadFilter(plugin.Filter):
    """Rejects hosts that are loaded, or whose load is not known."""

    hints = ()

    def get_needed_stats(self):
        """One of no field."""
        return ['ext:load1']

    def check(self, host, request):
        """Look at the stat."""
        load = self.facts.get_stat(host, 'ext:load1')
        if load.value is None:
            return plugin.reject(load.reason)
        if load.value > 1:
            return plugin.reject(f'load is {load.value}')
        return plugin.PASS


class StatsTest(TopicsTestCase):
    """What programs push of hosts, and a filter that looks at it."""

    enabled_filters = ('ComputeFilter', 'LoadFilter')

    def configure(self):
        """Load the filter out of this file."""
        self.flags(group='nova_ext', plugin_files=[__file__])
        self.flags(group='filter_scheduler', available_filters=[
            base.STOCK_FILTERS, base.OUR_FILTERS,
        ])

    def push(self, host, load):
        """Push the load of a host."""
        self.program.update_resource_stats(
            self.me, host, {'ext:load1': load}
        )

    def reasons(self, server):
        """Why hosts were rejected for a server."""
        (made,) = (
            made for made in self.decisions() if server['id'] in made.servers
        )
        return {
            rejection.reason: rejection.hosts
            for step in made.attempts[0].steps
            for rejection in step.rejections
        }

    def test_needed(self):
        """Programs learn what to push."""
        self.assertEqual(
            ['ext:load1'], self.program.required_stats(self.me)
        )

    def test_stats(self):
        """The less loaded host is taken."""
        self.push('cmp-1', 7.5)
        self.push('cmp-2', 0.5)
        self.push('unknown', 0.1)
        self.wait_for(
            lambda: self.known('cmp-1').value and self.known('cmp-2').value,
            'the stats',
        )
        server = self.boot()
        self.assertEqual('cmp-2', self.host_of(server))
        self.assertEqual({'load is 7.5': ['cmp-1']}, self.reasons(server))

    def known(self, host):
        """The load as the scheduler knows it."""
        return nova_facts.get().get_stat(testing.make_host(host), 'ext:load1')


class OldStatsTest(StatsTest):
    """Stats that nobody pushes any more."""

    test_needed = None

    def configure(self):
        """They are believed for a second."""
        super().configure()
        self.flags(group='nova_ext_stats', max_age_s=1)

    def test_stats(self):
        """They are absent, and the record says why."""
        self.push('cmp-1', 0.5)
        self.push('cmp-2', 0.5)
        self.wait_for(
            lambda: 'stale' in self.known('cmp-1').reason
            and 'stale' in self.known('cmp-2').reason, 'their end',
        )
        server = self.boot(expected_state='ERROR')
        ((why, hosts),) = self.reasons(server).items()
        self.assertEqual('stat ext:load1 is stale', why)
        self.assertEqual({'cmp-1', 'cmp-2'}, set(hosts))


class DownTest(TopicsTestCase):
    """A service that stops reporting."""

    def configure(self):
        """A second is enough."""
        self.flags(group='nova_ext_services', down_after_s=1)

    def test_down(self):
        """It is chosen while it reports, and not a moment after."""
        with client.Reporter(
            self.program, self.me, 'backup', 'b-1', interval_s=0.2
        ) as reporter:
            reporter.report({'disk': 'hdd'})
            self.wait_for_hosts('b-1')
        self.wait_for_hosts()
        self.assertRaises(
            client.NoHostError, self.program.schedule, self.me, 'backup',
            'choose', disk='hdd',
        )


class SelectDestinationsTest(TopicsTestCase):
    """Nova's legacy form."""

    def choose(self, count, hints=None):
        """Names of the hosts that are chosen."""
        flavor = {
            'name': 'm1.tiny', 'flavorid': '1', 'vcpus': 1,
            'memory_mb': 512, 'root_gb': 1, 'ephemeral_gb': 0, 'swap': 0,
            'extra_specs': {}, 'disabled': False, 'is_public': True,
            'rxtx_factor': 1.0, 'vcpu_weight': 0, 'description': None,
        }
        chosen = self.program.select_destinations(self.me, {
            'num_instances': count, 'image': {}, 'instance_type': flavor,
            'instance_properties': {
                'uuid': '00000000-0000-0000-0000-0000000000aa',
                'project_id': self.me.project_id, 'user_id': 'me',
                'availability_zone': None, 'numa_topology': None,
                'pci_requests': None,
            },
        }, {'scheduler_hints': hints or {}})
        return [one['host'] for one in chosen]

    def test_chooses_and_does_not_claim(self):
        """A host for each; nothing is taken on any of them."""
        self.assertEqual({'cmp-1', 'cmp-2'}, set(self.choose(2)))
        for provider in self._get_all_providers():
            usages = self._get_provider_usages(provider['uuid'])
            self.assertEqual({0}, set(usages.values()))

    def test_least(self):
        """What the client asks for is enough for Nova."""
        chosen = self.program.select_destinations(
            self.me, LEGACY, {}
        )
        self.assertEqual(1, len(chosen))

    def test_hint(self):
        """Our filter takes part where it is enabled."""
        self.me.roles.append('admin')
        self.assertEqual(
            ['cmp-2'], self.choose(1, {'requested_host': ['cmp-2']})
        )
        self.assertRaises(
            client.NoHostError, self.choose, 1, {'requested_host': ['none']}
        )


class StockSelectDestinationsTest(TopicsTestCase):
    """The same of a stock nova-scheduler."""

    manager = None
    test_chooses_and_does_not_claim = (
        SelectDestinationsTest.test_chooses_and_does_not_claim
    )
    choose = SelectDestinationsTest.choose
    test_least = SelectDestinationsTest.test_least

    def test_schedule(self):
        """It serves no topic of ours."""
        with client.SchedulerClient(URL, timeout_s=1) as hasty:
            self.assertRaises(
                client.RequestTimeoutError, hasty.hosts_up, self.me, 'backup'
            )
