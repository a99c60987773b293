"""Use nova-ext-api with real tokens, and openstack scheduler over it."""

import json
import time

from keystoneauth1 import session
from keystoneauth1.identity import v3

from nova_ext.lab.configuration.config import REGION
from nova_ext.lab.state import lab_state, paths
from tests.lab import base

HOSTS = ('alpha', 'beta', 'gamma')
NOBODYS = '11111111-2222-3333-4444-555555555555'


class SchedulerApiTest(base.LabTestCase):
    """Ask as one user or another, in a lab without a broker."""

    up = ('--computes', *HOSTS)

    def ask(self, path, who='admin', method='GET', **options):
        """Ask at the address in the catalog, and return status and answer."""
        response = self.session(who).request(
            path, method, raise_exc=False, authenticated=True,
            endpoint_filter={
                'service_type': 'scheduler', 'region_name': REGION,
            }, **options,
        )
        return response.status_code, response.json()

    def session(self, who):
        """Return a user's session."""
        return self.cloud(user=who).session

    def wait_for(self, path):
        """Ask until a decision is in the database."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            status, body = self.ask(path)
            if status == 200:
                return body
            self.assertEqual(404, status, body)
            time.sleep(0.2)
        raise AssertionError(f'{path} did not come')

    def openstack(self, *words, cloud='admin', status=0):
        """Type an openstack command in the lab."""
        return self.run_in_lab(
            'env', f'OS_CLOUD={cloud}', 'openstack', 'scheduler', *words,
            status=status,
        )

    def boot_as_member(self, name, hints):
        """Boot a server of the project demo; return where it is explained."""
        cloud = self.cloud(user='demo')
        image = cloud.get('image', '/v2/images?name=cirros')['images'][0]
        server = cloud.compute.post('/servers', json={
            'server': {
                'name': name, 'flavorRef': '1', 'imageRef': image['id'],
                'networks': 'none',
            }, 'os:scheduler_hints': hints,
        }).json()['server']['id']
        path = f'/v1/servers/{server}/explanation'
        self.wait_for(path)
        return server, path

    def stranger(self):
        """Add a member of a third project."""
        identity = self.cloud().service('identity')
        state = lab_state.load(paths.find('default'))
        made = {
            'name': 'stranger', 'password': state.passwords['demo'],
            'domain_id': 'default',
        }
        user = identity.post('/users', json={'user': made}).json()['user']
        project = identity.post('/projects', json={'project': {
            'name': 'elsewhere', 'domain_id': 'default',
        }}).json()['project']
        role, = identity.get('/roles?name=member').json()['roles']
        identity.put(
            f'/projects/{project["id"]}/users/{user["id"]}/roles/{role["id"]}'
        )
        return session.Session(v3.Password(
            auth_url=state.url('keystone', '/v3'), project_id=project['id'],
            user_id=user['id'], password=made['password'],
        ))

    def test_who_sees_what(self):
        """Names of hosts for operators; nothing for another project."""
        server, path = self.boot_as_member(
            'placed', {'requested_host': 'beta', 'no_such_hint': 'x'}
        )
        sentence = (
            '{} chosen from 1 of 3 hosts that placement offered: '
            '2 requested_host is beta (SpecifiedHostFilter)'
        )
        status, body = self.ask(path)
        self.assertEqual((200, sentence.format('beta')), (
            status, body['explanation']['sentence']
        ))
        status, body = self.ask(path, 'demo')
        self.assertEqual((200, sentence.format('host 1')), (
            status, body['explanation']['sentence']
        ))
        text = json.dumps(body)
        for host in set(HOSTS) - {'beta'}:
            self.assertNotIn(host, text)
        self.assertIn(
            'hint no_such_hint had no effect: nothing that is enabled reads '
            'it', body['explanation']['notes'],
        )

        stranger = self.stranger()
        answers = [
            stranger.get(
                f'/v1/servers/{each}/explanation', raise_exc=False,
                endpoint_filter={'service_type': 'scheduler'},
            ) for each in (server, NOBODYS)
        ]
        self.assertEqual([404, 404], [each.status_code for each in answers])
        theirs, nobodys = (
            each.json()['errors'][0]['detail'] for each in answers
        )
        self.assertEqual(nobodys, theirs.replace(server, NOBODYS))

        for kind in ('filters', 'weighers', 'drivers'):
            self.assertEqual(403, self.ask(f'/v1/{kind}', 'demo')[0])
        self.assertEqual(200, self.ask('/v1/hints', 'demo')[0])

    def test_same_text(self):
        """Both commands print the same, of a success and of a failure."""
        for name, host, words in (
            ('there', 'gamma', 'gamma chosen from 1 of 3'),
            ('nowhere', 'delta', '3 requested_host is delta'),
        ):
            server = self.boot(name, {'requested_host': host})['id']
            self.wait_for(f'/v1/servers/{server}/explanation')
            for options in ((), ('--all',)):
                asked = (server, '--max-width', '0', *options)
                ours = self.run_in_lab('nova-ext', 'explain', *asked)
                self.assertEqual(ours, self.openstack('explain', *asked))
                self.assertIn(words, ours)

    def test_replace_the_words(self):
        """A failed server create is asked about with other options."""
        create = (
            '--flavor', '1', '--image', 'cirros', '--nic', 'none', '--hint',
            'requested_host=delta', 'web',
        )
        before = self.cloud().get('compute', '/servers/detail')
        output = self.openstack('simulate', *create)
        self.assertIn('0/3 hosts: 3 requested_host is delta', output)
        self.assertIn('simulated: nothing was claimed', output)
        output = self.openstack(
            'simulate', *create, '--try-filter', 'ComputeFilter'
        )
        self.assertIn('chosen from 3 of 3 hosts', output)
        self.assertIn('3', self.openstack('capacity', *create[:6]))
        self.assertIn('policy nova_ext:simulation:create', self.openstack(
            'simulate', *create, cloud='demo', status=1
        ))
        self.assertEqual(
            before, self.cloud().get('compute', '/servers/detail')
        )

    def test_lists(self):
        """What is in force, as the lab is configured."""
        listed = json.loads(self.openstack('filter', 'list', '-f', 'json'))
        self.assertEqual('SpecifiedHostFilter', listed[-1]['Name'])
        listed = json.loads(self.openstack('hint', 'list', '-f', 'json'))
        self.assertIn('requested_host', [each['Name'] for each in listed])
        listed = json.loads(self.openstack('driver', 'list', '-f', 'json'))
        self.assertEqual('FilterScheduler', listed[0]['Name'])
        self.assertIn('RAMWeigher', self.openstack('weigher', 'list'))


class OverRabbitTest(base.RabbitTestCase, SchedulerApiTest):
    """Ask where API and schedulers are processes of their own."""

    up = ('--broker', 'rabbit', '--schedulers', '2', *SchedulerApiTest.up)
