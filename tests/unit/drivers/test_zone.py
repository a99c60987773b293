"""ZoneAwareScheduler."""

import testtools

from nova_ext import testing
from nova_ext.core.plugin import schedule_method
from nova_ext.drivers.zone import ZoneAwareScheduler


class Offerer:
    """Answer every question with itself."""

    def make_offers(self, context, question):
        """Return what it got."""
        return {'context': context, **question}


class ZoneAwareSchedulerTest(testtools.TestCase):
    """The driver of topic zone."""

    def test_offers(self):
        """It is asked by name, and answers what the scheduler says."""
        driver = ZoneAwareScheduler(testing.FakeFacts())
        driver.offerer = Offerer()
        context = testing.make_context()
        call = schedule_method.bind_method(
            driver, 'make_offers', context, {'question': {'held': []}}
        )
        self.assertEqual({'context': context, 'held': []}, call())
        self.assertEqual('zone', driver.topic)
