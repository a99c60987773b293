"""A leaf zone that takes connections, and answers no more.

The middle zone has hosts, too. What the leaf does not answer holds up none of
the servers there, and nothing is lost when it answers again.
"""

import json
import time

import fixtures
from keystoneauth1.fixture import V3Token
from keystoneauth1.identity import v3
from werkzeug import Request, Response

from nova_ext.zones.builds.build_user import open_users
from nova_ext.zones.tables import builds
from tests.faults.proxy import FaultyProxy
from tests.faults.zone_chain import ITEMS, OFFERS, ChainTestCase
from tests.functional_rpc.test_builds import BuildsTestCase
from tests.functional_rpc.zone_clouds import HeadersPlugin

#: Servers of a build: of as many, some are in each of the two zones.
COUNT = 4
#: Seconds for which the builder waits for a look.
LOOK_S = 12.0


class HangsTest(ChainTestCase):
    """The leaf hangs, for one kind of request."""

    middle_has_hosts = True

    def setUp(self):
        """Shorten the time limits."""
        super().setUp()
        self.flags(group='nova_ext_builds', send_limit_s=8)
        # It has read its options.
        self.builder.leave()
        self.builder.start()
        for name, seconds in (
            ('items.child_items.LOOK_S', LOOK_S), ('child.HUNG_S', 2.0),
        ):
            self.useFixture(fixtures.MonkeyPatch(
                f'nova_ext.zones.{name}', seconds
            ))

    def post_two(self):
        """Ask for a build that has servers in both zones; return it."""
        build = self.post(COUNT)
        self.assertEqual({'middle', 'middle/leaf'}, {
            item['zone'] for item in build['items']
        })
        return build

    def states(self, build, zone):
        """Return the states of a build's items in a zone."""
        return {
            item['state'] for item in self.show(build)['items']
            if item['zone'] == zone
        }

    def check(self, method, path, state):
        """Have the leaf hang while a build is carried out.

        :param state: of the leaf's items meanwhile.
        :returns: the build.
        """
        build = self.post_two()
        fault = self.to_leaf.hang(method, path)
        self.until(
            lambda: self.states(build, 'middle') == {'active'}
            and fault.happened.is_set(), 'the servers of the middle zone',
        )
        self.assertEqual({state}, self.states(build, 'middle/leaf'))
        return build

    def test_look(self):
        """Servers that are not seen when the time is over are not deleted."""
        build = self.check('GET', ITEMS, 'sent')
        with self.database.writing() as session:
            builds.change(
                session, build['id'], ('building',),
                ends_at=int(time.time()),
            )
        self.builder.look_now()
        self.until(
            lambda: not self.builder.is_looking(), 'a look after its time'
        )
        self.assertEqual({'sent'}, self.states(build, 'middle/leaf'))
        self.go_on(build)

    def test_send(self):
        """Items that were not answered are put again, and not doubled."""
        self.go_on(self.check('PUT', f'{ITEMS}/', 'unknown'))

    def go_on(self, build):
        """Let the leaf answer: all servers are ACTIVE, each once."""
        self.to_leaf.clear()
        self.builder.look_now()
        self.follow(build, 'active')
        shown = self.judge(build, COUNT)
        self.assertEqual({1}, {item['attempt'] for item in shown['items']})
        self.clear_away(build)

    def test_undo(self):
        """The others are deleted meanwhile."""
        build = self.post_two()
        self.follow(build, 'active')
        fault = self.to_leaf.hang('DELETE', f'{ITEMS}/')
        self.delete(build)
        self.until(
            lambda: self.states(build, 'middle') == {'gone'}
            and fault.happened.is_set(), 'the servers of the middle zone',
        )
        self.assertEqual({'undo'}, self.states(build, 'middle/leaf'))
        self.to_leaf.clear()
        self.builder.look_now()
        self.judge_deleted(self.follow(build, 'deleted'))

    def test_gather(self):
        """All servers are in the zones that answer."""
        self.to_leaf.hang('POST', OFFERS)
        build = self.post(COUNT)
        self.assertEqual(
            ['middle'] * COUNT, [item['zone'] for item in build['items']]
        )
        self.follow(build, 'active')
        self.judge(build, COUNT)
        self.to_leaf.clear()
        self.clear_away(build)


class _TrustPlugin(v3.Password):
    """Need a token, which Nova's fixtures don't know."""

    def __init__(self, keystone_url, headers):
        super().__init__(f'{keystone_url}/v3', 'nova-ext', 'secret')
        self._headers = headers

    def get_headers(self, session, **kwargs):
        """Return headers in place of a token, once there is one."""
        self.get_token(session)
        return self._headers.get_headers(session)

    def get_endpoint(self, session, **kwargs):
        """Return the URL of a service."""
        return self._headers.get_endpoint(session, **kwargs)


class KeystoneHangsTest(BuildsTestCase):
    """A zone whose Keystone hangs, with hosts and a child zone."""

    def setUp(self):
        """Start Keystone."""
        super().setUp()
        self.to_keystone = FaultyProxy(self, self.serve(self.give_token))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.builds.trusts._load_auth',
            lambda trust: _TrustPlugin(self.to_keystone.url, HeadersPlugin(
                self.me.project_id, self.endpoints
            )),
        ))

    @staticmethod
    @Request.application
    def give_token(request):
        """Answer as Keystone does."""
        return Response(
            json.dumps(V3Token()), status=201, mimetype='application/json',
            headers={'X-Subject-Token': 'token'},
        )

    def test_child_goes_on(self):
        """Servers of the child zone come, then those of the zone itself."""
        build = self.plan(own=COUNT, child=COUNT)
        fault = self.to_keystone.hang('POST', '/v3/auth/tokens')
        builder = self.make_builder(get_user=open_users(
            self.database, self.children, lambda: self.program
        ))

        def list_states(zone):
            return {
                item.state for item in self.read(build)[1] if item.zone == zone
            }

        self.wait_for(
            lambda: builder.tick() or all((
                fault.happened.is_set(), list_states('child') == {'active'},
                self.read(build)[0].message == (
                    f'{COUNT} wait for zone nova: its Keystone does not answer'
                ),
            )), 'the servers of the child zone',
        )
        self.assertEqual({'planned'}, list_states('nova'))
        self.to_keystone.clear()
        shown, items = self.work(builder, build, 'active')
        self.assertEqual(
            f'{COUNT * 2} of {COUNT * 2} servers are ACTIVE', shown.message
        )
        self.assertEqual(
            {item.server_id for item in items}, self.list_servers().keys()
        )
