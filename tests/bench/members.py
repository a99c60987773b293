"""Measure what ten members in loops take from an operator.

Each sends one worst body or query that fits after the other, and does not wait
between them. Each service is a process of its own, as in a cloud, and a server
of the documentation serves nova-ext-api: waitress in one process, uWSGI in
two. The bench fails where an operation takes more than twice as long as
without members. Run it with ``python -m tests.bench.members``, on a machine
that does nothing else; ``test_waitress`` or ``test_uwsgi`` behind it measures
one of the servers.
"""

import collections
import contextlib
import copy
import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
import unittest

import requests
from keystoneauth1.adapter import Adapter

from nova_ext.api import configuration
from nova_ext.database.database import Database
from nova_ext.decisions import queries
from nova_ext.lab.process import databases
from nova_ext.lab.services import servers
from nova_ext.lab.state import paths, ports
from nova_ext.record import shortening
from nova_ext.record.tail import Place
from tests.lab import base
from tests.unit.api.test_server import ADDRESS, BIN, read_command
from tests.unit.record import samples

MEMBERS = 10
#: Measurements of each operation.
TIMES, BOOTS = 30, 10
#: Times as long as without members, at most.
MOST = 2.0
#: Decisions of each member's project, of about 58 KB.
DECISIONS, HOSTS = 60, 640
SECONDS = 300
_HINTS = {str(number): [''] * 128 for number in range(128)}
_FLAVOR = {'vcpus': 1, 'memory_mb': 512, 'root_gb': 1}
#: What each member sends, by name: method, path and body.
WORST = {
    'dry run': ('POST', '/v1/builds', {'dry_run': True, 'build': {
        'name': 'x', 'count': 100, 'networks': 'none', 'hints': _HINTS,
        'flavor': {'name': 'm1.tiny', **_FLAVOR}, 'image': {'name': 'cirros'},
    }}),
    'simulation': ('POST', '/v1/simulations', {'request': {
        'flavor': {'flavorid': servers.FLAVOR, **_FLAVOR}, 'hints': _HINTS,
        'count': 100,
    }}),
    'builds': ('GET', '/v1/builds?limit=1000', None),
    'decisions': ('GET', '/v1/decisions?limit=1000', None),
}
#: Its last hint is no text that Nova takes.
WORST['invalid body'] = copy.deepcopy(WORST['dry run'])
WORST['invalid body'][2]['build']['hints']['127'][127] = '\n'


def send_for_ever(url, token, first, counts):
    """Send what is worst, one after the other."""
    session = requests.Session()
    session.trust_env = False
    session.headers['X-Auth-Token'] = token
    names = [*WORST][first:] + [*WORST][:first]
    while True:
        for name in names:
            method, path, body = WORST[name]
            status = session.request(
                method, url + path, json=body, timeout=SECONDS
            ).status_code
            counts[name, status] += 1


def run_members(url, tokens, pipe):
    """Be all members, in a process of their own, until something comes."""
    counts = collections.Counter()
    for number, token in enumerate(tokens):
        threading.Thread(
            target=send_for_ever, daemon=True,
            args=(url, token, number % len(WORST), counts),
        ).start()
    pipe.recv()
    pipe.send(counts)


class MembersBench(base.RabbitTestCase):
    """Have a lab with ten projects, and an operator."""

    up = (
        '--broker', 'rabbit', '--computes', 'one', 'two', 'three',
        '--set', 'DEFAULT.debug=false',
    )
    deadline_s = 900

    def test_waitress(self):
        """Have one process."""
        self.check('waitress-serve')

    def test_uwsgi(self):
        """Have two processes."""
        self.check('uwsgi')

    def check(self, program):
        """Measure without members and with them.

        :param program: of the documentation, which serves nova-ext-api.
        """
        self.admin = self.cloud()
        self.url = self.serve(program)
        self.api = Adapter(
            self.admin.session, service_type='scheduler',
            endpoint_override=self.url,
        )
        tokens = [
            self.add_member(f'{program}-{number}') for number in range(MEMBERS)
        ]
        self.server = self.boot('explained')['id']
        # Its decision is shipped a moment later.
        self.wait_until(lambda: self.api.get(
            f'/v1/servers/{self.server}/explanation', raise_exc=False
        ).ok)
        operations = {
            'explain': (TIMES, self.explain),
            'list': (TIMES, self.list_decisions),
            'boot': (BOOTS, self.boot_one),
        }
        self.measure(operations)  # to load what is loaded once
        idle = self.measure(operations)
        here, there = multiprocessing.Pipe()
        context = multiprocessing.get_context('spawn')
        process = context.Process(
            target=run_members, args=(self.url, tokens, there), daemon=True
        )
        process.start()
        self.addCleanup(process.join)
        self.addCleanup(process.terminate)
        time.sleep(10)
        loaded = self.measure(operations)
        here.send('end')
        print(program)
        for (name, status), count in sorted(here.recv().items()):
            print(f'{count:6} of {name}: {status}')
        ratios = {name: loaded[name] / idle[name] for name in operations}
        for name, ratio in ratios.items():
            print(
                f'{name:8} {1000 * idle[name]:6.0f} ms alone, '
                f'{1000 * loaded[name]:6.0f} ms beside {MEMBERS} members: '
                f'{ratio:.2f} times', flush=True,
            )
        self.assertLessEqual(max(ratios.values()), MOST)

    def serve(self, program):
        """Start the documented server; return its URL when it answers."""
        with ports.listen(None) as listener:
            address = f'127.0.0.1:{listener.getsockname()[1]}'
        words = [
            word.replace(ADDRESS, address) for word in read_command(program)
        ]
        log = self.enterContext((self.home / program).open('ab'))
        server = subprocess.Popen(
            [shutil.which(program, path=BIN), *words[1:]], stdout=log,
            stderr=log, env={
                **os.environ, configuration.FILES: str(self.nova_conf()),
            },
        )
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        self.wait_until(lambda: self.answers(address))
        return f'http://{address}'

    @staticmethod
    def answers(address):
        """Say whether the server answers already."""
        with contextlib.suppress(requests.RequestException):
            return requests.get(
                f'http://{address}/healthcheck', timeout=SECONDS
            ).ok
        return False

    @staticmethod
    def measure(operations):
        """Return the median of seconds of each operation."""
        medians = {}
        for name, (times, function) in operations.items():
            seconds = []
            for _ in range(times):
                began = time.monotonic()
                function()
                seconds.append(time.monotonic() - began)
            medians[name] = statistics.median(seconds)
        return medians

    def explain(self):
        """Ask why a server is where it is."""
        self.api.get(f'/v1/servers/{self.server}/explanation')

    def list_decisions(self):
        """List the newest decisions."""
        self.api.get('/v1/decisions?limit=5')

    def boot_one(self):
        """Boot a server, and delete it."""
        server = self.boot('timed')
        self.assertEqual('ACTIVE', server['status'])
        self.admin.compute.delete(f'/servers/{server["id"]}')

    def add_member(self, name):
        """Add a member of a project of its own; return a token."""
        identity = self.admin.service('identity')
        project = identity.post('/projects', json={'project': {
            'name': name, 'domain_id': 'default',
        }}).json()['project']['id']
        user = identity.post('/users', json={'user': {
            'name': name, 'password': name, 'domain_id': 'default',
        }}).json()['user']['id']
        for each in ('member', 'manager'):
            role, = identity.get(f'/roles?name={each}').json()['roles']
            identity.put(
                f'/projects/{project}/users/{user}/roles/{role["id"]}'
            )
        self.ship(project)
        return identity.post('/auth/tokens', authenticated=False, json={
            'auth': {
                'identity': {'methods': ['password'], 'password': {'user': {
                    'id': user, 'password': name,
                }}},
                'scope': {'project': {'id': project}},
            },
        }).headers['X-Subject-Token']

    @staticmethod
    def ship(project):
        """Store decisions of a project, each as long as one may be."""
        lab = paths.find('default')
        database = Database(f'sqlite:///{lab.databases / databases.NOVA_EXT}')
        decision = samples.success(hosts=HOSTS)
        decision.attempts *= 4
        decision.project_id, decision.request_id = project, 'req-number'
        line = shortening.to_line(decision, 65536, in_full=True)
        lines = [
            line.replace(b'req-number', f'req-{number}'.encode())
            for number in range(DECISIONS)
        ]
        with database.writing() as session:
            queries.ship(session, project, lines, Place('f', 1))


def main(names):
    """Measure.

    :param names: of tests; none: all.
    :returns: the exit status.
    """
    loader = unittest.defaultTestLoader
    result = unittest.TextTestRunner().run(loader.suiteClass([
        MembersBench(name)
        for name in names or loader.getTestCaseNames(MembersBench)
    ]))
    return int(not result.wasSuccessful())


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
