"""Test who may name a host."""

import os
import time
from pathlib import Path

import fixtures
from oslo_context import context

from nova_ext.core.base import errors
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

    def test_changed_file(self):
        """Notice soon, also while others are checked, that it changed."""
        path = Path(self.useFixture(fixtures.TempDir()).join('p.yaml'))
        self.flags('nova_ext', policy_file=str(path))
        for number, (role, other) in enumerate((
            ('member', 'reader'), ('reader', 'member'),
        )):
            path.write_text(f'"nova_ext:requested_host": "role:{role}"\n')
            # Both may be written within one tick of the file system's clock.
            os.utime(path, (10**9 + number,) * 2)
            ends = time.monotonic() + 60
            while not self.allowed(role) and time.monotonic() < ends:
                time.sleep(0.05)
            self.assertTrue(self.allowed(role))
            self.assertFalse(self.allowed(other))


class ValidateTest(configured.ConfiguredTestCase):
    """Refuse a policy file that can't be meant so."""

    def setUp(self):
        """Choose a file, and watch what is logged."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())
        self.path = Path(self.useFixture(fixtures.TempDir()).join('p.yaml'))

    def validate(self, text):
        """Validate a file of this text."""
        self.path.write_text(text)
        self.flags('nova_ext', policy_file=str(self.path))
        enforcer.validate()

    def refusal(self, text):
        """Return the line that refuses a file, without its name."""
        error = self.assertRaises(
            errors.ConfigurationError, self.validate, text
        )
        self.assertNotIn('\n', str(error))
        self.assertNotIn('Traceback', self.log.output)
        return str(error).removeprefix(
            f'[nova_ext] policy_file = {self.path}: '
        )

    def test_not_parsed(self):
        """Name a rule that oslo.policy would let nobody pass."""
        for rule in ('role:admin or (', 'role:admin or foo',
                     'role:admin role:manager', 'not'):
            self.assertIn(
                f"nova_ext:requested_host = '{rule}' can't be parsed; ",
                self.refusal(f'"nova_ext:requested_host": "{rule}"'),
            )

    def test_undefined(self):
        """Name a rule that is referred to and is not there."""
        for rule in ('rule:nobdy', 'not rule:nobdy',
                     'role:admin and (@ or rule:nobdy)'):
            self.assertIn(
                f"'{rule}' names the rule nobdy, which is not defined; did "
                'you mean nobody? ',
                self.refusal(
                    f'nobody: "!"\nnova_ext:requested_host: "{rule}"'
                ),
            )

    def test_unknown(self):
        """Name a rule of ours that does not exist."""
        self.assertIn(
            'there is no rule nova_ext:requested_hosts; did you mean '
            'nova_ext:requested_host? ',
            self.refusal('"nova_ext:requested_hosts": "@"'),
        )

    def test_features(self):
        """Know the rules of features, where the file names one of them."""
        for text in ('"nova_ext:zones:get": "role:member"',
                     '"nova_ext:requested_host": "rule:nova_ext:zones:get"'):
            self.validate(text)
        who = context.RequestContext(roles=['member'], project_id='p')
        self.assertTrue(enforcer.allows('nova_ext:builds:create', who, 'p'))
        self.assertFalse(enforcer.allows('nova_ext:zones:get', who, 'p'))
        self.assertIn(
            'there is no rule nova_ext:zones:gets; did you mean '
            'nova_ext:zones:get? ',
            self.refusal('"nova_ext:zones:gets": "@"'),
        )

    def test_cycle(self):
        """Refuse rules that name each other."""
        self.assertIn('names itself', self.refusal('a: rule:b\nb: rule:a'))

    def test_no_rules(self):
        """Refuse a file of something else."""
        for text in ('- a', '5', '"nova_ext:requested_host": true'):
            self.assertIn('no mapping of rules', self.refusal(text))

    def test_right(self):
        """Accept every form that oslo.policy understands."""
        for rule in ('"@"', '"!"', '""', '[["role:admin"], ["!"]]',
                     '"rule:own and not (role:a or !)"',
                     '"http://127.0.0.1/ask or project_id:%(project_id)s"'):
            self.validate(f'own: "@"\n"nova_ext:requested_host": {rule}')
        self.assertEqual('', self.log.output)
