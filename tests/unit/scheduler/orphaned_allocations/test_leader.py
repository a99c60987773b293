"""Choose the one worker of all schedulers that does a thing."""

import multiprocessing
from unittest import mock

from nova import objects

from nova_ext.scheduler.orphaned_allocations.leader import Leader
from tests.unit.scheduler import configured


class LeaderTest(configured.ConfiguredTestCase):
    """Workers are forks of the process that makes the leader."""

    def setUp(self):
        """Have three schedulers, of which the first is down."""
        super().setUp()
        objects.register_all()
        self.up = ['ctl-2', 'ctl-3']
        services = [
            objects.Service(host=host) for host in ('ctl-3', 'ctl-1', 'ctl-2')
        ]
        patched = mock.patch.object(
            objects.ServiceList, 'get_by_binary', return_value=services
        )
        patched.start()
        self.addCleanup(patched.stop)
        self.fork = multiprocessing.get_context('fork')

    def test_hosts(self):
        """The first by name leads, of those that are up."""
        self.assertTrue(self.make('ctl-2').leads())
        self.assertFalse(self.make('ctl-1').leads())
        self.assertFalse(self.make('ctl-3').leads())
        self.up.remove('ctl-2')
        self.assertTrue(self.make('ctl-3').leads())
        self.up.clear()
        self.assertFalse(self.make('ctl-3').leads())

    def test_workers(self):
        """One worker of a host leads; another does after its end."""
        leader = self.make('ctl-2')
        first, second = self.start(leader), self.start(leader)
        self.assertTrue(self.ask(first))
        self.assertFalse(self.ask(second))
        self.assertTrue(self.ask(first))
        first[0].kill()
        first[0].join()
        self.assertTrue(self.ask(second))

    def make(self, host):
        """Return a scheduler's."""
        api = mock.Mock()
        api.service_is_up = lambda service: service.host in self.up
        return Leader(host, api)

    def start(self, leader):
        """Start a worker, which tells whether it leads."""
        here, there = self.fork.Pipe()

        def work():
            while there.recv():
                there.send(leader.leads())

        worker = self.fork.Process(target=work)
        worker.start()
        self.addCleanup(worker.join)
        self.addCleanup(worker.kill)
        return worker, here

    @staticmethod
    def ask(worker):
        """Return what a worker says."""
        worker[1].send(True)
        return worker[1].recv()
