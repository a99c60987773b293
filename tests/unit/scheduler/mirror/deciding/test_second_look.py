"""Which hosts fail a second look."""

import copy
import types
from unittest import mock
from urllib import parse

import numpy as np
from nova import objects
from nova.scheduler.filters import num_instances_filter

from nova_ext.engine.providers import Demand
from nova_ext.scheduler.mirror.deciding import second_look
from nova_ext.scheduler.mirror.deciding.second_look import SecondLook
from tests.unit.scheduler.configured import ConfiguredTestCase
from tests.unit.scheduler.mirror.deciding import plain_cloud

A, B = frozenset(['a']), frozenset(['b'])


class SecondLookTest(ConfiguredTestCase):
    """Three hosts."""

    def setUp(self):
        """Read them once; afterwards they are what tests make of them."""
        super().setUp()
        self.columns = plain_cloud.make_snapshot(
            dict.fromkeys('xyz', 1)
        ).hosts
        self.now = {
            key: copy.copy(state) for key, state in zip(
                self.columns.keys, self.columns.states, strict=True
            )
        }
        self.read, self.asked = [], []
        self.without = []

    def look(self, demand=None, filters=(), rows=(0, 1, 2)):
        """Return the look, and what it returned."""
        look = SecondLook(
            self.read_again, lambda: self, filters, plain_cloud.make_spec(),
            demand or Demand({'VCPU': 1}),
        )
        changed, gone = look.look(self.columns, np.array(rows))
        return look, changed, gone.tolist()

    def read_again(self, states):
        """Return the hosts as they are now."""
        hosts = [state.host for state in states]
        self.read.append(hosts)
        return {
            key: state for key, state in self.now.items() if key[0] in hosts
        }

    def get(self, url, version):
        """Answer as placement does, for one provider or for all."""
        query = parse.parse_qsl(parse.urlsplit(url).query)
        self.asked.append(query)
        asked = [value for key, value in query if key == 'uuid'] or 'wxyz'
        return types.SimpleNamespace(json=lambda: {'resource_providers': [
            {'uuid': uuid} for uuid in asked if uuid not in self.without
        ]})

    def test_unchanged(self):
        """All are read at once, and each of them once."""
        look, changed, gone = self.look(rows=(0, 2))
        self.assertEqual([['x', 'z']], self.read)
        self.assertEqual((set(), {}, []), (look.refused, changed, gone))
        look.look(self.columns, np.array([0, 1, 2]))
        self.assertEqual(['y'], self.read[-1])
        look.look(self.columns, np.array([0, 1, 2]))
        self.assertEqual(2, len(self.read))
        self.assertEqual([], self.asked)

    def test_passed_before(self):
        """No filter is asked about hosts that are as they were."""
        class Rejecting(num_instances_filter.NumInstancesFilter):
            def host_passes(self, host, spec):
                asked.append(host.host)
                return False

        asked = []
        self.now['x', 'x'] = self.columns.states[0]
        look, changed, gone = self.look(filters=[Rejecting()])
        self.assertEqual(['y', 'z'], asked)
        self.assertEqual(({1, 2}, {}, []), (look.refused, changed, gone))

    def test_filter(self):
        """A host that a filter rejects now fails, and is still there."""
        self.flags('filter_scheduler', max_instances_per_host=2)
        self.now['y', 'y'].num_instances = 2
        self.now['z', 'z'].num_instances = 1
        look, changed, gone = self.look(
            filters=[num_instances_filter.NumInstancesFilter()]
        )
        self.assertEqual(({1}, []), (look.refused, gone))
        self.assertEqual(
            {1: self.now['y', 'y'], 2: self.now['z', 'z']}, changed
        )

    def test_comparing_filter(self):
        """A filter that compares hosts is not asked about some of them."""
        class Comparing(num_instances_filter.NumInstancesFilter):
            def filter_all(self, hosts, spec):
                return list(hosts)[:1]

        look, _, _ = self.look(filters=[Comparing()])
        self.assertEqual(set(), look.refused)

    def test_gone(self):
        """A host without a row is gone, and so is one with another node."""
        del self.now['x', 'x']
        self.now['y', 'y'].uuid = 'z'
        look, _, gone = self.look()
        self.assertEqual(({0, 1}, [0, 1]), (look.refused, gone))

    def test_aggregates(self):
        """Placement is asked where those of Nova's memory are not as needed.

        It knows aggregates that Nova does not have.
        """
        self.without = ['x', 'z']
        for host, uuids in (('x', 'a'), ('y', 'ab'), ('z', 'b')):
            self.now[host, host].aggregates = [
                objects.Aggregate(uuid=uuid) for uuid in uuids
            ]
        for demand, asked, gone, query in (
            ({'member_of': [A]}, 'z', [2], ['in:a']),
            ({'member_of': [A | B]}, '', [], []),
            ({'member_of': [A, B]}, 'xz', [0, 2], ['in:a', 'in:b']),
            ({'not_member_of': B}, 'yz', [2], ['!in:b']),
        ):
            self.asked.clear()
            self.assertEqual(
                gone, self.look(Demand({'VCPU': 1}, **demand))[2], demand
            )
            self.assertEqual({
                (('uuid', host), *(('member_of', value) for value in query))
                for host in asked
            }, set(map(tuple, self.asked)))

    def test_traits(self):
        """Placement is asked for those that nova-compute does not set."""
        self.without = ['y']
        told = frozenset(['COMPUTE_STATUS_DISABLED'])
        look, _, gone = self.look(Demand({'VCPU': 1}, forbidden=told))
        self.assertEqual(([], []), (gone, self.asked))
        own = Demand({'VCPU': 1}, [frozenset(['CUSTOM_FAST'])], told)
        required = 'required', 'CUSTOM_FAST,!COMPUTE_STATUS_DISABLED'
        look, _, gone = self.look(own)
        self.assertEqual(({1}, [1]), (look.refused, gone))
        self.assertEqual(
            {(('uuid', host), required) for host in 'xyz'},
            set(map(tuple, self.asked)),
        )
        # Of many hosts by one request.
        self.asked.clear()
        with mock.patch.object(second_look, '_ONE_BY_ONE', 2):
            look, _, gone = self.look(own)
        self.assertEqual(({1}, [[required]]), (look.refused, self.asked))
