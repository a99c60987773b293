"""Run openstack scheduler mirror list."""

from nova_ext.osc import mirror
from tests.unit.osc import base


class MirrorTest(base.CommandTestCase):
    """Mirrors of two workers."""

    def test_list(self):
        """Show what each worker does; one without a mirror has no numbers."""
        one, other = self.json_of(mirror.ListMirrors)
        self.assertEqual(
            ('ctl', 7, 3.2, {'no_host': 2}),
            (one['Host'], one['Worker'], one['Age S'], one['Fallbacks']),
        )
        self.assertEqual(
            (9, 8, ['p7']),
            (one['Providers'], one['Providers Read'], one['Refusing']),
        )
        self.assertEqual(('off', None), (other['Mode'], other['Decided']))
        self.assertNotIn('None', self.run_command(mirror.ListMirrors))
