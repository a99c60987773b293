"""Tell what plugins read that the journal lacks."""

import testtools
from nova.scheduler.filters import compute_filter, image_props_filter
from nova.scheduler.weights import image_props
from oslo_config import fixture

from nova_ext.filters.stats import StatsFilter
from nova_ext.scheduler.base import options
from nova_ext.scheduler.journal import inputs


class _RackFilter:
    """Stand for another package's."""


class UnknownTest(testtools.TestCase):
    """Each plugin has a line, where it reads more than is kept."""

    def setUp(self):
        """Let options be changed."""
        super().setUp()
        self.conf = self.useFixture(fixture.Config(options.CONF))

    def list_unknown(self, *plugins, hints=None):
        """Return what is missing of a request without extra specs."""
        return inputs.list_unknown(
            plugins, {'nova_object.data': {'scheduler_hints': hints}}, []
        )

    def test_known(self):
        """Nova's own read what is kept."""
        self.assertEqual([], self.list_unknown(
            compute_filter.ComputeFilter,
            image_props_filter.ImagePropertiesFilter,
        ))

    def test_another_package(self):
        """What others read is not known."""
        self.assertEqual(
            ['what _RackFilter reads: its inputs are unknown'],
            self.list_unknown(_RackFilter, _RackFilter),
        )

    def test_image_properties(self):
        """A weigher of Nova's that is turned on reads servers' images."""
        weigher = image_props.ImagePropertiesWeigher
        self.assertEqual([], self.list_unknown(weigher))
        self.conf.config(
            image_props_weight_multiplier=1.0, group='filter_scheduler'
        )
        self.assertEqual(
            ['image properties of the hosts\' servers'],
            self.list_unknown(weigher),
        )

    def test_stats(self):
        """Stats matter where the request names some."""
        self.assertEqual([], self.list_unknown(StatsFilter))
        self.assertEqual(
            ['stats that were pushed to the scheduler'],
            self.list_unknown(StatsFilter, hints={'stats:load': ['<= 1']}),
        )
