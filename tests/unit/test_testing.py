"""Doubles for authors of extensions."""

import testtools

from nova_ext import testing


class DoublesTest(testtools.TestCase):
    """They answer as Nova's objects do."""

    def test_hints(self):
        """One value comes bare, several as a list."""
        request = testing.make_request({'a': 'x', 'b': ['x', 'y']})
        self.assertEqual('x', request.get_scheduler_hint('a'))
        self.assertEqual(['x', 'y'], request.get_scheduler_hint('b'))
        self.assertEqual(7, request.get_scheduler_hint('c', 7))

    def test_fields(self):
        """Any field can be given; an unknown one is refused."""
        host = testing.make_host('a', free_ram_mb=5)
        self.assertEqual(('a', 'a', 5),
                         (host.host, host.nodename, host.free_ram_mb))
        self.assertRaises(TypeError, testing.make_host, 'a', free_ram=5)
        self.assertEqual(
            '10.1.0.9',
            testing.make_context(remote_address='10.1.0.9').remote_address,
        )
