"""List servers of this zone's builds that no build knows of."""

import json
import types
from urllib import parse

from keystoneauth1 import session, token_endpoint

from nova_ext.cli.api_client import Client
from nova_ext.core.base.errors import NovaExtError
from nova_ext.zones.items.new_items import create_tag
from nova_ext.zones.osc.zone_orphan import ListOrphans
from nova_ext.zones.tables.models import Item
from tests.unit.osc import base as osc_base
from tests.unit.zones import base
from tests.unit.zones.builds import test_planning
from tests.unit.zones.offers.base import OURS

BUILD = '33333333-3333-4333-8333-333333333333'


def server(number, tag='', **fields):
    """Return a server as Nova lists it."""
    return {
        'id': f'{number:08}-0000-4000-8000-000000000000', 'status': 'ACTIVE',
        'name': f's{number}', 'created': '2026-01-02T03:04:05Z',
        'tags': [tag] if tag else [], 'tenant_id': 'p', **fields,
    }


class OrphansTest(test_planning.BuildsTestCase):
    """A root zone and one child zone, each with servers of its own."""

    def setUp(self):
        """Add the child, and a client."""
        super().setUp()
        #: Servers by the token of who lists them.
        self.servers = {'admin': [], base.TOKEN: []}
        self.queries = []
        self.add_child('one')
        self.root = self.zones['root'].uuid
        self.manager = types.SimpleNamespace(scheduler=Client(
            session.Session(token_endpoint.Token(
                self.serve_own_zone().url, 'admin'
            )), version='1',
        ))

    run_command = osc_base.CommandTestCase.run_command
    json_of = osc_base.CommandTestCase.json_of

    def answer_as_cloud(self, request):
        """List servers, too."""
        path, _, query = request.path.partition('?')
        if path != '/v2.1/servers/detail':
            super().answer_as_cloud(request)
            return
        who = request.headers['X-Auth-Token']
        self.queries.append((who, query))
        found = self.servers[who]
        if found is None:
            request.answer(403)
            return
        marker = dict(parse.parse_qsl(query)).get('marker')
        begin = [each['id'] for each in found].index(marker) + 1 if (
            marker
        ) else 0
        page = {'servers': found[begin:begin + 2]}
        if len(found) > begin + 2:
            page['servers_links'] = [{'rel': 'next', 'href': 'x'}]
        request.answer(
            200, json.dumps(page).encode(), Content_Type='application/json'
        )

    def list_(self):
        """Return zone and name of each orphan."""
        return [(each['Zone'], each['Name']) for each in self.json_of(
            ListOrphans
        )]

    def tag(self, number, attempt=1, build=BUILD, root=None):
        """Return an item's tag."""
        return create_tag(root or self.root, build, number, attempt)

    def test_listed(self):
        """Those of our origin that no item stands for, in both zones."""
        known = self.build(2)['build']['id']
        with self.database.writing() as database:
            first, second = sorted(
                database.query(Item), key=lambda item: item.number
            )
            first.server_id = server(1)['id']
        self.servers['admin'] = [
            server(1), server(2, self.tag(2, build=known)), server(3),
            server(4, self.tag(1)),
            # A copy of the tag of a server whose id is known.
            server(5, self.tag(1, build=known)),
            server(6, self.tag(1, root=base.OTHER_UUID)),
        ]
        self.servers[base.TOKEN] = [
            server(7, self.tag(9), name='x\x1b[2J'), server(8),
            server(9, self.tag(1), status='SOFT_DELETED'),
        ]
        self.assertEqual(
            [('nova', 's4'), ('nova', 's5'), ('one', 'x\ufffd[2J')],
            self.list_(),
        )
        self.assertEqual('', self.warned.getvalue())
        self.assertIn(('admin', 'all_tenants=1'), self.queries)
        self.assertIn((base.TOKEN, ''), self.queries)
        with self.database.writing() as database:
            database.get(Item, second.key).state = 'failed'
        self.assertIn(('nova', 's2'), self.list_())
        self.assertEqual({
            'Zone': 'nova', 'Server ID': server(4)['id'], 'Name': 's4',
            'Status': 'ACTIVE', 'Created At': '2026-01-02T03:04:05Z',
            'Project ID': 'p',
        }, self.json_of(ListOrphans)[1])

    def test_silent(self):
        """A zone that does not answer is a warning, and so is a cell."""
        self.servers['admin'] = [
            server(1, status='UNKNOWN'), server(2, self.tag(1)),
        ]
        self.servers[base.TOKEN] = None
        self.register('two', 'http://127.0.0.1:9', base.UUID)
        self.assertEqual([('nova', 's2')], self.list_())
        for words in (
            'zone nova: not all servers are listed: cell_silent',
            'zone one: not all servers are listed: cloud_silent',
            'zone two: not all servers are listed: silent',
        ):
            self.assertIn(words, self.warned.getvalue())

    def test_below(self):
        """A child zone asks those below it, and none in a circle."""
        self.add_child('two', below='one')
        self.register('root', self.serve_own_zone().url, self.root, 'two')
        self.servers[base.TOKEN] = [server(1, self.tag(1))]
        listed = self.ask(
            '/v1/zones/orphans'
        )
        self.assertEqual([], listed['silent'])
        # All child zones have one cloud here.
        self.assertEqual(2, self.queries.count((base.TOKEN, '')))
        self.assertEqual(
            ['one/two'], [each['zone'] for each in listed['orphans']]
        )

    def test_refused(self):
        """It is for administrators, and the question for parent zones."""
        for path, who in (
            ('/v1/zones/orphans', 'member'),
            (f'/v1/zones/servers?path={base.UUID}', 'member'),
        ):
            self.ask(path, who, 403)
        self.ask('/v1/zones/servers', status=400)
        self.ask(f'/v1/zones/servers?path={self.root}', status=409)
        self.ask('/v1/zones/servers?path=x', status=400)

    def test_hostile(self):
        """What does not fit, or is not ours, is not taken."""
        known = {
            'server_id': server(1)['id'], 'name': 'n', 'status': 'ACTIVE',
            'created_at': '2026-01-02T03:04:05Z', 'project_id': 'p',
            'tag': self.tag(1), 'zone': '',
        }
        answers = [
            {**known, 'tag': self.tag(1, root=base.OTHER_UUID)},
            {**known, 'status': 'a\nb'}, {**known, 'server_id': '../x'},
        ]
        hostile = self.serve(lambda request: request.answer(
            200, json.dumps(
                {'servers': [answers.pop(0)], 'silent': []}
            ).encode()
        ))
        self.register('two', hostile.url, base.UUID, project=OURS)
        self.assertEqual([], self.list_())
        self.assertEqual('', self.warned.getvalue())
        for _ in range(2):
            self.assertEqual([], self.list_())
            self.assertIn('zone two', self.warned.getvalue())
        self.assertEqual([], answers)

    def test_errors(self):
        """It fails in one line."""
        self.manager.scheduler = Client(session.Session(token_endpoint.Token(
            self.serve_own_zone().url, 'reader'
        )), version='1')
        error = self.assertRaises(NovaExtError, self.list_)
        self.assertIn('nova_ext:zone_orphans:get', str(error))
