"""Do what a decision does besides choosing hosts."""

from types import SimpleNamespace

import testtools

from nova_ext.scheduler.cycle import effects


class ProbeTest(testtools.TestCase):
    """Servers that do not exist."""

    def test_host_states(self):
        """Nodes of one host share servers with each other alone."""
        servers = {'s1': 'server'}
        states = [SimpleNamespace(instances=servers) for _ in range(2)]
        first, second = effects.ProbeEffects().isolate(states)
        first.instances['s2'] = 'new'
        self.assertEqual({'s1': 'server'}, servers)
        self.assertIs(first.instances, second.instances)

    def test_chosen(self):
        """Hosts are kept where there are too few."""
        probe = effects.ProbeEffects()
        probe.note_chosen(['cmp-1', 'cmp-2'], 2)
        self.assertEqual([], probe.chosen)
        probe.note_chosen(['cmp-1'], 2)
        self.assertEqual(['cmp-1'], probe.chosen)
