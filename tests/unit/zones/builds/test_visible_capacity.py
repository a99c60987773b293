"""Say who learns from builds how full the zones are."""

import json
from pathlib import Path

from oslo_config import cfg

from nova_ext.zones.osc import build_plan, build_report
from tests.unit.zones.builds.test_planning import BuildsTestCase


class VisibleCapacityTest(BuildsTestCase):
    """Builds of two servers, at costs of 5 and 10."""

    def setUp(self):
        """Add a child zone."""
        super().setUp()
        self.add_child('one', 5, 25)

    def set_policy(self, **rules):
        """Write the file that overrides policies."""
        Path(cfg.CONF.nova_ext.policy_file).write_text(json.dumps({
            f'nova_ext:{name}': check for name, check in rules.items()
        }))

    def costs(self, who):
        """Return the costs that a user sees: planned, created, shown."""
        plan = self.build(2, 200, who, dry_run=True)['plan']
        build = self.build(2, who=who)['build']
        shown = self.send('GET', f'/{build["id"]}', who)['build']
        resumed = self.send(
            'POST', f'/{build["id"]}/resume', who, 202
        )['build']
        return [
            [each['cost'] for each in places] for places in (
                plan['places'], build['items'], shown['items'],
                resumed['items'],
            )
        ]

    def test_costs(self):
        """Costs are for those who may see capacities."""
        self.assertEqual([[5, 10]] * 4, self.costs('admin'))

    def test_members(self):
        """Others see null, in places and order as they are."""
        self.assertEqual([[None, None]] * 4, self.costs('member'))

    def test_policy(self):
        """The policy of capacities decides."""
        self.set_policy(**{'capacity:create': 'role:member'})
        self.assertEqual([[5, 10]] * 4, self.costs('member'))

    def test_dry_run(self):
        """A dry run has a policy of its own, and asks no zone without it."""
        self.set_policy(**{'builds:dry_run': 'role:admin'})
        error, = self.build(1, 403, dry_run=True)['errors']
        self.assertIn('nova_ext:builds:dry_run', error['detail'])
        self.assertEqual([], self.backends.fake.asked)
        self.build(1, 200, 'admin', dry_run=True)
        self.build(1)

    def test_client(self):
        """The client leaves out what it is not told."""
        self.assertEqual('', build_plan.show_cost({'cost': None}))
        item = {
            'state': 'failed', 'reason': 'quota', 'zone': 'z', 'cost': None,
            'updated_at': 'at', 'number': 1, 'attempt': 1,
        }
        self.assertIn(
            '  at: zone z: server 1, attempt 1: quota',
            [*build_report.list_refused([item])],
        )
