"""Run labs whose services are processes of their own, over RabbitMQ."""

import collections
import json
import signal
import subprocess

import fixtures
import psutil
from testtools import testcase

from nova_ext.lab.configuration import broker
from nova_ext.lab.lifecycle import status
from nova_ext.lab.services import layout, servers
from nova_ext.lab.state import lab_state, paths, ports
from tests.lab import base

HOSTS = ('one', 'two', 'three')
TWO = '''
from nova_ext.plugin import PASS, Filter, reject


class TwoFilter(Filter):
    def check(self, host, request):
        return PASS if host.host == 'two' else reject('not two')
'''


class RabbitTest(base.RabbitTestCase):
    """Run a lab with two schedulers of two workers each."""

    up = ('--broker', 'rabbit', '--schedulers', '2',
          '--set', 'scheduler.workers=2', '--computes', *HOSTS)

    def decisions(self):
        """Count how often each server is in the record."""
        lines = paths.find('default').record.read_text().splitlines()
        return collections.Counter(
            server for line in lines
            for server in json.loads(line).get('servers', ())
        )

    def condition(self):
        """Return what ``lab status`` says of the lab."""
        there = paths.find('default')
        return status.describe(there, lab_state.load(there))

    def ask(self, name):
        """Boot a server, don't wait for it, and return its id."""
        image = self.cloud().get('image', '/v2/images?name=cirros')
        return self.cloud().compute.post('/servers', json={'server': {
            'name': name, 'flavorRef': '1', 'networks': 'none',
            'imageRef': image['images'][0]['id'],
        }}).json()['server']['id']

    def test_each_service_is_a_process(self):
        """Nova's own programs, with their workers; status shows each."""
        shown = json.loads(
            self.lab('status', '--name', 'default', '-f', 'json')
        )
        pids = {
            row['Name']: row['PID'] for row in shown
            if row['Kind'] == 'service'
        }
        self.assertEqual(
            [service.name for service in layout.list_services(self.state())],
            list(pids),
        )
        self.assertEqual(len(pids), len(set(pids.values())))
        for service, program in (
            ('conductor', 'nova-conductor'), ('scheduler-1', 'nova-scheduler')
        ):
            self.assertIn(
                program, ' '.join(psutil.Process(pids[service]).cmdline())
            )
        self.assertEqual(3, len(self.tree('scheduler-2')))

    def test_ping(self):
        """A scheduler answers over RPC; one that is absent does not."""
        for host, seconds, code in (
            ('scheduler-1', '60', 0), ('scheduler-9', '1', 1)
        ):
            extra = self.home / f'{host}.conf'
            extra.write_text(f'[DEFAULT]\nhost = {host}\n')
            said = self.command(
                'nova-ext-scheduler', '--config-file',
                str(self.nova_conf()), '--config-file', str(extra),
                '--ping', seconds, status=code,
            )
        self.assertIn('the scheduler of host scheduler-9 has not', said)

    def test_try_a_file(self):
        """A scheduler simulates, and none restarts."""
        path = self.home / 'mine.py'
        path.write_text(TWO)
        before = self.state().processes
        output = self.lab('try', '--once', str(path))
        self.assertIn('TwoFilter: the server would go to two', output)
        self.assertEqual(2, output.count('rejected by TwoFilter'))
        self.assertEqual(before, self.state().processes)

    def test_hint(self):
        """On the host that it names; or nowhere, and explain says why."""
        server = self.boot('there', {'requested_host': 'two'})
        self.assertEqual(
            ('ACTIVE', 'two'),
            (server['status'], server['OS-EXT-SRV-ATTR:host']),
        )
        server = self.boot('nowhere', {'requested_host': 'no-such-host'})
        self.assertEqual('ERROR', server['status'])
        self.assertEqual(
            '0/3 hosts: 3 requested_host is no-such-host '
            '(SpecifiedHostFilter)', self.explain('nowhere')['sentence'],
        )

    @testcase.attr('slow')
    def test_40_concurrent_creates(self):
        """All are ACTIVE; each is in the record once, by four writers."""
        # Nova 33 takes two minutes on a quiet machine.
        self.useFixture(fixtures.MonkeyPatch(
            f'{servers.__name__}.DEADLINE_S', 600.0
        ))
        booted = self.boot_many([f'many-{n}' for n in range(40)])
        self.assertEqual(
            ['ACTIVE'] * 40, [server['status'] for server in booted]
        )
        ids = {server['id'] for server in booted}
        # The record is written behind the back of the answer.
        self.wait_until(lambda: ids <= self.decisions().keys())
        recorded = self.decisions()
        self.assertEqual(
            [1] * 40, [recorded[server['id']] for server in booted]
        )

    @testcase.attr('slow')
    def test_restart_with_requests_in_hand(self):
        """Both schedulers, one after the other: every boot succeeds."""
        before = self.state().processes
        asked = [self.ask(f'hand-{n}') for n in range(12)]
        output = self.lab('restart', 'scheduler')
        self.assertIn('scheduler-1 has restarted.', output)
        self.assertIn('scheduler-2 has restarted.', output)
        self.assertEqual(
            ['ACTIVE'] * 12,
            [servers.wait_until_built(self.cloud(), server)['status']
             for server in asked],
        )
        after = self.state().processes
        self.assertEqual(
            {'scheduler-1', 'scheduler-2'},
            {name for name in after if after[name] != before[name]},
        )

    def test_killed_scheduler(self):
        """The other one goes on; a restart brings it back."""
        for process in self.tree('scheduler-1'):
            process.kill()
        self.wait_until(lambda: self.condition() == 'degraded')
        booted = self.boot_many([f'killed-{n}' for n in range(4)])
        self.assertEqual({'ACTIVE'}, {one['status'] for one in booted})
        self.lab('restart', 'scheduler-1')
        self.assertEqual('running', self.condition())

    @testcase.attr('slow')
    def test_killed_master(self):
        """Workers without their master are ended before a new one starts."""
        master, *workers = self.tree('scheduler-2')
        for worker in workers:
            worker.suspend()
        master.kill()
        self.lab('restart', 'scheduler-2')
        self.assert_gone(workers, {})
        self.assertEqual(3, len(self.tree('scheduler-2')))

    def test_broker_restart(self):
        """Services find it again by themselves."""
        self.lab('restart', 'rabbit')
        self.wait_until(lambda: self.condition() == 'running')
        # Nobody but its queue knows whether a compute has come back.
        for host in HOSTS:
            self.wait_until(
                lambda: broker.count_consumers(self.state(), f'compute.{host}')  # noqa: B023
            )
        self.assertEqual('ACTIVE', self.boot('after')['status'])

    def test_words_that_mean_several(self):
        """A log is of one."""
        self.assertIn(
            'scheduler is scheduler-1, scheduler-2: name one of them',
            self.lab('logs', 'scheduler', status=1),
        )
        self.assertIn('scheduler-2', self.lab('logs', 'scheduler-2'))


class RabbitLifeTest(base.RabbitTestCase):
    """Leave nothing, whatever happened."""

    up = None

    def test_two_side_by_side(self):
        """Each has its own broker; one going leaves the other alone."""
        for name in 'ab':
            self.lab('up', '--name', name, '--broker', 'rabbit',
                     '--computes', f'{name}-1')
        a, b = self.state('a').ports, self.state('b').ports
        self.assertEqual(set(), set(a.values()) & set(b.values()))
        found = self.everything('a')
        self.tree('rabbit', 'a')[0].kill()
        # Its name server is a daemon, and outlives it.
        self.wait_until(lambda: not ports.is_open(a['rabbit']))
        self.assertTrue(ports.is_open(a['rabbit-epmd']))
        self.lab('down', '--name', 'a')
        self.assert_gone(found, a)
        self.assertEqual([], self.processes('a'))
        server = servers.boot(self.cloud('b'), 'still')
        self.assertEqual('ACTIVE', server['status'])
        found = self.everything('b')
        self.lab('down', '--name', 'b')
        self.assert_gone(found, b)

    def test_ctrl_c_during_up(self):
        """Whatever was being started ends."""
        child = subprocess.Popen(
            [str(base.BIN / 'nova-ext'), 'lab', 'up', '--name', 'c',
             '--broker', 'rabbit', '--computes', '1'],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            # These tests may run in a script's background, where it is
            # ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        log = paths.locate('c').log('rabbit')
        self.wait_until(
            lambda: log.exists() and 'Starting broker' in log.read_text()
        )
        found = self.everything('c')
        child.send_signal(signal.SIGINT)
        told, _ = child.communicate(timeout=60)
        self.assertEqual(130, child.returncode, told)
        self.assertNotIn('Traceback', told)
        self.assert_gone(found, self.state('c').ports)
        self.assertEqual([], self.processes('c'))

    def test_from_one_form_to_the_other(self):
        """Servers stay; the broker comes and goes."""
        self.lab('up', '--name', 'd', '--computes', '2')
        before = servers.boot(self.cloud('d'), 'before')
        self.lab('up', '--name', 'd', '--broker', 'rabbit')
        servers.boot(self.cloud('d'), 'between')
        found = self.tree('rabbit', 'd')
        self.lab('up', '--name', 'd', '--broker', 'none')
        self.assert_gone(found, {})
        after = servers.boot(self.cloud('d'), 'after')
        self.assertEqual('ACTIVE', after['status'])
        kept = servers.wait_until_built(self.cloud('d'), before['id'])
        self.assertEqual('ACTIVE', kept['status'])
        self.assertEqual(
            len(layout.list_services(self.state('d'))),
            len(self.processes('d')),
            [process.cmdline() for process in self.processes('d')],
        )
