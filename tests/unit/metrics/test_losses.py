"""Turn rehearsals into metrics."""

import testtools

from nova_ext.core.rpc.rehearsal import Order
from nova_ext.metrics import losses
from tests.unit.metrics import clouds
from tests.unit.metrics.test_capacity import collect

BACK, GONE, REFUSED = 'placed', 'no host', 'refused'


class LossesTest(testtools.TestCase):
    """Lose hosts, each for itself."""

    def ask(self, **outcomes):
        """Return the metrics, and the orders that were tried, by host.

        :param outcomes: by host, of each order; or those of the engine.
        """
        cloud = clouds.DoubleCloud()
        for host, by_order in outcomes.items():
            cloud.moves |= {
                (host, order): each
                for order, each in zip(Order, by_order, strict=True)
            } if isinstance(by_order[0], list) else {host: by_order}
        metrics = collect(losses.ask_hosts(cloud))
        self.at_once = [
            list(body['losses']['losses']) for body in cloud.asked
            if 'losses' in body
        ]
        return metrics, {
            (body['rehearsal']['hosts'][0], body['rehearsal']['order'])
            for body in cloud.asked if 'rehearsal' in body
        }

    def test_worst(self):
        """Count the worst loss, in the best order."""
        metrics, tried = self.ask(
            well=[[BACK, BACK], [], []],
            ill=[[BACK, GONE, GONE], [GONE] * 3, [BACK, BACK, GONE]],
            paused=[[REFUSED, REFUSED, BACK], [], []],
        )
        self.assertEqual({
            ('servers_not_back', 'host', 'no_host'): 1,
            ('servers_not_back', 'host', 'refused'): 2,
            ('losses_rehearsed', 'host'): 3,
        }, metrics)
        self.assertEqual({
            ('well', 'listed'), ('paused', 'listed'),
            *(('ill', order) for order in Order),
        }, tried)

    def test_engine(self):
        """Ask for all losses at once, and again for what the engine leaves."""
        metrics, tried = self.ask(
            numa=[[GONE], [GONE], [GONE]], ill=[BACK, GONE, GONE],
            paused=[REFUSED],
        )
        self.assertEqual({
            ('servers_not_back', 'host', 'no_host'): 2,
            ('servers_not_back', 'host', 'refused'): 1,
            ('losses_rehearsed', 'host'): 3,
        }, metrics)
        self.assertEqual({'numa'}, {host for host, _ in tried})
        self.assertEqual([['ill', 'numa', 'paused']], self.at_once)

    def test_none(self):
        """A cloud without hosts loses nothing."""
        self.assertEqual(
            0, self.ask()[0]['servers_not_back', 'host', 'no_host']
        )
