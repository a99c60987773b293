"""Keep what the mirror knows, whoever decides."""

from types import SimpleNamespace
from unittest import mock

import testtools
from oslo_utils import timeutils

from nova_ext import testing
from nova_ext.core.base.mode import Mode
from nova_ext.journal.columns import MirroredHosts
from nova_ext.journal.writer import PackedCloud
from nova_ext.scheduler.base import options
from nova_ext.scheduler.journal import (
    host_values,
    journal,
    kept_hosts,
    plain_values,
)
from nova_ext.scheduler.journal.journaled_request import JournaledRequest


class JournaledRequestTest(testtools.TestCase):
    """One request of a scheduler with a mirror."""

    def setUp(self):
        """Begin to observe it."""
        super().setUp()
        options.register_all()
        journal.get.cache_clear()
        self.addCleanup(journal.get.cache_clear)
        self.patch(plain_values, 'to_primitive', lambda _: {
            'nova_object.data': {},
        })
        self.request = JournaledRequest(
            Mode.SCHEDULER, None, testing.make_request(), {}
        )

    def make(self):
        """Return the decision, as the writer's thread makes it."""
        self.request._primitive = {'nova_object.data': {}}
        return self.request._make({'attempts': []}, False, 'the end')

    def make_pack(self, name, ranked=None):
        """Return what packs a cloud."""
        cloud = PackedCloud(
            MirroredHosts([name], [{}], {1: b'x'}, ranked), {}, {}, []
        )
        return mock.Mock(return_value=(cloud, [f'{name} is missing']))

    def begin(self):
        """Return an attempt for the first server."""
        return SimpleNamespace(
            attempt=SimpleNamespace(index=0, server='one', ranked_count=1),
            seed=1,
        )

    def test_mirrored(self):
        """The ranking's hosts come in place of those of the beginning."""
        first, ranked = map(self.make_pack, ('first', 'ranked'))
        self.request.set_cloud(first)
        self.request.begin_mirrored(self.begin(), ranked, None)
        decision = self.make()
        self.assertEqual(['ranked'], decision.cloud.hosts.keys)
        self.assertEqual(((), {1: b'x'}), (
            decision.keys, decision.aggregates
        ))
        self.assertEqual(['ranked is missing'], decision.body['missing'])
        ranked.assert_called_once_with('the end')
        first.assert_not_called()

    def test_by_nova(self):
        """Nova's hosts, and what the mirror knew."""
        self.request.set_cloud(self.make_pack('first'))
        self.request._pack = lambda _: host_values.PackedHosts(
            ['own'], [{}], {2: b'y'}, ['own is missing']
        )
        decision = self.make()
        self.assertEqual((['own'], ['first']), (
            decision.keys, decision.cloud.hosts.keys
        ))
        self.assertEqual(['own is missing'], decision.body['missing'])

    def test_by_nova_after_all(self):
        """Nova ranks its own hosts where the mirror's filters left none."""
        self.request.set_cloud(self.make_pack('first'))
        self.request.begin_mirrored(
            self.begin(), self.make_pack('ranked', [0, 1]), None
        )
        state = SimpleNamespace(
            **dict.fromkeys(('service', 'uuid', 'cell_uuid', 'updated')),
            host='own', nodename='own', instances={}, aggregates=[],
            free_ram_mb=1, free_disk_mb=1,
        )
        self.request.begin_attempt(self.begin(), [state])
        decision = self.request._make(
            {'attempts': []}, False, timeutils.utcnow()
        )
        self.assertEqual(('own', 'own', '', ''), decision.keys[0])
        self.assertEqual(['ranked'], decision.cloud.hosts.keys)
        self.assertIsNone(decision.cloud.hosts.ranked)

    def test_changed_meanwhile(self):
        """A decision on hosts that another request changed is not exact."""
        for updated, missing in (
            (1, []),
            (2, ['hosts that other requests of the worker changed '
                   'meanwhile']),
        ):
            request = JournaledRequest(
                Mode.SCHEDULER, None, testing.make_request(), {}
            )
            state = SimpleNamespace(
                host='own', updated=1, free_ram_mb=1, instances={}
            )
            request.begin_attempt(self.begin(), [state])
            state.updated = updated
            request.end_attempt([])
            with mock.patch.object(journal.Journal, 'put'):
                request.end(SimpleNamespace(
                    attempt=None, decision=mock.MagicMock(claims=[]),
                ))
            self.assertEqual(missing, request._lacking)

    def test_no_mirror(self):
        """There is no cloud."""
        self.assertIsNone(self.make().cloud)


class PluginModeTest(testtools.TestCase):
    """A stock scheduler shows no claim that placement refused."""

    def make(self, candidates, claims, passed=2):
        """Return what is missing of a request for one server."""
        options.register_all()
        self.patch(plain_values, 'to_primitive', lambda _: {
            'nova_object.data': {},
        })
        request = JournaledRequest(
            Mode.PLUGIN, None, testing.make_request(), {}
        )
        host = SimpleNamespace(allocation_candidates=candidates)
        with mock.patch.object(kept_hosts, 'keep') as keep:
            keep.return_value = kept_hosts.Kept([{}], None)
            request.begin_attempt(
                SimpleNamespace(attempt=SimpleNamespace(index=0), seed=1),
                [host],
            )
        request._pack = None
        return request._make({
            'attempts': [[0, 'one', None, passed, []]], 'claims': claims,
        }, False, None)

    def test_refused(self):
        """All hosts that passed refused, or one granted it, or none passed."""
        refused = ['claims that placement refused']
        for claims, passed, missing in (
            ([], 2, refused), ([['other', 'a', True]], 2, refused),
            ([['one', 'a', True]], 2, []), ([], 0, []),
        ):
            decision = self.make([{'allocations': {}}], claims, passed)
            self.assertEqual(missing, decision.body['missing'])

    def test_rebuild(self):
        """It claims nothing, so that nothing is refused."""
        decision = self.make([], [])
        self.assertEqual((None, []), (
            decision.candidates, decision.body['missing']
        ))
