"""Let boots go before a simulation."""

from types import SimpleNamespace

import testtools

from nova_ext.scheduler.cycle.effects import BOOTS
from nova_ext.scheduler.what_if.simulate import simulated_effects


class SimulatedTest(testtools.TestCase):
    """Boots go first."""

    def test_patience(self):
        """It waits for a boot, and for so long in all."""
        self.patch(simulated_effects, 'GIVE_WAY_S', 0.01)
        ranked = []
        watch = SimpleNamespace(
            before_ranking=lambda spec: None,
            after_ranking=lambda spec, hosts: ranked.append(hosts),
        )
        simulated = simulated_effects.SimulatedEffects(
            'copy', lambda trace: None, watch
        )
        with BOOTS.go_first():
            for _ in range(3):
                simulated.before_ranking(None)
        self.assertLessEqual(simulated._patience_s, 0)
        self.assertEqual('copy', simulated.get_placement('live'))
        simulated.after_ranking(None, ['cmp-1'])
        self.assertEqual([['cmp-1']], ranked)
