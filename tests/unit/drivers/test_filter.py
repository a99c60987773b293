"""FilterScheduler, and what the base class answers for compute."""

import testtools

from nova_ext import testing
from nova_ext.drivers.filter import FilterScheduler


class FilterSchedulerTest(testtools.TestCase):
    """Nova's order stays."""

    def setUp(self):
        """One driver without facts."""
        super().setUp()
        self.driver = FilterScheduler(None)

    def test_order_is_kept(self):
        """Nothing is left out or moved."""
        hosts = [testing.make_host(name) for name in 'cab']
        ranking = self.driver.rank(
            hosts, testing.make_request(), testing.make_context()
        )
        self.assertEqual((hosts, ''), (ranking.hosts, ranking.why))

    def test_select_destinations_is_the_schedulers(self):
        """Unless a driver overrides it."""
        self.assertEqual(
            'answer',
            self.driver.select_destinations(
                testing.make_context(), testing.make_request(), {},
                lambda: 'answer',
            ),
        )

    def test_run_instance(self):
        """What creates servers is given all there is to know."""
        class Launcher:
            def launch(self, *told):
                return told[1:]

        self.driver.launcher = Launcher()
        self.assertEqual(
            ({'name': 'a'}, 2, {}, '2.37'),
            self.driver.schedule_run_instance(
                testing.make_context(), server={'name': 'a'}, count=2,
                microversion='2.37',
            ),
        )

    def test_hosts_by_what_they_report(self):
        """Those that are up; one of two values is in two groups."""
        driver = FilterScheduler(testing.FakeFacts(
            up=['a', 'b', 'c'], reported={
                'a': {'disk': ('ssd', 'hdd')}, 'b': {'disk': ('hdd',)},
                'down': {'disk': ('ssd',)},
            },
        ))
        context = testing.make_context()
        self.assertEqual(
            {'ssd': ['a'], 'hdd': ['a', 'b'], '': ['c']},
            driver.group_hosts(context, 'compute', 'disk'),
        )
        self.assertEqual(
            {'': ['a', 'b', 'c']}, driver.group_hosts(context, 'compute')
        )
