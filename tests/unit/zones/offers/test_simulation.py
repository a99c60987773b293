"""Many zones at several depths, with many hosts each."""

import fixtures
import testtools
from oslo_config import cfg
from oslo_config import fixture as config

from tests.bench.zones import simulation

ZONES, HOSTS, SERVERS = 20, 40, 60


class SimulationTest(testtools.TestCase):
    """A small form of what ``tox -e bench`` measures."""

    def test_build(self):
        """The cheapest hosts of all, at the price that is documented."""
        self.useFixture(fixtures.FakeLogger('nova_ext'))
        self.useFixture(config.Config(cfg.CONF))
        folder = self.useFixture(fixtures.TempDir()).path
        with simulation.Simulation(
            folder, ZONES, HOSTS, workers=1
        ) as simulated:
            result = simulated.plan(SERVERS, measure_memory=True)
        simulation.check(simulated, SERVERS, result)
        self.assertEqual(SERVERS, len(result.plan.offers))
