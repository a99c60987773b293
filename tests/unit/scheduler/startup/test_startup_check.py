"""All that a start loads is loaded, and what stops it is one line."""

from pathlib import Path

import fixtures
from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights

from nova_ext.core.base import errors
from nova_ext.scheduler import filters, weights
from nova_ext.scheduler.startup import startup_check
from tests.unit.scheduler import configured


class UnstartableFilter(nova_filters.BaseHostFilter):
    """A filter of Nova's kind that can't be made."""

    def __init__(self):
        raise RuntimeError('no licence')


class UnstartableWeigher(nova_weights.BaseHostWeigher):
    """A weigher of Nova's kind that can't be made."""

    def __init__(self):
        raise RuntimeError('no licence')


class CheckTest(configured.ConfiguredTestCase):
    """Over Nova's real classes, without a database."""

    def configure(self, *lines):
        """Read a nova.conf of these lines."""
        path = Path(self.useFixture(fixtures.TempDir()).join('nova.conf'))
        path.write_text('\n'.join(lines))
        self.conf.conf(args=['--config-file', str(path)])

    def refusal(self, *lines):
        """The line that refuses these lines of nova.conf."""
        self.configure(*lines)
        error = self.assertRaises(errors.NovaExtError, startup_check.check)
        self.assertNotIn('\n', str(error))
        return str(error)

    def test_stock(self):
        """Nova's defaults are fine."""
        startup_check.check()

    def test_ours(self):
        """All that is ours is fine, too."""
        self.configure(
            '[filter_scheduler]', f'available_filters = {filters.LINE}',
            f'weight_classes = {weights.LINE}',
            'enabled_filters = ComputeFilter,SpecifiedHostFilter',
            '[nova_ext]', 'scheduler_driver = IPScheduler',
        )
        startup_check.check()

    def test_unknown_filter(self):
        """The filter is named, without any line of ours."""
        self.assertIn(
            '[filter_scheduler] enabled_filters = CoreFiltre: no such',
            self.refusal(
                '[filter_scheduler]', 'enabled_filters = CoreFiltre'
            ),
        )

    def test_filter_that_does_not_start(self):
        """It is made, not only found."""
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
        """The same of a weigher."""
        self.assertIn(
            'weight_classes = UnstartableWeigher: does not start',
            self.refusal(
                '[filter_scheduler]',
                f'weight_classes = {__name__}.UnstartableWeigher',
            ),
        )

    def test_driver_and_rule(self):
        """The driver is made, with its rules."""
        self.assertIn('scheduler_driver = IPSchedular: no such', self.refusal(
            '[nova_ext]', 'scheduler_driver = IPSchedular',
        ))
        self.assertIn('[nova_ext_ip_scheduler] rules = ', self.refusal(
            '[nova_ext]', 'scheduler_driver = IPScheduler',
            '[nova_ext_ip_scheduler]', 'rules = 10.1.x=doc',
        ))

    def test_values(self):
        """A value that its option forbids, of Nova's or of ours."""
        self.assertEqual(
            '[nova_ext_record] max_size_mb: Should be greater than or equal '
            'to 1',
            self.refusal('[nova_ext_record]', 'max_size_mb = 0'),
        )
        self.assertIn('[filter_scheduler] host_subset_size: ', self.refusal(
            '[filter_scheduler]', 'host_subset_size = few'
        ))
