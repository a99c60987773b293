"""Test who may name a host."""

from pathlib import Path

import fixtures
from oslo_context import context

from nova_ext.policy import enforcer, rules
from tests.unit.scheduler import configured


class RequestedHostTest(configured.ConfiguredTestCase):
    """Check nova_ext:requested_host."""

    def allowed(self, *roles, project='p'):
        """Say whether these roles in a project may, for a server of p."""
        who = context.RequestContext(roles=list(roles), project_id=project)
        return enforcer.allows(rules.REQUESTED_HOST, who, 'p')

    def test_default(self):
        """Allow administrators, and managers of the project."""
        self.assertTrue(self.allowed('admin', project='other'))
        self.assertTrue(self.allowed('manager'))
        self.assertFalse(self.allowed('manager', project='other'))
        self.assertFalse(self.allowed('member', 'reader'))

    def test_policy_file(self):
        """Read our policy file, and not Nova's."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        own = folder / 'ours.yaml'
        own.write_text('"nova_ext:requested_host": "role:member"\n')
        nova = folder / 'policy.yaml'
        nova.write_text('"nova_ext:requested_host": "@"\n')
        self.conf.conf(
            args=['--config-dir', str(folder)], default_config_files=[]
        )
        self.assertFalse(self.allowed('member'))
        self.flags('nova_ext', policy_file=str(own))
        self.assertTrue(self.allowed('member'))
        self.assertFalse(self.allowed('reader'))
