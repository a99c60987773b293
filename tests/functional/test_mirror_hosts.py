"""Which hosts the mirror knows, and when it says that it does not."""

import dataclasses
import uuid
from unittest import mock

from nova import context as nova_context

from nova_ext.scheduler.mirror.host_reader import CellError
from tests.functional.mirrored import MirroredTestCase


class MirrorHostsTest(MirroredTestCase):
    """Hosts and providers that come, go and change."""

    def test_removed_host(self):
        """A host that is deleted goes with the next reading."""
        self.assertEqual(3, len(self.mirror.refresh().hosts))
        self.computes['cmp-3'].stop()
        (service,) = self.admin_api.get_services(host='cmp-3')
        self.admin_api.api_delete(f'/os-services/{service["id"]}')
        read = self.mirror.refresh()
        self.assertEqual(
            {'cmp-1', 'cmp-2'}, {host for host, _ in read.hosts.keys}
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

    def test_silent_cell(self):
        """Where a cell does not answer, what was read before stays."""
        before = self.mirror.refresh()
        cell = next(iter(self.scheduler.host_manager.enabled_cells)).uuid
        silent = {cell: nova_context.did_not_respond_sentinel}
        with mock.patch.object(
            nova_context, 'scatter_gather_cells', lambda *_: silent
        ):
            error = self.assertRaises(CellError, self.mirror.refresh)
        self.assertIn(cell, str(error))
        self.assertIs(before, self.mirror.snapshot)
        self.assertEqual(3, len(self.mirror.refresh().hosts))

    def test_fallbacks(self):
        """What it does not know, it leaves to Nova, and says why."""
        (server,), _ = self.place()
        self._rebuild_server(server, 'a2459075-d96c-40d5-893e-577ff92e721c')
        self.assertEqual('rebuild server', self.read(server).mirror.fallback)
        read = self.mirror.refresh()
        self.mirror.snapshot = dataclasses.replace(
            read, read_at=read.read_at - 3601
        )
        _, decision = self.place(refresh=False)
        self.assertEqual('too old', decision.mirror.fallback)
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
        self.assertEqual('shared providers', decision.mirror.fallback)
