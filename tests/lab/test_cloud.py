"""Use a lab as a real cloud."""

import contextlib
import os
import signal
import sqlite3
import subprocess
from pathlib import Path

from testtools import testcase

from nova_ext.lab.services import servers
from nova_ext.lab.state import lab_state, paths
from tests.lab import base

HOSTS = ('doc-1', 'ops-1', 'dev-1', 'cmp-1', 'cmp-2:vcpus=2,az=east')

CREATE = (
    'openstack', 'server', 'create', '--flavor', '1', '--image', 'cirros',
    '--nic', 'none',
)
EVEN = '''
from nova_ext.plugin import PASS, Filter, reject


class EvenFilter(Filter):
    def check(self, host, request):
        return PASS if host.host == 'cmp-2' else reject('not even')
'''


class CloudTest(base.LabTestCase):
    """Use a lab of five hosts with our scheduler."""

    up = ('--computes', *HOSTS)

    def test_the_command_as_typed(self):
        """The real client, a hint, and the host it names."""
        self.run_in_lab(*CREATE, '--hint', 'requested_host=cmp-2', 'typed')
        (made,) = servers.find(self.cloud(), 'typed')
        server = servers.wait_until_built(self.cloud(), made['id'])
        self.assertEqual(
            ('ACTIVE', 'cmp-2', 'east'),
            (server['status'], server['OS-EXT-SRV-ATTR:host'],
             server['OS-EXT-AZ:availability_zone']),
        )

    def test_why_there_is_none(self):
        """The sentence's counts add up to all hosts."""
        server = self.boot('nowhere', {'requested_host': 'no-such-host'})
        self.assertEqual('ERROR', server['status'])
        self.assertEqual(
            '0/5 hosts: 5 requested_host is no-such-host '
            '(SpecifiedHostFilter)', self.explain('nowhere')['sentence'],
        )
        # 16384 MB and 8 processors: cmp-2 has but two of these.
        self.boot('large', {'requested_host': 'doc-1'}, flavor='5')
        self.assertIn('doc-1 chosen', self.explain('large')['sentence'])

    def test_no_token_is_revoked(self):
        """Nor one of the second in which the lab's passwords are set."""
        database = paths.find('default').databases / 'keystone.sqlite'
        with contextlib.closing(sqlite3.connect(database)) as connection:
            (events,) = connection.execute(
                'select count(*) from revocation_event'
            ).fetchone()
        self.assertEqual(0, events)

    @testcase.attr('slow')
    def test_40_concurrent_creates(self):
        """All are ACTIVE in the end."""
        booted = self.boot_many([f'many-{n}' for n in range(40)])
        self.assertEqual(
            ['ACTIVE'] * 40, [server['status'] for server in booted]
        )

    def test_restart_finishes_what_is_in_hand(self):
        """Servers asked for before a restart become ACTIVE."""
        cloud = self.cloud()
        image = cloud.get('image', '/v2/images?name=cirros')['images'][0]
        asked = [
            cloud.compute.post('/servers', json={'server': {
                'name': f'hand-{n}', 'flavorRef': '1',
                'imageRef': image['id'], 'networks': 'none',
            }}).json()['server']['id']
            for n in range(6)
        ]
        self.lab('restart', 'scheduler')
        self.assertEqual(
            ['ACTIVE'] * 6,
            [servers.wait_until_built(cloud, one)['status'] for one in asked],
        )

    def test_state_survives_down_and_up(self):
        """The same server, under the same id, on the same host."""
        before = self.boot('kept', {'requested_host': 'ops-1'})
        self.lab('down')
        self.assertEqual([], self.processes())
        self.assertIn('stopped already', self.lab('down'))
        self.lab('up')
        self.assertIn('running already', self.lab('up'))
        after = servers.wait_until_built(self.cloud(), before['id'])
        self.assertEqual('ops-1', after['OS-EXT-SRV-ATTR:host'])
        moved = self.boot('after', {'requested_host': 'dev-1'})
        self.assertEqual('dev-1', moved['OS-EXT-SRV-ATTR:host'])

    @testcase.attr('slow')
    def test_up_with_a_host_forced_down(self):
        """It stays down; the rest of the lab changes."""
        cloud = self.cloud()
        (service,) = cloud.get(
            'compute', '/os-services?binary=nova-compute&host=dev-1'
        )['services']
        path = f'/os-services/{service["id"]}'
        cloud.compute.put(path, json={'forced_down': True})
        self.addCleanup(self.lab, 'up', '--unset', 'scheduler.max_attempts')
        self.addCleanup(cloud.compute.put, path, json={'forced_down': False})
        self.lab('up', '--set', 'scheduler.max_attempts=4')
        self.assertEqual(
            'ERROR', self.boot('down', {'requested_host': 'dev-1'})['status']
        )
        self.assertIn('running', self.lab('status', '-f', 'csv'))

    def test_try_a_plain_file(self):
        """Each host's verdict, and the lab as it was after."""
        path = self.home / 'my_filter.py'
        path.write_text(EVEN)
        settings = lab_state.load(paths.locate('default')).settings
        output = self.lab('try', '--once', str(path))
        self.assertIn('EvenFilter: the server would go to cmp-2', output)
        self.assertEqual(4, output.count('rejected by EvenFilter'))
        self.assertIn('cmp-2 | passes', output)
        state = lab_state.load(paths.locate('default'))
        self.assertEqual(settings, state.settings)
        path.write_text(EVEN.replace('PASS if', 'oops if'))
        self.assertIn(
            f"{path}:7: NameError: name 'oops' is not defined\n",
            self.lab('try', '--once', str(path), status=1),
        )

    def test_try_on_every_save(self):
        """A verdict, a file that does not load, a verdict, and Ctrl-C."""
        path = self.home / 'saved.py'
        path.write_text(EVEN)
        nova = lab_state.load(paths.locate('default')).processes['nova']
        with subprocess.Popen(
            [base.BIN / 'nova-ext', 'lab', 'try', str(path)], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as trying:
            self.addCleanup(trying.kill)
            for text, told in (
                (None, 'would go to cmp-2'), ('class', f'{path}:1: Syntax'),
                (EVEN.replace('cmp-2', 'ops-1'), 'would go to ops-1'),
            ):
                if text is not None:
                    path.write_text(text)
                shown = ''.join(iter(
                    trying.stdout.readline,
                    f'Watching {path}; Ctrl-C ends.\n',
                ))
                self.assertIn(told, shown)
            trying.send_signal(signal.SIGINT)
            self.assertNotIn('Traceback', trying.stdout.read())
        self.assertEqual(
            nova, lab_state.load(paths.locate('default')).processes['nova']
        )

    def test_breakpoint(self):
        """Stop in the terminal, answer the debugger, and go on."""
        path = self.home / 'stopping.py'
        path.write_text(EVEN.replace(
            '        return', '        breakpoint()\n        return'
        ))
        tried = subprocess.run(
            [base.BIN / 'nova-ext', 'lab', 'try', '--once', str(path)],
            # Once for each host.
            input='print(host.host * 2)\ncontinue\n' * len(HOSTS),
            text=True, capture_output=True, check=False,
            timeout=self.deadline_s,
        )
        self.assertIn('ops-1ops-1', tried.stdout)
        self.assertIn('would go to cmp-2', tried.stdout)

    def test_try_a_new_package(self):
        """As it was written."""
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(self.home)
        self.command('nova-ext', 'new', 'filter', 'gpu_only')
        output = self.lab('try', '--once', 'gpu-only/gpu_only.py')
        self.assertIn('GpuOnlyFilter: the server would go to ', output)
        self.assertEqual(5, output.count('| passes'), output)

    @testcase.attr('slow')
    def test_stock_scheduler(self):
        """One line of nova.conf: the hint works, and explain does."""
        self.lab('up', '--stock')
        self.addCleanup(self.lab, 'up', '--no-stock')
        server = self.boot('stock', {'requested_host': 'doc-1'})
        self.assertEqual('doc-1', server['OS-EXT-SRV-ATTR:host'])
        path = self.home / 'even.py'
        path.write_text(EVEN)
        self.assertIn(
            'would go to cmp-2', self.lab('try', '--once', str(path))
        )
        self.boot('stock-nowhere', {'requested_host': 'no-such-host'})
        explanation = self.explain('stock-nowhere')
        self.assertEqual(
            '0/5 hosts: 5 requested_host is no-such-host '
            '(SpecifiedHostFilter)', explanation['sentence'],
        )
        from_log = self.run_in_lab(
            'nova-ext', 'explain', '--log',
            str(self.home / 'default' / 'log' / 'nova.log'), 'stock-nowhere',
        )
        self.assertIn('5 rejected by SpecifiedHostFilter', from_log)
