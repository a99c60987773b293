"""Hold claims until they were read."""

import testtools

from nova_ext.scheduler.mirror import claims


class ClaimsTest(testtools.TestCase):
    """Keep claims of two servers on one provider."""

    def setUp(self):
        """Claim at 10 and at 20 seconds."""
        super().setUp()
        self.claims = claims.Claims()
        for server, at in (('s1', 10.0), ('s2', 20.0)):
            self.claims.add(server, {'p1': {'resources': {'VCPU': 2}}}, at)

    def test_let_go(self):
        """A reading lets go of what was answered before it began."""
        self.assertEqual({'p1': {'VCPU': 4}}, self.claims.sum_up().amounts)
        self.claims.let_go({'p2': 99.0, 'p1': 10.0})
        self.assertEqual({'p1': {'VCPU': 4}}, self.claims.sum_up().amounts)
        self.claims.let_go({'p1': 10.1})
        self.assertEqual({'p1': {'VCPU': 2}}, self.claims.sum_up().amounts)
        self.assertEqual({'p1'}, self.claims.take_pending())
        self.claims.let_go({'p1': 20.1})
        self.assertEqual({}, self.claims.sum_up().amounts)
        self.assertEqual(set(), self.claims.take_pending())

    def test_undo(self):
        """An undone claim is held no longer, and its provider read again."""
        self.claims.undo('s1')
        self.claims.undo('unknown')
        self.assertEqual({'p1': {'VCPU': 2}}, self.claims.sum_up().amounts)
        self.claims.undo('s2')
        self.assertEqual({}, self.claims.sum_up().amounts)
        self.assertEqual({'p1'}, self.claims.take_pending())
        self.assertEqual(set(), self.claims.take_pending())

    def test_refuse(self):
        """A provider that refused is left out until it was read."""
        self.claims.refuse({'p3': {}}, 30.0)
        self.claims.let_go({'p3': 30.0})
        self.assertEqual({'p3'}, self.claims.sum_up().refused)
        self.assertIn('p3', self.claims.take_pending())
        self.claims.let_go({'p3': 30.1})
        self.assertEqual(set(), self.claims.sum_up().refused)
