"""What nova-ext brings into a stock nova-scheduler stays small."""

import testtools

from tests import audit

#: Packages of nova-ext with parts that a stock nova-scheduler has.
ALLOWED = {
    'conf', 'core', 'filters', 'nova_releases', 'plugin', 'policy', 'record',
    'scheduler', 'weighers',
}
#: Parts of the scheduler that need nova-ext-scheduler.
FORBIDDEN = tuple(f'nova_ext.scheduler.{name}' for name in (
    'claims', 'cycle.effects', 'cycle.nova_decider', 'launch', 'manager',
    'mirror', 'offers', 'orphaned_allocations', 'rpc', 'startup', 'what_if',
))


class AuditTest(testtools.TestCase):
    """Plugin mode filters, weighs and records one request.

    nova-ext-scheduler checks what it checks at its start.
    """

    def test_lines(self):
        """What an operator has to trust is at most 8,000 lines."""
        plugin = audit.measure()['plugin']
        self.assertIn('nova_ext.record.writer', plugin.modules)
        self.assertIn('nova_ext.filters.stats', plugin.modules)
        self.assertLessEqual(plugin.lines_of_others, 8000)

    def test_packages(self):
        """Nothing of zones, API, lab, lint or scheduler mode."""
        names = audit.measure()['plugin'].modules
        self.assertEqual(
            set(), {
                name.split('.')[1] for name in names if '.' in name
            } - ALLOWED,
        )
        self.assertEqual(
            [], [name for name in names if name.startswith(FORBIDDEN)]
        )

    def test_third_party(self):
        """No package that stock nova-scheduler does not load."""
        self.assertEqual([], audit.measure()['plugin'].packages)

    def test_effects(self):
        """The record is written, and nothing is connected to."""
        plugin = audit.measure()['plugin']
        self.assertEqual(
            ['$folder/decisions.jsonl', '$folder/decisions.jsonl.lock'],
            plugin.written,
        )
        self.assertEqual([], plugin.connected)

    def test_scheduler(self):
        """Neither the mirror nor numpy is loaded; nothing is connected to."""
        scheduler = audit.measure()['scheduler']
        self.assertIn('nova_ext.scheduler.manager', scheduler.modules)
        self.assertNotIn('nova_ext.scheduler.mirror.mirror', scheduler.modules)
        self.assertNotIn('numpy', scheduler.packages)
        self.assertEqual([], scheduler.connected)

    @testtools.skipUnless(audit.HAS_MIRROR, 'the mirror needs Nova 33')
    def test_mirror(self):
        """The mirror and numpy are loaded; nothing is connected to."""
        mirrored = audit.measure()['mirror']
        self.assertIn('nova_ext.scheduler.mirror.mirror', mirrored.modules)
        self.assertIn('numpy', mirrored.packages)
        self.assertEqual([], mirrored.connected)
