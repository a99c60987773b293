"""Reading hints that users write."""

import testtools

from nova_ext import testing
from nova_ext.core.request import scheduler_hints


class HintsTest(testtools.TestCase):
    """Any JSON may come."""

    def test_values(self):
        """Once, twice, empty, absent, and what is no text."""
        for value, expected in (
            ('cmp-1', ['cmp-1']),
            (['cmp-1', 'cmp-2'], ['cmp-1', 'cmp-2']),
            ('', []),
            (['', ' cmp-1 '], ['cmp-1']),
            (7, ['7']),
        ):
            request = testing.make_request({'h': value})
            self.assertEqual(
                expected, scheduler_hints.get_hint_values(request, 'h')
            )
        self.assertEqual(
            [], scheduler_hints.get_hint_values(testing.make_request(), 'h')
        )

    def test_no_hints(self):
        """Nova leaves the field unset, or None."""
        for hints in ({}, None):
            request = testing.FakeRequest(scheduler_hints=hints)
            self.assertEqual([], scheduler_hints.get_hint_values(request, 'h'))
            self.assertEqual([], scheduler_hints.get_hint_names(request, 'h'))
        # An unset field raises when it is read.
        unset = {'flavor': None}
        self.assertEqual([], scheduler_hints.get_hint_values(unset, 'h'))
        self.assertEqual([], scheduler_hints.get_hint_names(unset, 'h'))

    def test_names(self):
        """Of a prefix; one without a value is not given."""
        request = testing.make_request({
            'stats:load1': '<= 8', 'stats:ssd': '', 'rack': 'r',
        })
        self.assertEqual(
            ['stats:load1'], scheduler_hints.get_hint_names(request, 'stats:')
        )
        self.assertEqual(
            [],
            scheduler_hints.get_hint_names(testing.make_request(), 'stats:'),
        )

    def test_host_names_ignore_case(self):
        """As Nova compares the hosts it forces."""
        self.assertTrue(scheduler_hints.is_host_in('Cmp-1', ['x', 'cMP-1']))
        self.assertFalse(scheduler_hints.is_host_in('cmp-1', ['cmp-11', '']))


class DeclaredTest(testtools.TestCase):
    """Test the hints that plugins declare."""

    def test_declared(self):
        """Names, a prefix, both, and what is no declaration."""
        for names, prefix, expected in (
            (('a', 'b'), '', {'a', 'b'}),
            (['a'], 'stats:', {'a', 'stats:*'}),
            ((), '', set()),
            (None, 'stats:', {'stats:*'}),
            (None, '', None),
            ('rack', '', None),
            ((1,), None, None),
        ):
            self.assertEqual(
                expected, scheduler_hints.get_declared_hints(names, prefix)
            )

    def test_is_among(self):
        """By the whole name, or by what it begins with."""
        names = {'rack', 'stats:*'}
        for hint in ('rack', 'stats:load1', 'stats:'):
            self.assertTrue(scheduler_hints.is_declared(hint, names), hint)
        for hint in ('racks', 'rac', 'stats', 'x', '*'):
            self.assertFalse(scheduler_hints.is_declared(hint, names), hint)
