"""Which hosts the mirror knows, and when it says that it does not."""

import dataclasses
import threading
import time
import types
import uuid
from unittest import mock

import fixtures
import numpy as np
from nova import context as nova_context
from nova import objects
from nova.db.main import api as db_api

from nova_ext.core.explanation.explain import explain
from nova_ext.scheduler.mirror import snapshot
from nova_ext.scheduler.mirror.hosts import host_reader, host_rows
from tests.functional.mirrored import MirroredTestCase


class MirrorHostsTest(MirroredTestCase):
    """Hosts and providers that come, go and change."""

    def test_removed_host(self):
        """A host that is deleted goes with the next reading."""
        self.assertEqual(3, len(self.mirror.refresh().hosts))
        self.computes['cmp-3'].stop()
        (service,) = self.admin_api.get_services(host='cmp-3')
        self.admin_api.api_delete(f'/os-services/{service["id"]}')
        snapshot = self.mirror.refresh()
        self.assertEqual(
            {'cmp-1', 'cmp-2'}, {host for host, _ in snapshot.hosts.keys}
        )

    def test_disabled_host(self):
        """A service that changed has its host read again."""
        self.mirror.refresh()
        self.disable('cmp-3')
        _, decision = self.place(2)
        self.assertEqual('', decision.mirror.fallback)
        self.assertNotIn('cmp-3', {
            host for hosts in decision.chosen.values() for host in hosts
        })

    def test_old_row(self):
        """Nova writes to a row without ratios when it is read."""
        context = nova_context.get_admin_context()
        node = objects.ComputeNode.get_by_host_and_nodename(
            context, 'cmp-3', 'cmp-3'
        )
        db_api.compute_node_update(
            context, node.id, {'cpu_allocation_ratio': None}
        )
        self.assertEqual(3, len(self.mirror.refresh().hosts))
        row = db_api.compute_node_get(context, node.id)
        self.assertEqual(1.0, row['cpu_allocation_ratio'])

    def test_silent_cell(self):
        """Where a cell does not answer, what was read before stays."""
        before = self.mirror.refresh()
        cell = next(iter(self.scheduler.host_manager.enabled_cells)).uuid
        silent = {cell: nova_context.did_not_respond_sentinel}
        with mock.patch.object(
            nova_context, 'scatter_gather_cells', lambda *_: silent
        ):
            error = self.assertRaises(
                host_reader.CellError, self.mirror.refresh
            )
        self.assertIn(cell, str(error))
        self.assertIs(before, self.mirror.snapshot)
        self.assertEqual(3, len(self.mirror.refresh().hosts))

    def test_silent_look(self):
        """A cell that does not answer the second look has no hosts less."""
        self.mirror.refresh()
        with mock.patch.object(
            host_rows, 'read_versions', side_effect=ValueError
        ):
            _, decision = self.place(refresh=False)
        self.assertEqual(('error', 'CellError'), (
            decision.mirror.fallback, decision.mirror.detail
        ))

    def test_old_services(self):
        """Nova decides where services that are up might look down."""
        self.flags(service_down_time=60, report_interval=10)
        snapshot = self.mirror.refresh()
        for age_s, fallback in ((51, 'too_old'), (45, '')):
            self.mirror.snapshot = dataclasses.replace(
                snapshot, hosts_read_at=time.monotonic() - age_s
            )
            _, decision = self.place(refresh=False)
            self.assertEqual(fallback, decision.mirror.fallback)
        self.mirror.refresh()
        self.assertLess(
            time.monotonic() - self.mirror.snapshot.hosts_read_at, 45
        )

    def test_hanging_cell(self):
        """While a cell's database hangs, no other thread waits for it."""
        before = self.mirror.refresh()
        cell = next(iter(self.scheduler.host_manager.enabled_cells)).uuid
        silent = {cell: nova_context.did_not_respond_sentinel}
        answers = threading.Event()
        self.addCleanup(answers.set)
        threads = []

        def hang(admin, cells, timeout, read):
            threads.append(threading.Thread(
                target=read, args=(types.SimpleNamespace(cell_uuid=cell),)
            ))
            threads[-1].start()
            return silent

        with mock.patch.object(
            nova_context, 'scatter_gather_cells', hang
        ), mock.patch.object(
            host_rows, 'read_rows', lambda _: answers.wait(60)
        ):
            for said in ('no answer from the', 'still hangs', 'still hangs'):
                error = self.assertRaises(
                    host_reader.CellError, self.mirror.refresh
                )
                self.assertIn(said, str(error))
            self.assertEqual(1, len(threads))
            answers.set()
            threads[0].join(60)
        self.assertIs(before, self.mirror.snapshot)
        self.assertEqual(3, len(self.mirror.refresh().hosts))

    def test_left_out(self):
        """A provider that changed and was not read for long is not used.

        Nova uses it where nothing else has room.
        """
        self.useFixture(fixtures.MockPatchObject(snapshot, 'MAX_OLD', 0.5))
        self.flags(group='nova_ext', mirror_max_age_s=60)
        fresh = self.mirror.refresh()
        uuid_ = self._get_provider_uuid_by_host('cmp-1')
        self.mirror.snapshot = dataclasses.replace(
            fresh, behind=np.array([fresh.providers.rows[uuid_]]),
            behind_since=np.array([time.monotonic() - 61]),
        )
        _, decision = self.place(4, refresh=False)
        self.assert_decided(decision)
        self.assertEqual(1, decision.mirror.left_out)
        self.assertEqual({'cmp-2', 'cmp-3'}, {
            chosen[0].partition('/')[0] for chosen in decision.chosen.values()
        })
        self.assertIn('without 1 provider', '; '.join(explain(decision).notes))
        (server,), decision = self.place(refresh=False)
        self.assertEqual('no_host', decision.mirror.fallback)
        self.assertEqual('cmp-1', self.host_of(server))

    def test_fallbacks(self):
        """What it does not know, it leaves to Nova, and says why."""
        (server,), _ = self.place()
        self._rebuild_server(server, 'a2459075-d96c-40d5-893e-577ff92e721c')
        self.assertEqual('rebuild', self.read(server).mirror.fallback)
        snapshot = self.mirror.refresh()
        self.mirror.snapshot = dataclasses.replace(
            snapshot, read_at=snapshot.read_at - 3601
        )
        _, decision = self.place(refresh=False)
        self.assertEqual('too_old', decision.mirror.fallback)
        shared = str(uuid.uuid4())
        for method, url, body in (
            ('post', '/resource_providers', {'name': 'nfs', 'uuid': shared}),
            ('put', f'/resource_providers/{shared}/traits', {
                'resource_provider_generation': 0,
                'traits': ['MISC_SHARES_VIA_AGGREGATE'],
            }),
        ):
            self.change_placement(method, url, body)
        _, decision = self.place()
        self.assertEqual('shared_providers', decision.mirror.fallback)
