"""Steps are kept raw, and told later."""

import testtools

from nova_ext.core import decision as d
from nova_ext.scheduler.explainers.reason import Reason
from nova_ext.scheduler.steps import Steps


class StepsTest(testtools.TestCase):
    """Hosts are strings here, and named by themselves."""

    def setUp(self):
        """No step yet."""
        super().setUp()
        self.steps = Steps()

    def test_told(self):
        """Hosts are counted by reason; those past the last one have none."""
        self.steps.add(
            'AFilter', 'filter', ['a', 'b', 'c', 'd'], ['c'],
            lambda gone: lambda: [Reason('down', f'was {gone[0]}')],
        )
        (step,) = self.steps.made
        self.assertEqual((4, 1, []), (
            step.hosts_in, step.hosts_out, step.rejections
        ))
        self.steps.tell(str)
        self.assertEqual([
            d.Rejection('', 2, ['b', 'd'], {}),
            d.Rejection('down', 1, ['a'], {'a': 'was a'}),
        ], step.rejections)

    def test_looked_at_once(self):
        """Hosts are looked at before the next step can change them."""
        hosts = [['up'], ['down']]

        def look(gone):
            words = [Reason(*host) for host in gone]
            return lambda: words

        self.steps.add('AFilter', 'filter', hosts, hosts[:1], look)
        hosts[1][0] = 'up'
        self.steps.tell(lambda host: f'host {hosts.index(host)}')
        self.assertEqual(
            ['down'], [one.reason for one in self.steps.made[0].rejections]
        )

    def test_failing(self):
        """Reasons that can't be looked for leave the steps as they are."""
        self.assertRaises(
            ZeroDivisionError, self.steps.add, 'AFilter', 'filter',
            ['a', 'b'], ['b'], lambda gone: 1 / 0,
        )
        self.steps.tell(str)
        (step,) = self.steps.made
        self.assertEqual([d.Rejection('', 1, ['a'], {})], step.rejections)

    def test_none_gone(self):
        """Nothing is looked at where all hosts stay."""
        self.steps.add('AFilter', 'filter', ['a'], ['a'], self.fail)
        self.steps.tell(str)
        self.assertEqual([], self.steps.made[0].rejections)
