"""Claims of servers that Nova gave up, left by a scheduler that was killed."""

import contextlib
import datetime
import threading

import fixtures
import oslo_messaging
import sqlalchemy as sa
from nova import context as nova_context
from nova import objects
from nova.db.main import api as db_api
from nova.db.main import models
from nova.scheduler.client import query, report
from oslo_utils import timeutils
from testtools import testcase

from nova_ext.scheduler.orphaned_allocations import cell0_servers, releaser
from tests.functional import base, patience

OTHER_CONSUMER = '11111111-2222-3333-4444-555555555555'


class OrphanedAllocationsTest(base.CloudTestCase):
    """Real claims, made by a scheduler whose answer does not arrive."""

    hosts = ('cmp-1',)

    def setUp(self):
        """Have it release only when a test says so."""
        super().setUp()
        self.provider = self._get_provider_uuid_by_host('cmp-1')
        self.cell0 = objects.CellMapping.get_by_uuid(
            nova_context.get_admin_context(), objects.CellMapping.CELL0_UUID
        )

    def test_killed_scheduler(self):
        """What a server in ERROR holds is released, and its room used."""
        log = self.request_log()
        (server,) = self.boot_and_kill()
        claimed = self.holds(server['id'])
        self.assertEqual(1, claimed['VCPU'])
        self.assertEqual([server['id']], self.release())
        self.assertEqual({}, self.holds(server['id']))
        (line,) = (
            line for line in log.output.splitlines() if 'Released the' in line
        )
        self.assertIn('WARNING', line)
        self.assertIn(f'server {server["id"]}', line)
        self.assertIn('1 VCPU on cmp-1', line)
        self.assertEqual([], self.release())
        self.api.delete_server(server['id'])
        self._wait_until_deleted(server)

    def test_several(self):
        """All servers of a request are released, and no other's room."""
        kept = self.boot()
        servers = self.boot_and_kill(3)
        self.claim_behind(OTHER_CONSUMER)
        failed = self.boot()
        self.admin_api.post_server_action(
            failed['id'], {'os-resetState': {'state': 'error'}}
        )
        self.assertEqual(
            {server['id'] for server in servers}, set(self.release())
        )
        for uuid in (kept['id'], failed['id'], OTHER_CONSUMER):
            self.assertEqual(1, self.holds(uuid)['VCPU'])

    @testcase.attr('slow')
    def test_deleted_meanwhile(self):
        """A server that its user deleted while it was scheduled is, too."""
        server, go_on = self.boot_and_hold()
        self.api.delete_server(server['id'])
        self._wait_until_deleted(server)
        self.assertEqual({}, self.holds(server['id']))
        self.claim_behind(server['id'])
        self.assertEqual([], self.release())
        go_on(killed=True)
        self.wait_for(
            lambda: self.find_buried(server['id']), 'the server in cell0'
        )
        self.assertEqual([server['id']], self.release())
        self.assertEqual({}, self.holds(server['id']))

    def test_in_flight(self):
        """What a request holds whose answer is awaited stays."""
        server, go_on = self.boot_and_hold()
        self.assertEqual(1, self.holds(server['id'])['VCPU'])
        self.assertEqual([], self.release())
        go_on()
        self._wait_for_state_change(server, 'ACTIVE')
        self.assertEqual(1, self.holds(server['id'])['VCPU'])

    @testcase.attr('slow')
    def test_half_buried(self):
        """A server that Nova's conductor has not done with stays."""
        seen = []
        destroy = objects.BuildRequest.destroy

        def look_first(request):
            seen.append((
                self.find_buried(request.instance_uuid), self.release(),
            ))
            destroy(request)

        with fixtures.MockPatchObject(
            objects.BuildRequest, 'destroy', look_first
        ):
            (server,) = self.boot_and_kill()
            self.wait_for(lambda: seen, 'the end of the build request')
        self.assertEqual([(True, [])], seen)
        self.assertEqual([server['id']], self.release())

    def test_migration(self):
        """A server that a cell knows stays, whatever else is in cell0."""
        self.start_host('cmp-2')
        server = self.boot()
        self.act(server, 'migrate')
        self._wait_for_state_change(server, 'VERIFY_RESIZE')
        self.bury_copy(server)
        before = self.holds(server['id'])
        self.assertTrue(before)
        self.assertEqual([], self.release())
        self.assertEqual(before, self.holds(server['id']))

    @testcase.attr('slow')
    def test_silent_cell(self):
        """Nothing is released while a cell does not answer."""
        (server,) = self.boot_and_kill()
        with fixtures.MockPatchObject(
            cell0_servers.cells, 'gather', lambda *args: {'cell1': None}
        ):
            self.assertEqual([], self.release())
        self.assertEqual([server['id']], self.release())

    @testcase.attr('slow')
    def test_task(self):
        """A server with a task stays; so does one that has a host."""
        (server,) = self.boot_and_kill()
        for values in ({'task_state': 'deleting'}, {'host': 'cmp-1'},
                       {'vm_state': 'active'}):
            before = self.change_row(server['id'], **values)
            self.assertEqual([], self.release(), values)
            self.change_row(server['id'], **before)
        self.assertEqual([server['id']], self.release())

    @testcase.attr('slow')
    def test_changed_before_deletion(self):
        """What changed since it was read stays; the next look takes it."""
        (server,) = self.boot_and_kill()
        buildable = cell0_servers.list_buildable

        def claim_more(uuids):
            self.claim_behind(server['id'], 2, generation=1)
            return buildable(uuids)

        with fixtures.MockPatchObject(
            cell0_servers, 'list_buildable', claim_more
        ):
            self.assertEqual([], self.release())
        self.assertEqual(2, self.holds(server['id'])['VCPU'])
        self.assertEqual([server['id']], self.release())

    @testcase.attr('slow')
    def test_generation(self):
        """Placement refuses what changed at the very last moment."""
        (server,) = self.boot_and_kill()
        client = report.report_client_singleton()
        log, put = self.request_log(), client.put

        def claim_more(url, *args, **kwargs):
            self.claim_behind(server['id'], 2, generation=1)
            return put(url, *args, **kwargs)

        with fixtures.MockPatchObject(client, 'put', claim_more):
            self.assertEqual([], self.release())
        self.assertIn('placement answers 409', log.output)
        self.assertEqual(2, self.holds(server['id'])['VCPU'])
        self.assertEqual([server['id']], self.release())

    @testcase.attr('slow')
    def test_last_moment(self):
        """The server is read again before its allocation is deleted."""
        (server,) = self.boot_and_kill()
        buildable = cell0_servers.list_buildable

        def reset(uuids):
            self.change_row(server['id'], vm_state='active')
            return buildable(uuids)

        with fixtures.MockPatchObject(
            cell0_servers, 'list_buildable', reset
        ):
            self.assertEqual([], self.release())
        self.assertEqual(1, self.holds(server['id'])['VCPU'])

    @testcase.attr('slow')
    def test_old(self):
        """A server that failed more than an hour ago stays."""
        (server,) = self.boot_and_kill()
        now = timeutils.utcnow()
        self.change_row(
            server['id'], updated_at=now - datetime.timedelta(minutes=61)
        )
        self.assertEqual([], self.release())
        self.change_row(
            server['id'], updated_at=now - datetime.timedelta(minutes=59)
        )
        self.assertEqual([server['id']], self.release())

    @testcase.attr('slow')
    def test_limits(self):
        """Few are read at a time; those that hold nothing, less often."""
        self.useFixture(fixtures.MockPatchObject(releaser, 'MAX_READ', 2))
        client = report.report_client_singleton()
        reads, read = [], client.get_allocs_for_consumer

        def count(context, uuid):
            reads.append(uuid)
            return read(context, uuid)

        self.useFixture(fixtures.MockPatchObject(
            client, 'get_allocs_for_consumer', count
        ))
        servers = [server['id'] for server in (
            *self.boot_and_kill(), *self.boot_and_kill(),
            *self.boot_and_kill(),
        )]
        # In the order in which they failed; each is read twice.
        self.assertEqual(set(servers[:2]), set(self.release()))
        self.assertEqual(servers[2:], self.release())
        self.assertEqual(6, len(reads))
        self.claim_behind(servers[0])
        self.assertEqual([], self.release())
        self.assertEqual(6, len(reads))
        self.useFixture(fixtures.MockPatchObject(
            releaser, 'INTERVAL_S', 0
        ))
        self.assertEqual(servers[:1], self.release())

    @testcase.attr('slow')
    def test_task_of_nova(self):
        """Nova's periodic tasks do it, in the leader alone, unless off."""
        (server,) = self.boot_and_kill()
        self.flags(group='nova_ext', release_orphaned_allocations=False)
        self.run_tasks()
        self.flags(group='nova_ext', release_orphaned_allocations=True)
        first = objects.Service(
            nova_context.get_admin_context(), host='a-host',
            binary='nova-scheduler', topic='scheduler', report_count=0,
            last_seen_up=timeutils.utcnow(),
        )
        first.create()
        self.run_tasks()
        self.assertEqual(1, self.holds(server['id'])['VCPU'])
        first.forced_down = True
        first.save()
        self.run_tasks()
        self.assertEqual({}, self.holds(server['id']))

    def test_error(self):
        """An error is logged in one line, and ends nothing."""
        log = self.request_log()
        with fixtures.MockPatchObject(
            cell0_servers, 'list_uuids',
            side_effect=ValueError('no cell0\nand more'),
        ):
            self.scheduler._releaser._log._next = 0
            self.run_tasks()
        (line,) = (
            line for line in log.output.splitlines() if 'looked for' in line
        )
        self.assertIn('ValueError: no cell0', line)
        self.assertNotIn('Traceback', log.output)

    def release(self):
        """Return the servers that a look releases."""
        return self.scheduler._releaser.release()

    def run_tasks(self):
        """Run Nova's periodic tasks of the scheduler; all are due."""
        last_run = self.scheduler._periodic_last_run
        last_run.update(dict.fromkeys(last_run))
        self.scheduler.periodic_tasks(
            nova_context.get_admin_context(), raise_on_error=True
        )

    def boot_and_kill(self, count=1):
        """Boot servers whose scheduler claims and is killed then."""
        with self.interrupt(self.kill):
            return self.boot_many(count, expected_state='ERROR')

    def boot_and_hold(self):
        """Boot a server whose scheduler claims, and answers later.

        :returns: the server, and a function that lets it answer, or not.
        """
        claimed, answer, outcome = threading.Event(), threading.Event(), []

        def hold():
            claimed.set()
            answer.wait(patience.DEADLINE_S)
            if outcome:
                self.kill()

        def go_on(killed=False):
            outcome.extend([killed] * killed)
            answer.set()

        patched = self.interrupt(hold)
        patched.__enter__()
        self.addCleanup(patched.__exit__, None, None, None)
        self.addCleanup(answer.set)
        server = self.api.post_server({'server': self._build_server(
            networks='none', flavor_id='1', image_uuid=base.IMAGE
        )})
        self.assertTrue(claimed.wait(patience.DEADLINE_S))
        return server, go_on

    @staticmethod
    def kill():
        """Do as a conductor does whose call is never answered."""
        raise oslo_messaging.MessagingTimeout('no answer')

    @staticmethod
    @contextlib.contextmanager
    def interrupt(before_answer):
        """Call a function after schedulers claimed, before they answer."""
        real = query.SchedulerQueryClient.select_destinations

        def select(*args, **kwargs):
            answer = real(*args, **kwargs)
            before_answer()
            return answer

        with fixtures.MockPatchObject(
            query.SchedulerQueryClient, 'select_destinations', select
        ):
            yield

    def holds(self, uuid):
        """Return what a consumer holds, of all providers together."""
        held = {}
        for each in self._get_allocations_by_server_uuid(uuid).values():
            for name, amount in each['resources'].items():
                held[name] = held.get(name, 0) + amount
        return held

    def claim_behind(self, uuid, count=1, generation=None):
        """Claim processors for a consumer, as if by another service."""
        answer = self.placement.put(f'/allocations/{uuid}', {
            'allocations': {self.provider: {'resources': {'VCPU': count}}},
            'project_id': 'p', 'user_id': 'u',
            'consumer_generation': generation,
        }, version='1.28')
        self.assertEqual(204, answer.status, answer.body)

    def find_buried(self, uuid):
        """Say whether a server failed in cell0, deleted or not."""
        hour_ago = timeutils.utcnow() - releaser.WINDOW
        return uuid in cell0_servers.list_uuids(hour_ago)

    def change_row(self, uuid, **values):
        """Change a server's row in cell0.

        :returns: the values before.
        """
        admin = nova_context.get_admin_context()
        with nova_context.target_cell(admin, self.cell0) as targeted:
            return _change_row(targeted, uuid, values)

    def bury_copy(self, server):
        """Add a server that runs to cell0, and have Nova look there."""
        admin = nova_context.get_admin_context()
        mapping = objects.InstanceMapping.get_by_instance_uuid(
            admin, server['id']
        )
        with nova_context.target_cell(admin, self.cell0) as targeted:
            instance = objects.Instance(
                targeted, uuid=server['id'], project_id=server['tenant_id'],
                vm_state='error',
            )
            instance.create()
            instance.save()
        self.change_row(server['id'], updated_at=timeutils.utcnow())
        self.assertTrue(self.find_buried(server['id']))
        mapping.cell_mapping = self.cell0
        mapping.save()


@db_api.pick_context_manager_writer
def _change_row(context, uuid, values):
    row = context.session.scalars(
        sa.select(models.Instance).where(models.Instance.uuid == uuid)
    ).one()
    before = {name: getattr(row, name) for name in values}
    for name, value in {'updated_at': row.updated_at, **values}.items():
        setattr(row, name, value)
    return before
