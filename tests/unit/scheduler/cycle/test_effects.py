"""Do what a decision does besides choosing hosts."""

from types import SimpleNamespace

import testtools

from nova_ext.scheduler.cycle import effects
from nova_ext.scheduler.cycle.effects import BOOTS


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


class SimulatedTest(testtools.TestCase):
    """Boots go first."""

    def test_patience(self):
        """It waits for a boot, and for so long in all."""
        self.patch(effects, 'GIVE_WAY_S', 0.01)
        ranked = []
        watch = SimpleNamespace(
            before_ranking=lambda spec: None,
            after_ranking=lambda spec, hosts: ranked.append(hosts),
        )
        simulated = effects.SimulatedEffects('copy', lambda trace: None, watch)
        with BOOTS.go_first():
            for _ in range(3):
                simulated.before_ranking(None)
        self.assertLessEqual(simulated._patience_s, 0)
        self.assertEqual('copy', simulated.get_placement('live'))
        simulated.after_ranking(None, ['cmp-1'])
        self.assertEqual([['cmp-1']], ranked)
