"""Run labs side by side, and damage labs."""

import socket

from testtools import testcase

from nova_ext.lab.services import layout
from nova_ext.lab.state import lab_state, paths
from tests.lab import base


class LifeTest(base.LabTestCase):
    """Leave nothing of a lab that is down, whatever happened to it."""

    up = None

    @testcase.attr('slow')
    def test_two_side_by_side(self):
        """Each has its own ports, servers and passwords; one dies hard."""
        self.lab('up', '--name', 'a', '--computes', '1')
        self.lab('up', '--name', 'b', '--computes', 'b-1')
        a, b = (lab_state.load(paths.find(name)) for name in 'ab')
        self.assertEqual(
            set(), set(a.ports.values()) & set(b.ports.values())
        )
        output = self.run_in_lab(
            'openstack', 'hypervisor', 'list', '-f', 'value', '-c',
            'Hypervisor Hostname', name='b',
        )
        self.assertEqual(['b-1'], output.split())
        nova = next(
            process for process in self.processes('a')
            if 'services.serve nova ' in ' '.join(process.cmdline())
        )
        nova.kill()
        nova.wait(10)
        self.assertIn('degraded', self.lab('status', '-f', 'csv'))
        self.lab('down', '--name', 'a')
        self.assertEqual([], self.processes('a'))
        for port in a.ports.values():
            with socket.socket() as probe:
                self.assertNotEqual(
                    0, probe.connect_ex(('127.0.0.1', port))
                )
        # A process each.
        self.assertEqual(
            len(layout.list_services(b)), len(self.processes('b'))
        )
        self.lab('delete', '--name', 'a')
        self.assertFalse((self.home / 'a').exists())

    def refusal(self, *words):
        """Return the one line that refuses a command."""
        output = self.lab(*words, status=1)
        self.assertNotIn('Traceback', output)
        return output.strip().splitlines()[-1]

    def test_refusals(self):
        """One line that says what to do, and nothing started."""
        for words, expected in (
            (('down', '--name', 'nosuch'), 'no lab named nosuch'),
            (('up', '--name', 'Bad Name'), '--name Bad Name'),
            (('up', '--name', 'c', '--computes', 'x:ram=1'), 'ram'),
            (('up', '--name', 'c', '--set', 'nova_ext.scheduler_drivr=x'),
             'scheduler_driver'),
            (('up', '--name', 'c', '--set', 'oops'), 'GROUP.OPTION=VALUE'),
            (('restart', 'nosuch', '--name', 'c'), 'no lab named c'),
            (('demo', '--name', 'c'), 'no lab named c'),
        ):
            self.assertIn(expected, self.refusal(*words), words)
        self.assertEqual([], self.processes('c'))

    def test_a_scheduler_that_refuses_to_start(self):
        """The service, the reason, and nothing left."""
        output = self.lab(
            'up', '--name', 'd', '--computes', '1',
            '--set', 'nova_ext.scheduler_driver=IPSchedule', status=1,
        )
        self.assertIn(
            '[nova_ext] scheduler_driver = IPSchedule: no such driver; did '
            'you mean IPScheduler?', output,
        )
        self.assertIn('nova', output.splitlines()[-1])
        self.assertNotIn('Traceback', output)
        self.assertEqual([], self.processes('d'))
