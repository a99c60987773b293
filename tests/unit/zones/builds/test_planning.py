"""Plan builds over zones, through the API."""

import concurrent.futures
import time
from uuid import UUID, uuid4

import fixtures
from keystoneauth1.fixture import V3Token

from nova_ext.api.http.fair_share import FairShare
from nova_ext.core.base import scheduling_errors as s
from nova_ext.core.rpc.offers import OfferAnswer
from nova_ext.database.database import DatabaseError
from nova_ext.zones.builds import planning, trusts
from nova_ext.zones.tables import builds, items
from nova_ext.zones.tables.models import (
    Build,
    Item,
    PlannedBuild,
    Zone,
)
from tests.unit.api.base import OURS, THEIRS
from tests.unit.zones.offers import base


class BuildsTestCase(base.GatheringTestCase):
    """Have users, whom Keystone lets trust us."""

    def setUp(self):
        """Add tokens with a catalog."""
        super().setUp()
        for name, project, roles in (
            ('member', OURS, ('member', 'reader')),
            ('reader', OURS, ('reader',)),
            ('admin', OURS, ('admin', 'member', 'reader')),
            ('other', THEIRS, ('member', 'reader')),
        ):
            token = V3Token(user_id=f'{name}-id', project_id=project)
            for role in roles:
                token.add_role(name=role)
            self.add_catalog(token)
            self.tokens.add_token(token, name)
        self.trust_error = None
        #: Trusts that were deleted.
        self.ended_trusts = []
        for name, function in (
            ('create_trust', self.create_trust),
            ('delete_trust', self.ended_trusts.append),
        ):
            self.useFixture(base.api_base.fixtures.MonkeyPatch(
                f'nova_ext.zones.builds.trusts.{name}', function
            ))
        self.useFixture(base.api_base.fixtures.MonkeyPatch(
            'nova_ext.zones.builds.planning._WAIT_S', (0.0, 0.1)
        ))

    def create_trust(self, auth, ends_at):
        """Make a trust, as Keystone does for passwords."""
        if self.trust_error:
            raise self.trust_error
        return f'trust of {auth.user.user_id}'

    def build(self, count=2, status=202, who='member', dry_run=False,
              **fields):
        """Create a build, and return it."""
        return self.post('/v1/builds', {'dry_run': dry_run, 'build': {
            **base.BUILD, 'name': 'web', 'count': count, **fields,
        }}, who, status)

    def send(self, method, path='', who='member', status=200):
        """Send a request about builds."""
        return self.ask(
            f'/v1/builds{path}', who, status, method
        )


class CreateTest(BuildsTestCase):
    """POST /v1/builds."""

    def test_created(self):
        """Build and items are there; the cheapest offers alone are held."""
        self.add_child('one', 5, 25)
        build = self.build(2)['build']
        self.assertEqual('building', build['state'])
        self.assertEqual(
            [(1, 'one', 'planned'), (2, 'nova', 'planned')],
            [(each['number'], each['zone'], each['state'])
             for each in build['items']],
        )
        self.assertEqual({'planned': 2}, build['servers'])
        self.assertTrue(build['resumable'])
        with self.database.reading() as session:
            row = session.get(Build, build['id'])
            self.assertEqual('trust of member-id', row.trust_id)
            self.assertEqual([self.zones['one'].uuid], row.items[0].via)
            self.assertEqual(
                {row.items[0].request_id}, self.held('one')
            )
            self.assertEqual(
                {row.items[1].request_id}, self.held('root')
            )
        self.assertNotIn('secret-host', str(build))
        self.assertNotIn(self.zones['one'].scheduler.asked[0].request_ids[0],
                         str(build))

    def test_secrets(self):
        """Answers mask secrets, and what is sent on has them."""
        self.add_child('one', 5)
        hints = {'token': 's3cret', 'query': ['Authorization: Bearer s3cret']}
        build = self.build(1, hints=hints, flavor={
            **base.BUILD['flavor'], 'extra_specs': {'x:password': 's3cret'},
        })['build']
        for answer in (build, self.send('GET', f'/{build["id"]}')['build']):
            self.assertNotIn('s3cret', str(answer))
            self.assertEqual('***', answer['request']['hints']['token'])
        with self.database.reading() as session:
            request = session.get(Build, build['id']).request
            self.assertEqual(hints, request['hints'])
            self.assertEqual(
                {'x:password': 's3cret'}, request['flavor']['extra_specs']
            )

    def test_dry_run(self):
        """It says where servers would be, and holds and writes nothing."""
        self.add_child('one', 5, 25)
        plan = self.build(3, 200, dry_run=True)['plan']
        self.assertEqual(
            ['one', 'nova', 'nova'], [each['zone'] for each in plan['places']]
        )
        self.assertEqual((set(), set()), (
            self.held('root'), self.held('one')
        ))
        self.assertEqual([], self.send('GET')['builds'])
        self.assertEqual(['trust of member-id'], self.ended_trusts)
        self.build(101, 400, dry_run=True)

    def test_short(self):
        """With fewer than the minimum it has failed, and holds nothing."""
        self.add_child('one', 5)
        build = self.build(9)['build']
        self.assertEqual(
            ('failed', [], {}),
            (build['state'], build['items'], build['servers']),
        )
        root, = build['questions']
        self.assertEqual(
            ('no_room', 'no_room'), (
                root['reason'], root['zones'][0]['reason']
            )
        )
        self.assertEqual((set(), set()), (
            self.held('root'), self.held('one')
        ))

    def test_minimum(self):
        """From the minimum on, what there is room for is built."""
        self.add_child('one', 5)
        build = self.build(9, min_count=4)['build']
        self.assertEqual('building', build['state'])
        self.assertEqual({'planned': 4}, build['servers'])
        self.build(2, 400, min_count=3)

    def test_held(self):
        """A build that is told of held room asks again a moment later."""
        first = self.gather(3)
        self.assertEqual('failed', self.build(3)['build']['state'])
        self.assertEqual(planning.TRIES + 1, len(self.backends.fake.asked))
        self.useFixture(base.api_base.fixtures.MonkeyPatch(
            'nova_ext.zones.builds.planning._wait',
            lambda: self.give_back(first.offers),
        ))
        self.assertEqual('building', self.build(3)['build']['state'])

    def test_silent(self):
        """A child zone that was silent is not asked in the next try."""
        self.conf.config(group='nova_ext_zones', offers_time_limit_s=10)
        self.gather(1)
        asked = []

        def hang(request):
            asked.append(request.command)
            request.connection.recv(1)

        self.register('one', self.serve(hang).url, base.zones_base.UUID)
        build = self.build(3)['build']
        self.assertEqual('failed', build['state'])
        self.assertEqual('held', build['questions'][-1]['reason'])
        self.assertEqual(planning.TRIES + 1, len(self.backends.fake.asked))
        self.assertEqual(1, asked.count('POST'))

    def test_many(self):
        """More than a question's slots are asked for in several."""
        self.backends.fake.costs = [*range(1000)]
        self.add_child('one', *range(1000))
        build = self.build(250, who='admin')['build']
        costs = [each['cost'] for each in build['items']]
        self.assertEqual([each // 2 for each in range(250)], costs)
        self.assertEqual([100, 100, 50], [
            len(asked.request_ids) for asked in self.backends.fake.asked
        ])
        self.assertEqual([125, 125], [
            len(self.held(name)) for name in self.zones
        ])

    def test_no_trust(self):
        """The zone's own hosts are left out, and the report says so."""
        self.trust_error = trusts.TrustRefusedError('none for these')
        self.add_child('one', 500, 501)
        plan = self.build(2, 200, dry_run=True)['plan']
        self.assertEqual(['one', 'one'], [
            each['zone'] for each in plan['places']
        ])
        self.assertEqual('no_trust', plan['questions'][0]['reason'])
        build = self.build(2)['build']
        self.assertEqual(['one', 'one'], [
            each['zone'] for each in build['items']
        ])
        self.assertEqual('no_trust', build['questions'][0]['reason'])
        self.assertFalse(build['resumable'])

    def test_keystone_silent(self):
        """No build goes elsewhere because Keystone does not answer."""
        self.add_child('one', 5, 6)
        known = self.build(1)['build']['id']
        held = self.held('one')
        self.trust_error = trusts.KeystoneSilentError('no answer')
        for dry_run in (True, False):
            told, = self.build(1, 503, dry_run=dry_run)['errors']
            self.assertEqual('scheduler.identity_silent', told['code'])
        self.send('POST', f'/{known}/resume', status=503)
        self.assertEqual(held, self.held('one'))

    def test_keystone_hangs(self):
        """Trusts that are asked for hold few threads."""
        known = self.build(1)['build']['id']
        with fixtures.MonkeyPatch(
            'nova_ext.zones.api.handlers.builds.TRUSTS', FairShare(1, 0)
        ):
            told, = self.send(
                'POST', f'/{known}/resume', status=503
            )['errors']
            self.assertEqual('scheduler.busy', told['code'])
            self.build(1, 503)
            self.send('GET', f'/{known}')
        self.send('POST', f'/{known}/resume', status=202)

    def test_no_time(self):
        """When its time is over, a build takes what it has, if enough."""
        self.backends.fake.costs = [*range(300)]
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.builds.planning.SHORTEST_S', 60.0
        ))
        build = self.build(250, min_count=100)['build']
        self.assertEqual(('building', {'planned': 100}, ''), (
            build['state'], build['servers'], build['message']
        ))
        short = self.build(250)['build']
        self.assertEqual(('failed', {}), (short['state'], short['servers']))
        self.assertIn('offers for 100 of 250 servers', short['message'])
        self.assertIn('no time to ask for more', short['message'])
        self.assertEqual(100, len(self.held('root')))

    def test_long_report(self):
        """What does not fit into the database is left out."""
        self.add_child('one', 5)
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.builds.planning.MAX_REPORT', 100
        ))
        build = self.build(1)['build']
        root, = self.send('GET', f'/{build["id"]}')['build']['questions']
        self.assertEqual([], root['zones'])

    def test_interrupted(self):
        """A build that has to wait makes no trust."""
        for index in range(2):
            share = FairShare(1, index)
            with fixtures.MonkeyPatch(
                'nova_ext.zones.api.handlers.builds.SHARE', share
            ):
                self.build(status=503 if not index else 202)
        self.assertEqual([], self.ended_trusts)

    def test_database_amid(self):
        """Where the database fails amid planning, all is given back."""
        self.backends.fake.costs = [*range(300)]
        self.add_child('one', *range(300))
        make_offers = self.backends.fake.make_offers

        def fail_late(context, question):
            if self.backends.fake.asked:
                raise DatabaseError('locked')
            return make_offers(context, question)

        self.backends.fake.make_offers = fail_late
        self.build(250, status=503)
        self.assertEqual(['trust of member-id'], self.ended_trusts)
        self.assertEqual(2, len(self.zones['one'].scheduler.asked))
        self.assertEqual((set(), set()), (
            self.held('root'), self.held('one')
        ))

    def test_database_after(self):
        """Where the build can't be stored, all is given back, too."""
        self.add_child('one', 5)

        def fail(session, build):
            raise DatabaseError('locked')

        with fixtures.MonkeyPatch(
            'nova_ext.zones.tables.builds.add', fail
        ):
            self.build(2, status=503)
        self.assertEqual(['trust of member-id'], self.ended_trusts)
        self.assertEqual((set(), set()), (
            self.held('root'), self.held('one')
        ))
        with self.database.reading() as session:
            self.assertEqual(0, session.query(PlannedBuild).count())

    def test_busy(self):
        """A zone that is busy is asked again a moment later."""
        self.backends.fake.error = s.BusyError('others ask')

        def end_others():
            self.backends.fake.error = None

        self.useFixture(base.api_base.fixtures.MonkeyPatch(
            'nova_ext.zones.builds.planning._wait', end_others
        ))
        self.assertEqual('building', self.build(3)['build']['state'])

    def test_hostile(self):
        """Lists that are far too long are refused at once."""
        for status, fields in (
            # Elements of two types can't be sorted to compare them.
            (400, {'networks': [*range(10_000), 'a']}),
            (413, {'hints': {'x': [0] * 200_000}}),
            (413, {'constraints': [None] * 200_000}),
        ):
            with self.subTest([*fields]):
                began = time.monotonic()
                self.build(status=status, **fields)
                self.assertLess(time.monotonic() - began, 30)

    def test_refused(self):
        """Whatever means nothing in other zones is refused in one line."""
        for fields in (
            {'user_data': 'x'}, {'networks': [{'port': 'p'}]},
            {'block_device_mapping_v2': []}, {'hints': {'group': 'g'}},
            {'hints': {'nova_ext_offer': 'x'}}, {'count': 0},
            {'hints': {'a': base.zones_base.UUID}},
            {'count': 1001}, {'availability_zone': 'nova:host'},
            {'constraints': ['kvm']}, {'owner': 'me'},
            {'metadata': {'nova_ext_owner': 'x'}},
            {'flavor': {**base.BUILD['flavor'], 'flavorid': '1'}},
            {'name': 'half \ud800'}, {'metadata': {'a': '\udc00'}},
        ):
            with self.subTest(fields):
                error, = self.build(status=400, **fields)['errors']
                self.assertNotIn('\n', error['detail'])
        self.assertEqual([], self.backends.fake.asked)


class ReadTest(BuildsTestCase):
    """Other requests."""

    def test_personas(self):
        """Members create, readers read, other projects see nothing."""
        self.build(who='reader', status=403)
        build = self.build(1)['build']['id']
        self.assertEqual(build, self.send('GET', who='reader')[
            'builds'
        ][0]['id'])
        self.send('GET', f'/{build}', 'reader')
        self.send('DELETE', f'/{build}', 'reader', 403)
        self.assertEqual([], self.send('GET', who='other')['builds'])
        for method, path, in (
            ('GET', ''), ('DELETE', ''), ('POST', '/resume')
        ):
            self.send(method, f'/{build}{path}', 'other', 404)

    def test_deleted(self):
        """It is marked for the builder; without items it is gone."""
        build = self.build(1)['build']['id']
        self.send('DELETE', f'/{build}', status=204)
        self.assertEqual(
            'deleting', self.send('GET', f'/{build}')['build']['state']
        )
        failed = self.build(9)['build']['id']
        self.send('DELETE', f'/{failed}', status=204)
        self.assertEqual(
            'deleted', self.send('GET', f'/{failed}')['build']['state']
        )

    def test_trust_ended(self):
        """A builder that ends the trust meanwhile leaves none behind."""
        build = self.build(1)['build']['id']
        change_build = builds.change
        steps = [{'state': 'active', 'trust_id': None}]

        def be_late(session, uuid, *args, **values):
            if steps:
                session.query(Build).update(steps.pop())
                session.commit()
            return change_build(session, uuid, *args, **values)

        with fixtures.MonkeyPatch(
            'nova_ext.zones.tables.builds.change', be_late
        ):
            self.send('DELETE', f'/{build}', 'admin', 204)
        self.assertEqual(('deleting', 'trust of admin-id'), self.read(build))
        self.assertEqual([], self.ended_trusts)

    def test_trust_expires(self):
        """A build whose time is over is deleted with another trust."""
        build = self.build(1)['build']['id']
        with self.database.writing() as session:
            session.query(Build).update({
                'state': 'active', 'ends_at': int(time.time()) - 1,
            })
        self.send('DELETE', f'/{build}', 'admin', 204)
        self.assertEqual(('deleting', 'trust of admin-id'), self.read(build))

    def test_deleted_twice(self):
        """The second request makes no trust; nor does a lost race."""
        build = self.build(1)['build']['id']
        self.send('DELETE', f'/{build}', status=204)
        with self.database.writing() as session:
            session.query(Build).update({'trust_id': None})
        self.trust_error = trusts.TrustRefusedError('none more')
        self.send('DELETE', f'/{build}', status=204)
        self.trust_error = None
        with self.database.writing() as session:
            session.query(Build).update({'state': 'active'})
        with fixtures.MonkeyPatch(
            'nova_ext.zones.tables.builds.change',
            self.end_first,
        ):
            self.send('DELETE', f'/{build}', status=204)
            self.assertEqual(['trust of member-id'], self.ended_trusts)
            with self.database.writing() as session:
                session.query(Build).update({'state': 'building'})
            self.send('POST', f'/{build}/resume', status=409)
        self.assertEqual(['trust of member-id'] * 2, self.ended_trusts)

    @staticmethod
    def end_first(session, uuid, *args, **values):
        """Have another request delete the build meanwhile."""
        session.rollback()
        session.query(Build).update({'state': 'deleted'})
        session.commit()
        return False

    def read(self, build):
        """Return the state and the trust of a build."""
        with self.database.reading() as session:
            row = session.get(Build, build)
            return row.state, row.trust_id

    def test_pages(self):
        """A list goes on behind its last build."""
        names = [self.build(1, name=name)['build']['name'] for name in 'abc']
        first, = self.send('GET', '?limit=1')['builds']
        rest = self.send('GET', f'?marker={first["id"]}')['builds']
        self.assertEqual(names[::-1], [
            first['name'], *(each['name'] for each in rest)
        ])
        # It may have been purged meanwhile.
        error = self.send('GET', f'?marker={uuid4()}', status=400)
        self.assertIn('is no build of yours', str(error))

    def test_resumed(self):
        """Its trust is of who resumed it; one that is over is refused."""
        build = self.build(1)['build']['id']
        self.send('POST', f'/{build}/resume', 'admin', 202)
        with self.database.reading() as session:
            self.assertEqual(
                'trust of admin-id', session.get(Build, build).trust_id
            )
        self.assertEqual([], self.ended_trusts)
        self.trust_error = trusts.TrustRefusedError('not asked')
        failed = self.build(9)['build']['id']
        error, = self.send('POST', f'/{failed}/resume', status=409)['errors']
        self.assertIn('the build is over', error['detail'])

    def test_errors(self):
        """What went wrong with a zone is for who may see zones."""
        child = self.serve_answer(503, b'busy')
        self.register('one', child.url, base.zones_base.UUID)
        build = self.build(1)['build']
        self.assertNotIn('it answers 503', str(build))
        self.assertIn('it answers 503', str(self.send(
            'GET', f'/{build["id"]}', 'admin'
        )))

    def test_untrusted_codes(self):
        """What a child zone lacks is for members in known words alone."""
        self.add_child('one', 5)
        self.add_child('two', below='one')
        lacking = {
            'resource:VCPU': 1, 'filter:ComputeFilter': 2,
            'filter:cmp-7.secret': 3, 'resource:CUSTOM_HOST_9': 4,
        }
        self.useFixture(fixtures.MonkeyPatch(
            'tests.unit.zones.offers.base.OfferAnswer',
            lambda slots, reasons, until: OfferAnswer(slots, lacking, until),
        ))
        build = self.build(9)['build']
        (root,) = build['questions']
        # The zone's own are those of its schedulers.
        self.assertEqual(lacking, root['lacking'])
        self.assertEqual(
            {'resource:VCPU': 1, 'filter:ComputeFilter': 2, 'other': 7},
            root['zones'][0]['zones'][0]['lacking'],
        )
        plan = self.build(9, 200, dry_run=True)['plan']
        self.assertEqual(build['questions'][0]['zones'], plan['questions'][
            0
        ]['zones'])
        (root,) = self.send('GET', f'/{build["id"]}', 'admin')['build'][
            'questions'
        ]
        # What the child zone answers is not folded: its parent does that.
        self.assertEqual(lacking, root['zones'][0]['zones'][0]['lacking'])

    def test_zone_deleted(self):
        """A zone with servers of builds is deleted by force alone."""
        self.add_child('one', 1)
        self.build(1)
        path = '/v1/zones/1'
        error, = self.ask(
            path, 'admin', 409, 'DELETE'
        )['errors']
        self.assertIn('1 servers of builds', error['detail'])
        # Another that a parent zone has sent through this one.
        with self.database.writing() as session:
            uuid = session.get(Zone, 1).uuid
            items.add(session, Item(
                key=str(UUID(int=1)), build=str(UUID(int=2)),
                child_uuid=uuid, state='sent',
            ))
        error, = self.ask(
            path, 'admin', 409, 'DELETE'
        )['errors']
        self.assertIn('2 servers of builds', error['detail'])
        left = self.ask(
            f'{path}?force=true', 'admin', 200, 'DELETE'
        )['left']
        self.assertEqual(
            [('one', 'planned', None), (None, 'sent', None)],
            [(each['zone'], each['state'], each['server_id'])
             for each in left],
        )
        self.assertEqual(str(UUID(int=2)), left[1]['build_id'])
        self.add_child('one', 1)
        self.ask(
            '/v1/zones/1?force=true', 'admin', 200, 'DELETE',
        )

    def test_ends(self):
        """A build has the time that the option says."""
        self.conf.config(group='nova_ext_builds', build_timeout_s=100)
        build = self.build(1)['build']['id']
        with self.database.reading() as session:
            self.assertLessEqual(
                session.get(Build, build).ends_at, time.time() + 100
            )


class AtOnceTest(BuildsTestCase):
    """Two builds at once, over two zones with room for six servers."""

    def setUp(self):
        """Give each zone half of the room; wait between two tries."""
        super().setUp()
        self.add_child('one', 10, 20, 30)
        self.useFixture(base.api_base.fixtures.MonkeyPatch(
            'nova_ext.zones.builds.planning._WAIT_S', (0.1, 2.0)
        ))
        # By chance both may begin a try together, and refuse each other.
        self.useFixture(base.api_base.fixtures.MonkeyPatch(
            'nova_ext.zones.builds.planning.TRIES', 20
        ))
        self.conf.config(group='nova_ext_builds', plan_limit_s=3600)

    def build_twice(self, count, **fields):
        """Return both builds."""

        def build(_):
            response = self.client.open(
                '/v1/builds', method='POST',
                headers={'X-Auth-Token': 'member'},
                json={'build': {
                    **base.BUILD, 'name': 'web', 'count': count, **fields,
                }},
            )
            return response.get_json()['build']

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            both = [pool.submit(build, None) for _ in range(2)]
            concurrent.futures.wait(
                both, return_when=concurrent.futures.FIRST_COMPLETED
            )
            # Nobody is in the other's way any more.
            self.useFixture(base.api_base.fixtures.MonkeyPatch(
                'nova_ext.zones.builds.planning._WAIT_S', (0.0, 0.0)
            ))
            return [each.result() for each in both]

    def test_room_for_both(self):
        """Neither fails."""
        self.assertEqual(['building'] * 2, [
            each['state'] for each in self.build_twice(3)
        ])

    def test_room_for_one(self):
        """One of them goes on, and no room is planned twice."""
        builds = self.build_twice(6)
        self.assertEqual(1, sum(
            each['state'] == 'building' for each in builds
        ))
        self.assertEqual(6, sum(len(each['items']) for each in builds))

    def test_shared(self):
        """What there is room for is built, no matter by which."""
        builds = self.build_twice(6, min_count=1)
        self.assertEqual(6, sum(len(each['items']) for each in builds))
        self.assertEqual(6, sum(len(self.held(name)) for name in self.zones))
