"""FilterScheduler, and what the base class answers for compute."""

import testtools

from nova_ext import testing
from nova_ext.core import errors
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

    def test_what_compute_does_not_need(self):
        """A typed error that says who does it."""
        error = self.assertRaises(
            errors.UnsupportedMethodError, self.driver.schedule_run_instance,
            testing.make_context(),
        )
        self.assertIn("Nova's conductor does", str(error))
        self.assertRaises(
            errors.UnsupportedMethodError,
            self.driver.update_service_capabilities, 'compute', 'h', {},
        )
