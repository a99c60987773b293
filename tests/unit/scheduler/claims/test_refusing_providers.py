"""Know the providers that refuse."""

import testtools

from nova_ext.engine.providers import Provider
from nova_ext.scheduler.claims.refusing_providers import (
    MAX_REFUSALS,
    RefusingProviders,
)


class RefusingProvidersTest(testtools.TestCase):
    """One refuses, and is read."""

    def setUp(self):
        """Refuse once."""
        super().setUp()
        self.refusing = RefusingProviders()
        self.refusing.refuse(['p'], 10.0)

    def observe(self, began, used=0):
        """Read it."""
        self.refusing.observe(Provider('p', 1, {}, {'VCPU': used}), began)

    def test_read(self):
        """A reading that began later serves."""
        self.observe(10.0)
        self.assertEqual({'p': 10.0}, self.refusing.list_unread())
        self.assertEqual({'p'}, self.refusing.list_excluded())
        self.observe(10.1)
        self.assertEqual({}, self.refusing.list_unread())
        self.assertEqual(frozenset(), self.refusing.list_excluded())

    def test_again_and_again(self):
        """One that refuses without a change is left out until it changes.

        Several refusals between two readings are one.
        """
        for number in range(1, MAX_REFUSALS):
            self.assertEqual([], self.refusing.list_unchanged())
            self.refusing.refuse(['p'], 10.0 * number)
            self.observe(10.0 * number + 1)
            self.refusing.refuse(['p'], 10.0 * number + 2)
        self.assertEqual(['p'], self.refusing.list_unchanged())
        self.observe(90.0)
        self.assertEqual({'p'}, self.refusing.list_excluded())
        self.observe(91.0, used=1)
        self.assertEqual(frozenset(), self.refusing.list_excluded())

    def test_keep(self):
        """Nothing is known of one that placement has no more."""
        self.refusing.keep(['p'])
        self.assertEqual({'p'}, self.refusing.list_excluded())
        self.refusing.keep([])
        self.assertEqual(frozenset(), self.refusing.list_excluded())
