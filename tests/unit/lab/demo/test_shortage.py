"""End a shortage of hosts on answers of the test."""

import signal
from types import SimpleNamespace

from nova_ext.lab.demo import shortage
from nova_ext.lab.state import lock
from nova_ext.lab.state.errors import LabError
from tests.unit.lab import base

FREE_MB = 65536


class Cloud:
    """Keep what the shortage makes of some hosts.

    :param count: how many hosts.
    """

    def __init__(self, count):
        self.names = [f'cmp-{number}' for number in range(count)]
        self.flavors, self.groups, self.consumers = {}, {}, {}
        self.down = dict.fromkeys(self.names, False)
        self.compute = SimpleNamespace(
            post=self.create, put=self.force, delete=self.delete
        )
        self.placement = SimpleNamespace(post=self.allocate)
        self.during = lambda: None

    def get(self, kind, path):
        """Return the body of a GET."""
        memory = {'capacity': FREE_MB, 'used': 0}
        return {
            '/resource_providers': {'resource_providers': [
                {'name': name, 'uuid': name} for name in self.names
            ]},
            '/flavors': {'flavors': [*self.flavors.values()]},
            '/os-services?binary=nova-compute': {'services': [
                {'host': name, 'id': name, 'forced_down': self.down[name]}
                for name in self.names
            ]},
        }.get(path) or {'provider_summaries': {
            name: {'resources': {'MEMORY_MB': memory}} for name in self.names
        }}

    def create(self, path, json):
        """Create a flavor or a server group."""
        kind, body = next(iter(json.items()))
        body = {**body, 'id': body['name']}
        known = self.flavors if kind == 'flavor' else self.groups
        known[body['id']] = body
        return SimpleNamespace(json=lambda: {kind: body})

    def delete(self, path):
        """Delete one of them."""
        _, kind, name = path.split('/')
        known = self.flavors if kind == 'flavors' else self.groups
        del known[name]

    def force(self, path, json):
        """Force a host down, or up again."""
        self.during()
        self.down[path.rpartition('/')[2]] = json['forced_down']

    def allocate(self, path, json):
        """Keep, or remove allocations."""
        for consumer, claim in json.items():
            self.consumers[consumer] = claim['allocations']


class ShortageTest(base.LabTestCase):
    """Leave a cloud as it was."""

    def setUp(self):
        """Boot nothing."""
        super().setUp()
        self.removed = []
        self.patch(servers, 'boot', lambda *_: {'id': 'member'})
        self.patch(
            servers, 'remove', lambda cloud, name: self.removed.append(name)
        )

    def test_several_signals(self):
        """Undo all of it: closing a terminal sends more than one."""
        cloud = Cloud(10)

        def use():
            with shortage.create(cloud, 'a') as short:
                self.assertEqual(
                    short.down, [name for name in cloud.names
                                 if cloud.down[name]],
                )
                self.assertTrue(all(cloud.consumers.values()))
                cloud.during = lambda: signal.raise_signal(signal.SIGHUP)
                signal.raise_signal(signal.SIGHUP)

        with lock.interrupt_on_signals():
            self.assertRaises(KeyboardInterrupt, use)
        self.assertEqual({False}, set(cloud.down.values()))
        self.assertEqual(
            (False, {}, {}),
            (any(cloud.consumers.values()), cloud.flavors, cloud.groups),
        )
        self.assertEqual([shortage.MEMBER] * 2, self.removed)

    def test_down_before(self):
        """A host that somebody has forced down stays so."""
        cloud = Cloud(10)
        cloud.down = dict.fromkeys(cloud.names, True)
        with shortage.create(cloud, 'a') as short:
            self.assertTrue(short.down)
        self.assertEqual({True}, set(cloud.down.values()))

    def test_few_hosts(self):
        """Name the lab, and one that would have enough."""
        error = self.assertRaises(
            LabError, shortage.create(Cloud(3), 'a').__enter__
        )
        self.assertEqual(
            'lab a has 3 hosts with room; one with a hundred is another lab: '
            'nova-ext lab up --name a-why --stock --computes 100', str(error),
        )
