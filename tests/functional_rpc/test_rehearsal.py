"""Rehearsed losses and drains, each compared with the moves that follow."""

import fixtures
from nova import context as nova_context
from nova import objects
from nova.db.api import api as api_db
from nova.db.api import models as api_models
from nova.db.main import api as main_db
from nova.db.main import models as main_models
from oslo_serialization import jsonutils
from oslo_utils.fixture import uuidsentinel as uuids

from nova_ext import client
from nova_ext.core.rpc.rehearsal import MoveOutcome, Order
from nova_ext.scheduler.what_if.rehearse import rehearsals
from tests.functional_rpc import what_if


class RehearsalTestCase(what_if.WhatIfTestCase):
    """Hosts that servers of three sizes fill."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3')
    compute_driver = 'fake.SmallFakeDriver'
    enabled_filters = (
        'ComputeFilter', 'SpecifiedHostFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )

    def configure(self):
        """A host takes four vCPUs."""
        super().configure()
        self.flags(cpu_allocation_ratio=2.0)

    def setUp(self):
        """Make flavors."""
        super().setUp()
        self.small, self.large = (
            self.create_flavor(self.flavor(
                vcpus=vcpus, memory_mb=128 * vcpus, root_gb=0
            )) for vcpus in (1, 2)
        )

    def rehearse(
        self, *hosts, is_loss=True, order=Order.LISTED, moved=(), before=()
    ):
        """Rehearse, with all calls that it takes."""
        rehearsal = self.program.rehearse(self.me, client.RehearsalRequest(
            list(hosts), is_loss, order, list(moved), list(before)
        ))
        moves = [*moved, *rehearsal.moves]
        if not rehearsal.remaining:
            return moves
        return self.rehearse(
            *hosts, is_loss=is_loss, order=order, moved=moves, before=before
        )

    def boot_on(self, host, flavor, group=None):
        """A server on a host, in a group or not."""
        hints = {'requested_host': host}
        if group:
            hints['group'] = group
        server = self.boot(hints, flavorRef=flavor)
        self.assertEqual(host, self.host_of(server))
        return server

    def make_group(self, policy):
        """A server group's UUID."""
        return self.api.post_server_groups(
            {'name': policy, 'policy': policy}
        )['id']

    def fill(self):
        """Servers on cmp-1 of which not all find room; others elsewhere."""
        self.boot_on('cmp-1', self.small, self.make_group('anti-affinity'))
        group = self.make_group('anti-affinity')
        for host in ('cmp-1', 'cmp-2'):
            self.boot_on(host, self.small, group)
        self.boot_on('cmp-1', self.large)
        self.boot_on('cmp-2', self.small)
        for _ in range(2):
            self.boot_on('cmp-3', self.small)

    def assert_followed(self, moves, move):
        """Each server goes where it was said to go.

        :param move: moves a server for real; it may find no host.
        """
        for said in moves:
            server = self.api.get_server(said.server)
            move(server, said)
            expected = said.host or said.source
            self.assertEqual(expected, self.host_of(server), said)


class LossTest(RehearsalTestCase):
    """A host is lost."""

    def test_loss(self):
        """Servers evacuated for real go where they were said to go."""
        self.fill()
        before = self.all_rows()
        moves = self.rehearse('cmp-1')
        self.assertEqual(before, self.all_rows())
        self.assertEqual(3, len(moves))
        self.assertIn(MoveOutcome.PLACED, {move.outcome for move in moves})
        self.take_down('cmp-1')
        self.assert_followed(moves, self.evacuate)

    def test_no_room(self):
        """Two hosts are lost; what finds no host is said, with a reason."""
        self.fill()
        moves = self.rehearse('cmp-1', 'cmp-2', order=Order.LARGEST)
        self.assertEqual(
            [MoveOutcome.PLACED] + [MoveOutcome.NO_HOST] * 4,
            [move.outcome for move in moves],
        )
        self.assertRegex(
            moves[-1].reason, '^0/3 hosts: .*; servers that moved before it '
            'took the room of 1 host$',
        )
        self.take_down('cmp-1')
        self.take_down('cmp-2')
        self.assert_followed(moves, self.evacuate)

    def test_orders(self):
        """As listed, by UUID, and largest first."""
        self.fill()
        by_uuid = self.rehearse('cmp-1', 'cmp-2', order=Order.UUID)
        self.assertEqual(
            sorted(move.server for move in by_uuid),
            [move.server for move in by_uuid],
        )
        largest = self.rehearse('cmp-2', 'cmp-1', order=Order.LARGEST)
        self.assertEqual('cmp-1', largest[0].source)
        listed = self.rehearse('cmp-2', 'cmp-1')
        self.assertEqual(
            ['cmp-2'] * 2 + ['cmp-1'] * 3, [move.source for move in listed]
        )

    def test_continued(self):
        """Calls that end after each move say the same as one call."""
        self.fill()
        whole = self.rehearse('cmp-1', 'cmp-2')
        self.useFixture(fixtures.MonkeyPatch(
            f'{rehearsals.__name__}.MOST_S', -1
        ))
        self.assertEqual(whole, self.rehearse('cmp-1', 'cmp-2'))

    def test_refused(self):
        """What nova-api refuses is said; unknown hosts are an error."""
        server = self.boot_on('cmp-1', self.small)
        self.api.post_server_action(server['id'], {'pause': None})
        self._wait_for_state_change(server, 'PAUSED')
        move, = self.rehearse('cmp-1')
        self.assertEqual(MoveOutcome.REFUSED, move.outcome)
        self.assertIn('the server is paused', move.reason)
        error = self.assertRaises(
            client.WrongArgumentsError, self.rehearse, 'cmp-9'
        )
        self.assertIn('no compute host cmp-9', str(error))

    def test_devices(self):
        """A share, or a port's accelerator, is looked up for each server."""
        plain, shared, accelerated, last = (
            self.boot_on('cmp-1', self.small) for _ in range(4)
        )
        context = nova_context.get_admin_context()
        share = objects.ShareMapping(
            context, uuid=uuids.mapping, instance_uuid=shared['id'],
            share_id=uuids.share, status='active', tag='t',
            export_location='x', share_proto='NFS',
        )
        share.create()
        table = main_models.InstanceInfoCache.__table__
        with main_db.get_engine(context=context).begin() as connection:
            connection.execute(table.update().where(
                table.c.instance_uuid == accelerated['id']
            ).values(network_info=jsonutils.dumps([
                {'id': uuids.port, 'vnic_type': 'accelerator-direct'},
            ])))
        moves = {move.server: move for move in self.rehearse('cmp-1')}
        for server, words in (
            (shared, 'the server has a share'),
            (accelerated, 'a port of the server has an accelerator'),
        ):
            move = moves[server['id']]
            self.assertEqual(MoveOutcome.REFUSED, move.outcome)
            self.assertEqual(
                f'nova-api refuses evacuate: {words}', move.reason
            )
        for server in (plain, last):
            self.assertEqual(MoveOutcome.PLACED, moves[server['id']].outcome)

    def test_unreadable(self):
        """One whose stored request is damaged or gone does not end others."""
        damaged, gone, whole = (
            self.boot_on('cmp-1', self.small) for _ in range(3)
        )
        table = api_models.RequestSpec.__table__
        with api_db.get_engine().begin() as connection:
            connection.execute(table.update().where(
                table.c.instance_uuid == damaged['id']
            ).values(spec='{"nova_object.name": "RequestSpec"}'))
            connection.execute(table.delete().where(
                table.c.instance_uuid == gone['id']
            ))
        moves = {move.server: move for move in self.rehearse('cmp-1')}
        for server, words in (
            (damaged, 'KeyError'), (gone, 'RequestSpec not found'),
        ):
            move = moves[server['id']]
            self.assertEqual(MoveOutcome.REFUSED, move.outcome)
            self.assertIn(
                f'the request that Nova keeps of server {server["id"]} can\'t '
                f'be read: ', move.reason,
            )
            self.assertIn(words, move.reason)
        self.assertEqual(MoveOutcome.PLACED, moves[whole['id']].outcome)

    def evacuate(self, server, said):
        """Evacuate a server, as far as it finds a host."""
        if said.host:
            self._evacuate_server(server, expected_state='ACTIVE')
        else:
            self.api.post_server_action(server['id'], {'evacuate': {}})
            self._wait_for_state_change(server, 'ERROR')


class DrainTest(RehearsalTestCase):
    """A host is drained."""

    def test_drain(self):
        """Live, and cold where a server is stopped."""
        self.fill()
        stopped = self.boot_on('cmp-2', self.small)
        self._stop_server(stopped)
        moves = self.rehearse('cmp-2', is_loss=False)
        self.assertEqual(
            {'live-migrate', 'migrate'}, {move.operation for move in moves}
        )
        self.disable('cmp-2')
        self.assert_followed(moves, self.migrate)

    def test_rolling(self):
        """Hosts that were full come back empty; servers move twice."""
        group = self.make_group('anti-affinity')
        for host in ('cmp-1', 'cmp-2'):
            self.boot_on(host, self.large)
            self.boot_on(host, self.small)
            self.boot_on(host, self.small, group)
        before = self.all_rows()
        moves, sources = [], []
        for host in self.hosts:
            step = self.rehearse(host, is_loss=False, before=moves)
            sources.append([move.source for move in step])
            moves += step
        self.assertEqual([[host] * 3 for host in self.hosts], sources)
        self.assertEqual(['cmp-3'] * 3 + ['cmp-1'] * 3 + ['cmp-2'] * 3, [
            move.host for move in moves
        ])
        self.assertEqual(before, self.all_rows())
        for host in self.hosts:
            self.disable(host)
            self.assert_followed(
                [move for move in moves if move.source == host], self.migrate
            )
            # As computes do every two minutes: a scheduler takes servers that
            # were live-migrated to be on both hosts until then.
            self.computes[host].manager._sync_scheduler_instance_info(
                nova_context.get_admin_context()
            )
            self.disable(host, False)

    def test_without_return(self):
        """Without the steps before, the same host has no room."""
        for host in ('cmp-1', 'cmp-2'):
            for _ in range(2):
                self.boot_on(host, self.large)
        first = self.rehearse('cmp-1', is_loss=False)
        held = self.rehearse('cmp-2', 'cmp-1', is_loss=False)
        self.assertEqual(2, sum(not move.host for move in held))
        self.assertEqual(['cmp-1'] * 2, [
            move.host for move
            in self.rehearse('cmp-2', is_loss=False, before=first)
        ])
        error = self.assertRaises(
            client.WrongArgumentsError, self.rehearse, 'cmp-2', before=first
        )
        self.assertIn('lost hosts do not come back', str(error))

    def migrate(self, server, said):
        """Move a server as it was said; leave it where it finds no host."""
        if not said.host:
            return
        if said.operation == 'live-migrate':
            self._live_migrate(server)
        else:
            self._migrate_server(server)
            self._confirm_resize(server)
