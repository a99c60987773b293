"""Test the check of what Nova loads."""

from pathlib import Path

import fixtures

from nova_ext.core.base import errors
from nova_ext.lint.subject.known_names import FILTERS_LINE
from nova_ext.scheduler import weights
from nova_ext.scheduler.discovery import validation
from tests.unit.scheduler import configured


class ValidateTest(configured.ConfiguredTestCase):
    """Test the line that refuses to start."""

    def refusal(self, **values):
        """Return the line that refuses these options."""
        self.flags('filter_scheduler', **values)
        error = self.assertRaises(
            errors.ConfigurationError, validation.validate
        )
        self.assertNotIn('\n', str(error))
        return str(error)

    def test_stock_configuration(self):
        """Accept Nova's defaults."""
        validation.validate()

    def test_unknown_filter(self):
        """Suggest the likely name."""
        self.assertIn(
            '[filter_scheduler] enabled_filters = SpecifedHostFilter: no '
            'such filter; did you mean SpecifiedHostFilter?',
            self.refusal(
                available_filters=[FILTERS_LINE],
                enabled_filters=['ComputeFilter', 'SpecifedHostFilter'],
            ),
        )

    def test_lines_that_do_not_load(self):
        """Name the line itself, whichever precedes it."""
        for line in ('no.such.module', 'nova_ext.no_such', 'os.path'):
            for lines in ([line], [FILTERS_LINE, line]):
                self.assertIn(
                    f'[filter_scheduler] available_filters = {line}: ',
                    self.refusal(available_filters=lines),
                )
        self.flags(
            'filter_scheduler', available_filters=[FILTERS_LINE]
        )
        self.assertIn(
            '[filter_scheduler] weight_classes = no.such.module: ',
            self.refusal(weight_classes=['no.such.module']),
        )

    def test_last_of_several(self):
        """Blame the item that does not load, and show no traceback."""
        wrong = 'nova.scheduler.weights.ram.RamWeigher'
        cpu = 'nova.scheduler.weights.cpu.CPUWeigher'
        for before in ([weights.LINE], [weights.LINE, cpu]):
            refusal = self.refusal(weight_classes=[*before, wrong])
            self.assertEqual(
                f'[filter_scheduler] weight_classes = {wrong}: does not load: '
                'ImportError: module \'nova.scheduler.weights.ram\' has no '
                'attribute \'RamWeigher\'; write the full dotted path of a '
                'class', refusal,
            )

    def test_our_weighers_twice(self):
        """Refuse our line twice."""
        self.assertIn(
            'stands there twice',
            self.refusal(weight_classes=[weights.LINE, weights.LINE]),
        )

    def test_broken_policy_file(self):
        """Read the policy at start, and not at the first request."""
        path = Path(self.useFixture(fixtures.TempDir()).join('p.yaml'))
        path.write_text('rule: [')
        self.flags('nova_ext', policy_file=str(path))
        error = self.assertRaises(
            errors.ConfigurationError, validation.validate
        )
        self.assertIn(f'[nova_ext] policy_file = {path}: ', str(error))
