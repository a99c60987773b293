"""Change both schedulers of a lab while servers are booted."""

import concurrent.futures
import contextlib
import itertools
import shutil
import threading
from pathlib import Path

from nova_ext.lab.state import paths
from nova_ext.lab.state.errors import LabError
from tests.lab import base as labs
from tests.playbooks import base

COMPUTES = ('cmp-1', 'cmp-2', 'cmp-3')
SCHEDULERS = ('scheduler-1', 'scheduler-2')
FILE = 'zz-nova-ext.conf'

#: With what Nova 34 loses a request that begins just before a scheduler stops:
#: it closes thread pools first.
NOVAS_OWN_LOSS = 'shutdown has been started'

_CLIENTS = 2


class LabTestCase(base.PlaybookTestCase, labs.RabbitTestCase):
    """Have a stock cloud of two schedulers."""

    installed = False
    names = SCHEDULERS
    api_hosts = ()
    up = (
        '--broker', 'rabbit', '--schedulers', '2', '--computes', *COMPUTES,
        '--stock', '--set', 'DEFAULT.manager_shutdown_timeout=25',
        '--set',
        'filter_scheduler.enabled_filters=ComputeFilter,ImagePropertiesFilter',
        '--set', 'filter_scheduler.available_filters='
        'nova.scheduler.filters.all_filters',
    )

    def setUp(self):
        """Let the lab's commands be systemd's."""
        super().setUp()
        shutil.copy(Path(__file__).with_name('systemctl'), self.site / 'bin')
        for name in self.names:  # of a test that has failed
            (self.own_folder(name) / FILE).unlink(missing_ok=True)
        (self.site / 'env').symlink_to(self.environment)
        self.variables.update({
            'nova_ext_flavor': 'm1.tiny', 'nova_ext_image': 'cirros',
            'nova_ext_nic': 'none',
            'nova_ext_clouds': str(paths.find('default').clouds_file),
            'nova_ext_use_queue_manager': True,
        })

    def make_inventory(self):
        """Add hosts of nova-ext-api, which verify asks by the catalog."""
        return {
            **super().make_inventory(),
            'nova_ext_api': {'hosts': {name: {} for name in self.api_hosts}},
        }

    def make_host(self, name):
        """Take a scheduler of the lab for a host."""
        super().make_host(name)
        own = self.own_folder(name)
        own.mkdir(exist_ok=True)
        (own / 'host.conf').write_text(f'[DEFAULT]\nhost = {name}\n')

    def own_folder(self, name):
        """Return the folder of a scheduler's own options."""
        return paths.find('default').configuration('nova') / f'{name}.conf.d'

    @contextlib.contextmanager
    def boots(self, *, may_fail=False):
        """Boot servers without a pause, and check that none fails.

        :param may_fail: say how many failed, and no more.
        """
        stop, numbers, ended = threading.Event(), itertools.count(), []

        def boot():
            while not stop.is_set():
                try:
                    server = self.boot(f'n-{next(numbers)}')
                except LabError as error:  # it stays in BUILD
                    ended.append({'fault': str(error)})
                    continue
                ended.append(server)
                self.cloud().compute.delete(f'/servers/{server["id"]}')

        with concurrent.futures.ThreadPoolExecutor(_CLIENTS) as pool:
            clients = [pool.submit(boot) for _ in range(_CLIENTS)]
            try:
                yield
                enough = len(ended) + 4
                self.wait_until(lambda: len(ended) >= enough, 300)
            finally:
                stop.set()
            for client in clients:
                client.result()
        faults = [one['fault'] for one in ended if 'fault' in one]
        others = [
            fault for fault in faults if NOVAS_OWN_LOSS not in str(fault)
        ]
        print(f'{len(ended) - len(faults)} of {len(ended)} boots ACTIVE, '
              f'{len(faults) - len(others)} lost by Nova')
        if not may_fail:
            self.assertEqual([], others)
            # At most one for each scheduler that stopped.
            self.assertLessEqual(len(faults), len(SCHEDULERS))

    def files(self):
        """Return which schedulers have our file."""
        return [
            name for name in self.names
            if (self.own_folder(name) / FILE).exists()
        ]

    def configure(self):
        """Install and configure both, and return the run."""
        self.play('install')
        self.play('configure')
        self.assertEqual(list(self.names), self.files())
        return self.journal()[0]


class LabTest(LabTestCase):
    """Take it through the playbooks, and back in each test."""

    def test_configure(self):
        """Configure, verify, fail, uninstall; all as foretold, once."""
        self.play('install')
        foretold = self.play('configure', '--check', '--diff')
        with self.boots():
            done = self.play('configure', '--diff')
        self.assertEqual(foretold.changed, done.changed)
        self.assertEqual(foretold.differences, done.differences)
        self.assertEqual(list(self.names), self.files())
        self.assertEqual(
            [f'restart {name}' for name in self.names], self.restarts()
        )
        for host in COMPUTES:
            server = self.boot(f'on-{host}', {'requested_host': host})
            self.assertEqual(host, server['OS-EXT-SRV-ATTR:host'])
        self.assertEqual([], self.play('configure').changed)
        verified = self.play('verify')
        self.assertIn('chosen from 3 of 3 hosts', verified.output)
        self.verify_without_boot()

        # Lint refuses this.
        self.play('configure', status=2, nova_ext_filters=['NoSuchFilter'])
        self.assertEqual(2, len(self.restarts()))

        # Lint does not see that this is nobody's database.
        self.hosts['scheduler-2']['nova_ext_options'] = {
            'api_database': {'connection': 'sqlite:////nowhere/nova_api'},
        }
        self.hosts['scheduler-1']['nova_ext_options'] = {
            'nova_ext_record': {'successes_in_full': True},
        }
        with self.boots():
            self.play('configure', status=2)
        self.assertEqual(
            ['restart scheduler-1', 'restart scheduler-2',
             'restart scheduler-2', 'restart scheduler-1'],
            self.restarts()[2:],
        )
        for host in self.names:
            text = (self.own_folder(host) / FILE).read_text()
            self.assertNotIn('nowhere', text)
            self.assertNotIn('successes_in_full', text)

        with self.boots():
            self.play('uninstall')
        self.assertEqual([], self.files())
        self.assertFalse((self.environment / 'bin/nova-ext').exists())

    def verify_without_boot(self):
        """Verify without a server, or the API, then what can't be done."""
        done = self.play('verify', nova_ext_verify_boot=False)
        self.assertIn('no server was booted', done.output)
        self.assertNotIn('Create the project', str(done.changed))
        self.api_hosts = ('api1',)
        self.play('verify', nova_ext_verify_boot=False)
        with self.refusing('server create'):
            failed = self.play('verify', status=2)
        self.assertIn('Create the project', [
            task for task, _ in failed.changed
        ])
        with self.refusing('scheduler decision list'):
            failed = self.play('verify', status=2)
        self.assertEqual([], failed.changed)
        self.api_hosts = ()
        self.assertEqual([], [
            project['name'] for project in
            self.cloud().get('identity', '/projects')['projects']
            if project['name'].startswith('nova-ext-verify')
        ])

    @contextlib.contextmanager
    def refusing(self, words):
        """Have an openstack command fail."""
        openstack = self.site / 'bin/openstack'
        openstack.write_text(
            f'#!/bin/sh\ncase $* in *"{words}"*) exit 1 ;; esac\n'
            f'exec {base.BIN}/openstack "$@"\n'
        )
        openstack.chmod(0o755)
        try:
            yield
        finally:
            openstack.unlink()

    def test_rollback(self):
        """Go back to what was there before a run."""
        run = self.configure()
        with self.boots():
            self.play('rollback', run=run)
        self.assertEqual([], self.files())

    def test_vanishing(self):
        """Lose the second host after its restart, and finish it later."""
        self.play('install')
        vanishes = self.site / 'scheduler-2/vanishes'
        vanishes.touch()
        # Every task makes a temporary folder, which then fails.
        self.hosts['scheduler-2']['ansible_pipelining'] = False
        with self.boots():
            self.play('configure', status=2)
        run, lines = self.journal()
        self.assertIn('scheduler-1 is rolled back', lines)
        self.assertEqual(['scheduler-2'], self.files())
        # The host is back.
        vanishes.unlink()
        (self.site / 'scheduler-2/tmp').unlink()
        with self.boots():
            self.play('rollback', run=run)
        self.assertEqual([], self.files())


class NoQueueManagerTest(LabTestCase):
    """Leave use_queue_manager off, as Nova does by default."""

    up = (
        *LabTestCase.up, '--set',
        'oslo_messaging_rabbit.use_queue_manager=false',
    )

    def test_configure(self):
        """Configure both; how many boots fail is printed, as a figure."""
        self.variables['nova_ext_use_queue_manager'] = False
        self.play('install')
        with self.boots(may_fail=True):
            done = self.play('configure')
        self.assertIn('use_queue_manager is off', done.output)
        self.assertEqual(list(self.names), self.files())


class DefaultTimeoutTest(LabTestCase):
    """Let schedulers take as long to stop as Nova does by default: 160 s."""

    up = (
        *LabTestCase.up, '--set', 'DEFAULT.manager_shutdown_timeout=160',
    )

    def test_configure(self):
        """Configure both."""
        self.play('install')
        with self.boots():
            self.play('configure')
        self.assertEqual(list(self.names), self.files())
