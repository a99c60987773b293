"""SpecifiedHostFilter binds the first boot."""

import testtools

from nova_ext import testing
from nova_ext.core.plugin.answers import PASS, reject
from nova_ext.filters.specified_host import SpecifiedHostFilter


class SpecifiedHostFilterTest(testtools.TestCase):
    """Pass the named host alone."""

    def check(self, hint, host='cmp-1', **fields):
        """Return the verdict for a host."""
        hints = {} if hint is None else {'requested_host': hint}
        return testing.check(
            SpecifiedHostFilter(), testing.make_host(host),
            testing.make_request(hints, **fields),
        )

    def test_first_boot(self):
        """Named, in any case, one of several, another, empty, absent."""
        for hint, verdict in (
            ('cmp-1', PASS),
            ('CMP-1', PASS),
            (['cmp-2', 'cmp-1'], PASS),
            ('', PASS),
            (None, PASS),
            ('cmp-2', reject('requested_host is cmp-2')),
            ('cmp-11', reject('requested_host is cmp-11')),
            (['b', 'c'], reject('requested_host is b or c')),
        ):
            self.assertEqual(verdict, self.check(hint), hint)

    def test_later_the_server_is_free(self):
        """A move, a return, a forced or requested host, a rebuild."""
        for fields in (
            {'ignore_hosts': ['cmp-2']},
            {'requested_destination': testing.FakeDestination(cell='c')},
            {'requested_destination': testing.FakeDestination(host='cmp-1')},
            {'force_hosts': ['cmp-1']},
        ):
            self.assertEqual(PASS, self.check('cmp-2', **fields), fields)

    def test_restricted_only_where_it_binds(self):
        """The policy is asked for first boots with the hint alone."""
        is_restricted = SpecifiedHostFilter().is_restricted
        hint = {'requested_host': 'cmp-2'}
        self.assertTrue(is_restricted(testing.make_request(hint)))
        self.assertFalse(is_restricted(testing.make_request()))
        self.assertFalse(
            is_restricted(testing.make_request({'requested_host': ''}))
        )
        self.assertFalse(
            is_restricted(testing.make_request(hint, ignore_hosts=['cmp-2']))
        )
