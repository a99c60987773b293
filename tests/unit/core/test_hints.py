"""Reading hints that users write."""

import testtools

from nova_ext import testing
from nova_ext.core import hints


class HintsTest(testtools.TestCase):
    """Any JSON may come."""

    def test_values(self):
        """Once, twice, empty, absent, and what is no text."""
        for given, expected in (
            ('cmp-1', ['cmp-1']),
            (['cmp-1', 'cmp-2'], ['cmp-1', 'cmp-2']),
            ('', []),
            (['', ' cmp-1 '], ['cmp-1']),
            (7, ['7']),
        ):
            request = testing.make_request({'h': given})
            self.assertEqual(expected, hints.values(request, 'h'))
        self.assertEqual([], hints.values(testing.make_request(), 'h'))

    def test_host_names_ignore_case(self):
        """As Nova compares the hosts it forces."""
        self.assertTrue(hints.same_host('Cmp-1', ['x', 'cMP-1']))
        self.assertFalse(hints.same_host('cmp-1', ['cmp-11', '']))
