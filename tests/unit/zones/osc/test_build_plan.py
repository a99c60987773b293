"""Run openstack scheduler build plan … in this process."""

import json
import types

import fixtures
from keystoneauth1 import session, token_endpoint

from nova_ext.cli.api_client import Client
from nova_ext.core.base.errors import NovaExtError
from nova_ext.zones.builds.trusts import TrustRefusedError
from nova_ext.zones.osc import build_plan, zone
from nova_ext.zones.tables.models import Build, Item
from tests.unit.osc import base
from tests.unit.zones.builds import test_planning

CREATE = ('web', '--flavor', 'big', '--image', 'cirros', '--network', 'none')


class _Image(base.Cloud):
    """Show an image with its hash."""

    @property
    def image(self):
        """Return the image API."""
        return types.SimpleNamespace(
            find_image=lambda name, ignore_missing: types.SimpleNamespace(
                id='i-1', name='cirros', hash_value='abc'
            )
        )


class BuildPlanTest(test_planning.BuildsTestCase):
    """Build over a root zone and one child."""

    def setUp(self):
        """Have the user's cloud and the zones' be alike."""
        super().setUp()
        self.manager = types.SimpleNamespace(
            scheduler=Client(session.Session(token_endpoint.Token(
                self.serve_own_zone().url, 'admin'
            )), version='1'), sdk_connection=_Image(),
        )
        self.flavors[:] = [{**base.FLAVOR, 'id': '9'}]
        self.add_child('one', 5, 25)

    run_command = base.CommandTestCase.run_command
    json_of = base.CommandTestCase.json_of

    def create(self, *words):
        """Return what a build is shown as."""
        return self.json_of(build_plan.CreateBuildPlan, *CREATE, *words)

    def test_created(self):
        """It is a table of places, and a tree of zones."""
        told = self.run_command(
            build_plan.CreateBuildPlan, *CREATE, '--count', '2'
        )
        self.assertIn('web: building; servers: 2 planned', told)
        self.assertRegex(told, r'\| +1 \| one +\| +5 \| planned')
        self.assertIn('  nova: 2 offers\n    one: 2 offers', told)
        listed, = self.json_of(build_plan.ListBuildPlans)
        self.assertEqual(
            ('web', 'building', {'planned': 2}),
            (listed['Name'], listed['State'], listed['Servers']),
        )
        self.assertIn(
            '| 2 planned |', self.run_command(build_plan.ListBuildPlans)
        )
        shown = self.json_of(build_plan.ShowBuildPlan, 'web')
        self.assertEqual(listed['ID'], shown['id'])

    def test_image_property(self):
        """Each zone finds the image by its properties."""
        words = (
            'web', '--flavor', 'big', '--network', 'none',
            '--image-property', 'hw_disk_bus=virtio',
        )
        build = self.json_of(build_plan.CreateBuildPlan, *words)
        self.assertEqual(
            {'properties': {'hw_disk_bus': 'virtio'}},
            build['request']['image'],
        )
        self.assertEqual(['one'], [item['zone'] for item in build['items']])
        error = self.assertRaises(
            NovaExtError, self.run_command, build_plan.CreateBuildPlan,
            *words, '--image-property', 'os_distro=none',
        )
        self.assertIn('no_image', str(error))

    def test_not_resumable(self):
        """A build for which Keystone makes no trust says so."""
        self.trust_error = TrustRefusedError('none for these')
        told = self.run_command(build_plan.CreateBuildPlan, *CREATE)
        self.assertIn('not resumable: ', told)
        self.assertIn('nova: 0 offers; no_trust', told)
        self.trust_error = None
        build = self.json_of(build_plan.ShowBuildPlan, 'web')['id']
        self.run_command(build_plan.ResumeBuildPlan, build)
        self.assertNotIn('not resumable', self.run_command(
            build_plan.ShowBuildPlan, 'web'
        ))

    def test_same_name(self):
        """Of builds with one name that is meant which is not over."""
        first = self.create()['id']
        self.run_command(build_plan.DeleteBuildPlan, first)
        with self.database.writing() as session:
            session.query(Build).update({'state': 'deleted'})
        self.assertRaises(NovaExtError, self.create, '--count', '9')
        second = self.create()['id']
        self.assertEqual(second, self.json_of(
            build_plan.ShowBuildPlan, 'web'
        )['id'])
        self.create()
        error = self.assertRaises(
            NovaExtError, self.run_command, build_plan.ShowBuildPlan, 'web'
        )
        self.assertIn('2 builds have the name web: use an ID', str(error))
        with self.database.writing() as session:
            session.query(Build).update({'state': 'deleted'})
        newest = self.json_of(build_plan.ListBuildPlans)[0]['ID']
        self.assertEqual(newest, self.json_of(
            build_plan.ShowBuildPlan, 'web'
        )['id'])

    def test_dry_run(self):
        """It says where servers would be, and what keeps others out."""
        told = self.run_command(
            build_plan.CreateBuildPlan, *CREATE, '--count', '9', '--dry-run'
        )
        self.assertIn(
            '5 of 9 servers would find room; the build would fail, as it '
            'needs 9: take a smaller --min, or see below what each zone '
            'lacks\n', told,
        )
        self.assertIn(
            'one: 2 offers; no_room; hosts: 1 resource:VCPU', told
        )
        self.assertEqual(1, self.status)
        self.assertEqual([], self.json_of(build_plan.ListBuildPlans))
        self.assertIn('5 of 9 servers would find room\n', self.run_command(
            build_plan.CreateBuildPlan, *CREATE, '--count', '9', '--min', '5',
            '--dry-run',
        ))
        self.assertEqual(0, self.status)

    def test_failed(self):
        """A build without room is an error, which show repeats."""
        error = self.assertRaises(
            NovaExtError, self.create, '--count', '9'
        )
        self.assertIn('offers for 5 of 9 servers', str(error))
        self.assertIn('one: 2 offers; no_room', str(error))
        self.assertIn('1 resource:VCPU', self.run_command(
            build_plan.ShowBuildPlan, 'web'
        ))

    def test_deleted(self):
        """It is deleted by name."""
        number = self.create()['id']
        self.run_command(build_plan.DeleteBuildPlan, 'web')
        self.assertEqual('deleting', self.json_of(
            build_plan.ShowBuildPlan, number
        )['state'])

    def work(self, *steps):
        """Change the build at each look that a command takes."""
        left = list(steps)

        def change(_):
            values, state = left.pop(0)
            with self.database.writing() as session:
                session.query(Build).update({'updated_at': '', **values})
                session.query(Item).update({'state': state})

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.osc.build_plan.time',
            types.SimpleNamespace(sleep=change),
        ))
        return left

    def test_waited_for(self):
        """It is followed until it is over, with what changes."""
        steps = self.work(
            ({}, 'sent'), ({}, 'sent'), (
                {'state': 'active', 'message': '2 of 2 servers are ACTIVE'},
                'active',
            ),
        )
        shown = self.create('--count', '2', '--wait')
        self.assertEqual([], steps)
        self.assertEqual(
            ('active', {'active': 2}), (shown['state'], shown['servers'])
        )
        self.assertEqual(
            'web: building; servers: 2 planned\n'
            'web: building; servers: 2 sent\n', self.warned.getvalue(),
        )
        steps = self.work(
            ({'message': 'one is left'}, 'undo'),
            ({'state': 'deleted', 'message': ''}, 'gone'),
        )
        self.assertEqual('', self.run_command(
            build_plan.DeleteBuildPlan, 'web', '--wait'
        ))
        self.assertEqual([], steps)
        self.assertIn(
            'web: deleting: one is left; servers: 2 undo\n',
            self.warned.getvalue(),
        )
        # It is over.
        self.assertEqual('deleted', self.json_of(
            build_plan.ShowBuildPlan, 'web', '--wait'
        )['state'])

    def test_waited_in_vain(self):
        """A build that fails meanwhile is an error, with its message."""
        self.work((
            {'state': 'failed', 'message': '0 of 1 servers are ACTIVE'},
            'failed',
        ))
        error = self.assertRaises(NovaExtError, self.create, '--wait')
        self.assertIn('web: failed: 0 of 1 servers', str(error))

    def test_deleted_meanwhile(self):
        """A build that is deleted while it is waited for is an error."""
        self.work(({'state': 'deleted', 'message': ''}, 'gone'))
        error = self.assertRaises(NovaExtError, self.create, '--wait')
        self.assertIn('it was deleted meanwhile', str(error))

    def test_values(self):
        """A hint may have several values, and no least number is 0."""
        build = self.create(
            '--hint', 'rack=a', '--hint', 'rack=b', '--hint', 'one=1',
        )
        self.assertEqual(
            {'rack': ['a', 'b'], 'one': '1'},
            build['request']['hints'],
        )
        error = self.assertRaises(NovaExtError, self.create, '--min', '0')
        self.assertIn('min_count', str(error))

    def test_resumed(self):
        """It goes on in the name of who resumes it; not when it is over."""
        self.trust_error = TrustRefusedError('Keystone makes no trust')
        number = self.create()['id']
        self.trust_error = None
        self.assertFalse(
            self.json_of(build_plan.ShowBuildPlan, number)['resumable']
        )
        self.run_command(build_plan.ResumeBuildPlan, 'web')
        self.assertTrue(
            self.json_of(build_plan.ShowBuildPlan, number)['resumable']
        )
        with self.database.writing() as session:
            session.query(Build).update({'state': 'active'})
        error = self.assertRaises(
            NovaExtError, self.run_command, build_plan.ResumeBuildPlan, 'web'
        )
        self.assertIn('the build is over', str(error))

    def test_refused(self):
        """Offers that were refused when they were taken are listed."""
        self.create('--count', '5')
        with self.database.writing() as session:
            for item in session.query(Item):
                item.updated_at = f'at {item.number}'
                item.state, item.reason, item.zone = {
                    1: ('failed', 'quota', item.zone),
                    2: ('gone', 'server_error', item.zone),
                    3: ('gone', 'deleted', item.zone),
                    4: ('failed', 'quota,no_offer', ''),
                    5: ('active', '', item.zone),
                }[item.number]
        told = self.run_command(build_plan.ShowBuildPlan, 'web')
        self.assertIn('one: 2 offers', told)
        self.assertTrue(told.endswith(
            'Offers that were taken, and refused:\n'
            '  at 1: zone one: server 1, attempt 1, cost 5: quota\n'
            '  at 2: zone nova: server 2, attempt 1, cost 10: server_error\n'
        ), told)

    def test_zone_deleted(self):
        """By force, with a line for each server that is left."""
        number = self.create()['id']
        error = self.assertRaises(
            NovaExtError, self.run_command, zone.DeleteZone, 'one'
        )
        self.assertIn('1 servers of builds', str(error))
        self.assertEqual(
            f'left in zone one: server without an id of build {number}, '
            f'planned\n', self.run_command(zone.DeleteZone, '--force', 'one'),
        )
        self.assertEqual([], self.json_of(zone.ListZones))

    def test_two(self):
        """Of two with one name none is taken."""
        self.create()
        self.create()
        error = self.assertRaises(
            NovaExtError, self.run_command, build_plan.ShowBuildPlan, 'web'
        )
        self.assertIn('2 builds have the name web', str(error))
        self.assertRaises(
            NovaExtError, self.run_command, build_plan.ShowBuildPlan, 'db'
        )

    def test_projects(self):
        """A zone shows the projects that it serves."""
        ours = test_planning.OURS
        self.run_command(
            zone.SetZone, 'one', '--project', 'p1=cloud1', '--no-project',
            ours,
        )
        shown = self.json_of(zone.ShowZone, 'one')
        self.assertEqual({'p1': 'cloud1'}, shown['projects'])
        plan = self.create('--dry-run')
        told, = plan['questions'][0]['zones']
        self.assertEqual('no_project', told['reason'])
        self.assertIn('"no_project"', json.dumps(plan))
