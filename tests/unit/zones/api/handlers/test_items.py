"""Create servers of builds for a parent zone, over HTTP."""

import datetime
import json
import time
from urllib import parse

from keystoneauth1.fixture import V3Token

from tests.unit.zones.base import TOKEN
from tests.unit.zones.offers import base

KEY = '33333333-2222-3333-4444-555555555555'
OTHER_KEY = '44444444-2222-3333-4444-555555555555'
BUILD = '11111111-2222-3333-4444-555555555555'
PARENT = '22222222-2222-3333-4444-555555555555'
UNKNOWN = '99999999-2222-3333-4444-555555555555'


class ItemsTest(base.GatheringTestCase):
    """A zone whose Nova keeps servers, below a parent that sends items."""

    def setUp(self):
        """Have no servers, and another project with the parent's role."""
        super().setUp()
        self.servers, self.hints = {}, []
        token = V3Token(user_id='other-id', project_id='c' * 32)
        token.add_role(name='nova_ext_parent')
        self.add_catalog(token)
        self.tokens.add_token(token, 'other parent')
        self.own = self.zones['root'].uuid
        (self.request_id,) = base.new_ids(1)
        self.expires_at = int(time.time()) + 3600

    def answer_as_cloud(self, request):
        """Answer for servers, too."""
        path, _, text = request.path.partition('?')
        if not path.startswith('/v2.1/servers'):
            super().answer_as_cloud(request)
            return
        number = path.removeprefix('/v2.1/servers').strip('/')
        status, document = 200, {}
        if request.command == 'POST':
            document = json.loads(request.body)
            self.hints.append(document['os:scheduler_hints'])
            number = f'00000000-0000-0000-0000-{len(self.servers):012}'
            self.servers[number] = {
                **document['server'], 'id': number, 'status': 'ACTIVE',
                'created': datetime.datetime.now(datetime.UTC).isoformat(),
            }
            document = {'server': {'id': number}}
        elif request.command == 'DELETE':
            self.servers.pop(number)
            status = 204
        elif number == 'detail':
            wanted = {*parse.parse_qs(text).get('tags-any', [''])[0].split(
                ','
            )}
            document = {'servers': [
                server for server in self.servers.values()
                if wanted & {*server['tags']}
            ]}
        elif number in self.servers:
            document = {'server': self.servers[number]}
        else:
            status, document = 404, {'itemNotFound': {}}
        request.answer(
            status, json.dumps(document).encode() if status != 204 else b'',
            Content_Type='application/json',
        )

    def body(self, **fields):
        """Return the body of an item."""
        return {'item': {
            'build': BUILD, 'parent': PARENT, 'name': 'web', 'via': [],
            'request': base.BUILD, 'request_id': self.request_id,
            'offer': 'an-offer', 'expires_at': self.expires_at,
            'tag': 'nx:1', 'deadline_s': 30, **fields,
        }}

    def send(
        self, method='PUT', key=KEY, who=TOKEN, status=200, query='',
        **fields
    ):
        """Send a request about an item; return what is answered of it."""
        options = {'json': self.body(**fields)} if method == 'PUT' else {}
        answer = self.ask(
            f'/v1/zones/items/{key}{query}', who, status, method, **options
        )
        if status == 200:
            return answer['item']
        (error,) = answer['errors']
        return error['code'].removeprefix('scheduler.'), error['detail']

    def test_created(self):
        """One server is created, however often the item is put."""
        item = self.send()
        (number,) = self.servers
        self.assertEqual(
            (KEY, 'sent', number, None), (
                item['key'], item['state'], item['server_id'], item['reason']
            ),
        )
        server = self.servers[number]
        self.assertEqual(
            ('web', ['nx:1'], '42', 'i-1', 'none'), (
                server['name'], server['tags'], server['flavorRef'],
                server['imageRef'], server['networks'],
            ),
        )
        self.assertEqual([{'nova_ext_offer': 'an-offer'}], self.hints)
        self.assertEqual((number, 'ACTIVE'), (
            self.send()['server_id'], self.send()['status']
        ))
        self.assertEqual([number], list(self.servers))

    def test_other_body(self):
        """A key stands for one body, of one project."""
        self.send()
        for fields in ({'name': 'db'}, {'tag': 'nx:2'}):
            self.assertEqual('conflict', self.send(status=409, **fields)[0])
        for method in ('PUT', 'GET', 'DELETE'):
            self.assertEqual('not_found', self.send(
                method, who='other parent', status=404
            )[0])
        self.assertEqual(1, len(self.servers))
        self.assertEqual([], self.list(who='other parent'))

    def test_failed(self):
        """What this zone can't create has failed, with a code."""
        self.flavors.clear()
        item = self.send()
        self.assertEqual(('failed', 'no_flavor', None), (
            item['state'], item['reason'], item['server_id']
        ))

    def test_refused(self):
        """What is refused is not written down, and nothing is created."""
        wrong = {**base.BUILD, 'hints': {'rack': UNKNOWN}}
        code, detail = self.send(status=400, request=wrong)
        self.assertIn('hint \'rack\' holds an ID', detail)
        for fields in ({'parent': self.own}, {'via': [UNKNOWN, self.own]}):
            code, detail = self.send(status=409, **fields)
            self.assertEqual('cycle', code)
            self.assertIn(self.own, detail)
        self.conf.config(group='nova_ext_zones', enable_zone_routing=False)
        code, detail = self.send(status=403, via=[UNKNOWN])
        self.assertEqual('forbidden', code)
        self.assertIn('enable_zone_routing', detail)
        self.assertEqual('not_found', self.send('GET', status=404)[0])
        self.assertEqual({}, self.servers)

    def test_zone(self):
        """A request for another zone is refused, and changes nothing."""
        for method in ('PUT', 'GET', 'DELETE'):
            self.assertEqual('other_zone', self.send(
                method, status=409, query=f'?zone={UNKNOWN}'
            )[0])
        self.ask(f'/v1/zones/items?build={BUILD}&zone={UNKNOWN}', TOKEN, 409)
        self.assertEqual('not_found', self.send('GET', status=404)[0])
        self.assertEqual('sent', self.send(query=f'?zone={self.own}')['state'])

    def list(self, build=BUILD, who=TOKEN):
        """List the items of a build."""
        return self.ask(f'/v1/zones/items?build={build}', who)['items']

    def test_shown(self):
        """What became of an item is Nova's answer of now."""
        number = self.send()['server_id']
        self.send(key=OTHER_KEY, tag='nx:2', request_id=base.new_ids(1)[0])
        self.servers[number]['status'] = 'ERROR'
        self.assertEqual('ERROR', self.send('GET')['status'])
        self.assertEqual(
            [(KEY, 'ERROR'), (OTHER_KEY, 'ACTIVE')],
            [(item['key'], item['status']) for item in self.list()],
        )
        self.assertEqual([], self.list(UNKNOWN))
        self.assertIn('query build is needed', self.refusal(
            '/v1/zones/items', TOKEN
        ))
        del self.servers[number]
        self.assertEqual(('gone', 'deleted'), (
            lambda item: (item['state'], item['reason'])
        )(self.send('GET')))

    def test_deleted(self):
        """The server is deleted; one that comes later finds its item gone."""
        self.send()
        self.assertEqual('undo', self.send('DELETE')['state'])
        self.assertEqual({}, self.servers)
        self.assertEqual('gone', self.send('DELETE')['state'])
        self.assertEqual('gone', self.send('DELETE', OTHER_KEY)['state'])
        self.assertEqual('gone', self.send('GET', OTHER_KEY)['state'])
        self.send(key=OTHER_KEY, status=409)
        self.assertEqual({}, self.servers)

    def test_passed_on(self):
        """An item for a zone below goes there, and is asked for there."""
        child = self.add_child('below')
        self.assertEqual('sent', self.send(via=[child.uuid])['state'])
        (server,) = self.servers.values()
        self.assertEqual('web', server['name'])
        self.assertEqual('ACTIVE', self.send('GET')['status'])
        self.assertEqual([KEY], [item['key'] for item in self.list()])
        item = self.send(
            key=OTHER_KEY, via=[UNKNOWN], request_id=base.new_ids(1)[0]
        )
        self.assertEqual(('failed', 'no_zone'), (
            item['state'], item['reason']
        ))

    def test_personas(self):
        """Administrators and parents, of a project."""
        for who in ('reader', 'member', 'manager', 'nobody', 'auditor'):
            for method in ('PUT', 'GET', 'DELETE'):
                self.send(method, who=who, status=403)
            self.ask(f'/v1/zones/items?build={BUILD}', who, 403)
        self.assertEqual({}, self.servers)
