"""Load all that a start loads, and say in one line what would stop it."""

from pathlib import Path

import fixtures
from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights
from oslo_config import cfg
from oslo_upgradecheck.upgradecheck import Code
from testtools import matchers

from nova_ext.core.base import errors
from nova_ext.lint.subject.known_names import FILTERS_LINE
from nova_ext.scheduler import weights
from nova_ext.scheduler.startup import startup_check
from tests.unit.scheduler import configured


class UnstartableFilter(nova_filters.BaseHostFilter):
    """Raise while a filter of Nova's is made."""

    def __init__(self):
        raise RuntimeError('no licence')


class UnstartableWeigher(nova_weights.BaseHostWeigher):
    """Raise while a weigher of Nova's is made."""

    def __init__(self):
        raise RuntimeError('no licence')


class CheckTest(configured.ConfiguredTestCase):
    """Load Nova's real classes, without a database."""

    def configure(self, *lines):
        """Read a nova.conf of these lines."""
        path = Path(self.useFixture(fixtures.TempDir()).join('nova.conf'))
        path.write_text('\n'.join(lines))
        self.conf.conf(args=['--config-file', str(path)])

    def refusal(self, *lines):
        """Return the line that refuses these lines of nova.conf."""
        self.configure(*lines)
        error = self.assertRaises(errors.NovaExtError, startup_check.check)
        self.assertNotIn('\n', str(error))
        return str(error)

    def test_stock(self):
        """Accept Nova's defaults."""
        startup_check.check()

    def test_ours(self):
        """Accept all filters, weighers and drivers of nova-ext."""
        self.configure(
            '[filter_scheduler]', f'available_filters = {FILTERS_LINE}',
            f'weight_classes = {weights.LINE}',
            'enabled_filters = ComputeFilter,SpecifiedHostFilter',
            '[nova_ext]', 'scheduler_driver = IPScheduler',
        )
        startup_check.check()

    def test_unknown_filter(self):
        """Name the filter, without a line of nova-ext."""
        self.assertIn(
            '[filter_scheduler] enabled_filters = CoreFiltre: no such',
            self.refusal(
                '[filter_scheduler]', 'enabled_filters = CoreFiltre'
            ),
        )

    def test_filter_that_does_not_start(self):
        """Make filters, not only find them."""
        self.assertIn(
            'enabled_filters = UnstartableFilter: does not start: '
            'RuntimeError: no licence',
            self.refusal(
                '[filter_scheduler]',
                f'available_filters = {__name__}.UnstartableFilter',
                'enabled_filters = UnstartableFilter',
            ),
        )

    def test_weigher_that_does_not_start(self):
        """Make weighers, not only find them."""
        self.assertIn(
            'weight_classes = UnstartableWeigher: does not start',
            self.refusal(
                '[filter_scheduler]',
                f'weight_classes = {__name__}.UnstartableWeigher',
            ),
        )

    def test_driver_and_rule(self):
        """Make the driver, with its rules."""
        self.assertIn('scheduler_driver = IPSchedular: no such', self.refusal(
            '[nova_ext]', 'scheduler_driver = IPSchedular',
        ))
        self.assertIn('[nova_ext_ip_scheduler] rules = ', self.refusal(
            '[nova_ext]', 'scheduler_driver = IPScheduler',
            '[nova_ext_ip_scheduler]', 'rules = 10.1.x=doc',
        ))

    def test_empty_secret(self):
        """An empty key signs nothing, and joins no other one."""
        for text in (',new', 'a,,b', 'a, ,b'):
            self.assertIn('[nova_ext_offers] secret', self.refusal(
                '[nova_ext_offers]', f'secret = {text}',
            ))
        self.configure('[nova_ext_offers]', 'secret = a , b,')
        startup_check.check()
        self.assertEqual(['a', 'b'], self.conf.conf.nova_ext_offers.secret)

    def test_values(self):
        """Refuse a value that its option forbids, of Nova or of nova-ext."""
        self.assertEqual(
            '[nova_ext_record] max_size_mb: Should be greater than or equal '
            'to 1',
            self.refusal('[nova_ext_record]', 'max_size_mb = 0'),
        )
        self.assertIn('[filter_scheduler] host_subset_size: ', self.refusal(
            '[filter_scheduler]', 'host_subset_size = few'
        ))


class ReleaseTest(configured.ConfiguredTestCase):
    """Check later releases of Nova."""

    def look(self, name, value):
        """Return the check's code and details, with a changed name in it."""
        self.useFixture(fixtures.MonkeyPatch(
            f'nova_ext.scheduler.base.{name}', value
        ))
        result = startup_check.UpgradeChecks()._check_release()
        return result.code, result.details

    def test_missing(self):
        """Fail where something is missing, whatever the version."""
        code, details = self.look('missing_names.find_missing', lambda: [
            'nova.rpc.no_such is gone'
        ])
        self.assertEqual(Code.FAILURE, code)
        self.assertThat(details, matchers.StartsWith(
            'nova.rpc.no_such is gone. Upgrade'
        ))

    def test_untested(self):
        """Warn of another version."""
        code, details = self.look(
            'releases.metadata.version', lambda name: '35.0.0'
        )
        self.assertEqual(Code.WARNING, code)
        self.assertIn('not tested with Nova 35.0.0', details)

    def test_unexpected_error(self):
        """Fail without a traceback, which oslo.upgradecheck would print."""
        code, details = self.look(
            'missing_names.find_missing', lambda: {}['s3cret']
        )
        self.assertEqual(Code.FAILURE, code)
        self.assertIn(': KeyError at ', details)
        self.assertNotIn('s3cret', details)


class ConfigurationTest(configured.ConfiguredTestCase):
    """Report errors of loading."""

    def test_unreadable(self):
        """Quote oslo.config's error."""
        def fails():
            raise cfg.NoSuchOptError('lost')

        self.useFixture(fixtures.MonkeyPatch(
            f'{startup_check.__name__}.check', fails
        ))
        result = startup_check.UpgradeChecks()._check_configuration()
        self.assertEqual(Code.FAILURE, result.code)
        self.assertIn('no such option lost', result.details)
