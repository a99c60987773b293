"""The names that Nova's own filters and weighers have."""

import testtools
from nova.scheduler import filters, weights

from nova_ext.core import nova_names


class NovaNamesTest(testtools.TestCase):
    """Against the Nova that is installed."""

    def test_none_is_missing(self):
        """Each class of Nova's is listed."""
        for listed, there in (
            (nova_names.FILTERS, filters.all_filters()),
            (nova_names.WEIGHERS, weights.all_weighers()),
        ):
            self.assertEqual(listed, {cls.__name__ for cls in there})
