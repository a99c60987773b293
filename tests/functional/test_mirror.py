"""Nova's decisions, compared with those made from the mirror."""

import datetime
import json
import unittest
from importlib import metadata
from unittest import mock

import fixtures
import sqlalchemy as sa
from nova import context as nova_context
from nova import objects
from nova.db.main import api as db_api
from nova.db.main import models
from oslo_utils import timeutils
from testtools import testcase

from nova_ext.engine import decide
from nova_ext.record import reader
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.mirror.plugins import column_plugins, service_state
from tests.functional import base
from tests.functional.mirrored import RefreshedByTests


@unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)
class VerifyTest(base.CloudTestCase):
    """Each first boot is decided twice."""

    weight_classes = (base.STOCK_WEIGHERS, base.OUR_WEIGHERS)
    enabled_filters = (
        'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
        'AggregateInstanceExtraSpecsFilter', 'SpecifiedHostFilter',
    )

    def configure(self):
        """Have tests refresh the mirror."""
        self.useFixture(RefreshedByTests())
        self.flags(
            group='nova_ext', mirror='verify', mirror_refresh_s=3600,
        )
        self.flags(
            group='filter_scheduler', shuffle_best_same_weighed_hosts=True,
            host_subset_size=2,
        )

    def test_decisions_agree(self):
        """Nothing differs, with servers, aggregates and disabled hosts."""
        for check in (self.check(), self.check(count=3)):
            self.assertEqual('', check.fallback)
            self.assertEqual([], check.differences)
            self.assertEqual(0, check.older)
        # Two more servers, and the alternates of all.
        self.assertEqual(4, check.compared)

        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': 'fast'}}
        )
        self.add_to_aggregate(aggregate['id'], 'cmp-1')
        self.admin_api.post_aggregate_action(aggregate['id'], {
            'set_metadata': {'metadata': {'ram_weight_multiplier': '-3'}},
        })
        self.disable('cmp-2')
        check = self.check({'requested_host': 'cmp-1'})
        self.assertEqual(([], 1), (check.differences, check.compared))
        self.assertEqual(0, check.candidates_missed)
        self.assertEqual(0, check.candidates_beyond)

        # What the mirror has not read yet is taken from Nova, and counted.
        self.disable('cmp-2', disabled=False)
        check = self.check(refresh=False)
        self.assertEqual([], check.differences)
        self.assertEqual(1, check.compared)
        self.assertGreaterEqual(check.older, 2)
        self.assertEqual(1, check.candidates_missed)

    def test_heartbeats(self):
        """A host that was read long ago is no older while it is up."""
        mirror = self.scheduler._mirror
        mirror.refresh()
        seen = {}
        for key in mirror._cloud.hosts.list_keys():
            service = mirror._cloud.hosts.get(key).service
            seen[key] = service['last_seen_up']
            service.data['last_seen_up'] = datetime.datetime(2020, 1, 1)
        check = self.check()
        self.assertEqual((1, 0), (check.compared, check.older))
        self.assertEqual([], check.differences)
        # A filter that reads it itself finds it, too.
        for key, at in seen.items():
            service = mirror._cloud.hosts.get(key).service
            self.assertGreaterEqual(service['last_seen_up'], at)

    def test_went_down(self):
        """A service whose time runs out meanwhile is no difference."""
        now = service_state.tell_time()
        # Nova begins; rows are compared, twice; the engine judges; the end.
        for before in range(1, 5):
            times = [now] * before + [now + 3600] * (5 - before)
            with mock.patch.object(
                service_state, 'tell_time', lambda times=times: times.pop(0)
            ):
                check = self.check()
            self.assertEqual(
                ('service_went_down', []), (check.fallback, times),
            )
            self.assertEqual((0, []), (check.compared, check.differences))

    def test_clock_behind(self):
        """A row is read that was changed by a clock far behind ours."""
        mirror = self.scheduler._mirror
        long_ago = timeutils.utcnow() - datetime.timedelta(minutes=10)
        for number, free_mb in enumerate((4000, 3000)):
            with nova_context.target_cell(
                nova_context.get_admin_context(),
                self.cell_mappings['cell1'],
            ) as in_cell, db_api.get_engine(context=in_cell).begin() as rows:
                rows.execute(
                    sa.update(models.ComputeNode).where(
                        models.ComputeNode.host == 'cmp-1'
                    ).values(
                        free_ram_mb=free_mb, updated_at=long_ago
                        + datetime.timedelta(seconds=number),
                    )
                )
            mirror.refresh()
            state = mirror._cloud.hosts.get(('cmp-1', 'cmp-1'))
            self.assertEqual(free_mb, state.free_ram_mb)

    def test_aggregates(self):
        """A host's aggregate tells of the hosts that came to it since."""
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': 'rack'}}
        )
        mirror = self.scheduler._mirror
        mirror.refresh()
        # Another thread may loop over Nova's map.
        self.assertEqual({}, self.scheduler.host_manager.host_aggregates_map)
        for number, host in enumerate(('cmp-1', 'cmp-2')):
            self.add_to_aggregate(aggregate['id'], host)
            hosts = ['cmp-1', 'cmp-2'][:number + 1]
            mirror.refresh()
            for each in hosts:
                (found,) = mirror._cloud.hosts.get((each, each)).aggregates
                self.assertEqual(hosts, sorted(found.hosts))
        check = self.check()
        self.assertEqual(([], 0), (check.differences, check.older))

    def test_difference(self):
        """A filter that is not asked is found out, and logged."""
        self.useFixture(fixtures.MockPatchObject(
            column_plugins.ContractFilter, 'judge',
            lambda judged, hosts, rows: rows >= 0,
        ))
        check = self.check({'requested_host': 'cmp-3'})
        (difference,) = check.differences
        self.assertRegex(difference, r'only (Nova|the engine) passed cmp-')
        decision = self.decisions()[-1]
        self.assertEqual(check, decision.mirror)
        line = json.loads(self.record.read_text().splitlines()[-1])
        self.assertEqual([difference], line['mirror']['differences'])

    def test_changed_meanwhile(self):
        """What a host tells of its servers meanwhile is no difference."""
        manager = self.scheduler.host_manager
        for host in (*self.computes, *self.computes):  # Nova wants two
            manager.update_instance_info(
                nova_context.get_admin_context(), host, objects.InstanceList()
            )
        group = self.api.post_server_groups(
            {'name': 'apart', 'policy': 'anti-affinity'}
        )
        (server,) = self.boot_many(1, {'group': group['id']})
        hosts = [each['instances'] for each in manager._instance_info.values()]
        (found,) = (each for each in hosts if server['id'] in each)
        place, told = decide.place, []

        def tell(*args):
            for each in hosts if not told else ():
                each.setdefault(server['id'], found[server['id']])
            told.append(server['id'])
            return place(*args)

        with mock.patch.object(decide, 'place', tell):
            check = self.check({'group': group['id']})
        self.assertTrue(told)
        self.assertEqual([], check.differences)
        self.assertEqual(
            'plugins_changed', check.fallback
        )

    @testcase.attr('slow')
    def test_groups_and_moves(self):
        """Nothing differs of groups, resizes and returns."""
        for policy in ('anti-affinity', 'soft-affinity'):
            group = self.api.post_server_groups(
                {'name': policy, 'policy': policy}
            )
            check = self.check({'group': group['id']}, count=2)
            self.assertEqual(('', []), (check.fallback, check.differences))
            self.assertEqual(3, check.compared)
        server = self.boot()
        for move in (self._migrate_server, self._shelve_and_unshelve):
            self.scheduler._mirror.refresh()
            move(server)
            check = self.read(server)
            self.assertEqual(('', []), (check.fallback, check.differences))
            self.assertEqual(1, check.compared)
        operations = [decision.operation for decision in self.decisions()]
        self.assertEqual(['move', 'return'], operations[-2:])

    def test_fallback(self):
        """What is not understood is left to Nova, with a reason."""
        self.scheduler._mirror.refresh()
        server = self.boot(availability_zone='nova:cmp-1')
        check = self.read(server)
        self.assertEqual(
            ('forced_host', 0), (check.fallback, check.compared)
        )

    def test_deleted_server(self):
        """Room that a deleted server gave back is seen.

        Its provider's generation tells nothing of it.
        """
        server = self.boot()
        self.scheduler._mirror.refresh()
        uuid = self._get_provider_uuid_by_host(self.host_of(server))
        provider = self.scheduler._mirror._cloud.providers.get(uuid)
        self.assertEqual(1, provider.used['VCPU'])
        self._delete_server(server)
        url = f'/resource_providers/{uuid}'
        self.assertEqual(
            provider.generation,
            self.placement.get(url).body['generation'],
        )
        self.scheduler._mirror.refresh()
        provider = self.scheduler._mirror._cloud.providers.get(uuid)
        self.assertEqual(0, provider.used['VCPU'])

    def check(self, hints=None, count=1, refresh=True):
        """Boot servers; return how the decision was compared with Nova's."""
        if refresh:
            self.scheduler._mirror.refresh()
        return self.read(self.boot_many(count, hints)[0])

    def _shelve_and_unshelve(self, server):
        self._confirm_resize(server)
        self._shelve_server(server)
        self._unshelve_server(server)

    def read(self, server):
        """Return how the newest decision on a server was held."""
        self.assertTrue(recorder.get().flush(60))
        found = reader.find(self.record, server['id'])
        return found.decisions[0].mirror
