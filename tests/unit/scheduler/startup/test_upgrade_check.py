"""Tests of what is looked at before an upgrade."""

import fixtures
from oslo_config import cfg
from oslo_upgradecheck.upgradecheck import Code
from testtools import matchers

from nova_ext.scheduler.startup import startup_check, upgrade_check
from tests.unit.scheduler import configured


class ReleaseTest(configured.ConfiguredTestCase):
    """Nova as it might become."""

    def look(self, name, value):
        """The check's code and details, with something else in release."""
        self.useFixture(fixtures.MonkeyPatch(
            f'nova_ext.scheduler.base.releases.{name}', value
        ))
        found = upgrade_check.Checks()._release()
        return found.code, found.details

    def test_lost(self):
        """What is needed and gone fails, whatever the version."""
        code, details = self.look('SEAMS', {'nova.rpc.no_such': ()})
        self.assertEqual(Code.FAILURE, code)
        self.assertThat(details, matchers.StartsWith(
            'nova.rpc.no_such is gone. Upgrade'
        ))

    def test_unlisted(self):
        """Another version alone is a warning."""
        code, details = self.look('metadata.version', lambda name: '35.0.0')
        self.assertEqual(Code.WARNING, code)
        self.assertIn('not tested with Nova 35.0.0', details)

    def test_unforeseen(self):
        """No traceback, which oslo.upgradecheck would print."""
        code, details = self.look('lost', lambda: {}['s3cret'])
        self.assertEqual(Code.FAILURE, code)
        self.assertIn(': KeyError at ', details)
        self.assertNotIn('s3cret', details)


class ConfigurationTest(configured.ConfiguredTestCase):
    """What may be raised while all is loaded."""

    def test_unreadable(self):
        """oslo.config's own words."""
        def fails():
            raise cfg.NoSuchOptError('lost')

        self.useFixture(fixtures.MonkeyPatch(
            f'{startup_check.__name__}.check', fails
        ))
        found = upgrade_check.Checks()._configuration()
        self.assertEqual(Code.FAILURE, found.code)
        self.assertIn('no such option lost', found.details)
