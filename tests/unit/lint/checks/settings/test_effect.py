"""Test what is said of settings without effect."""

from tests.unit.lint import base


class TestEffect(base.LintTestCase):
    """Read the sentences."""

    def test_several_filters(self):
        """Name all filters that would read an option."""
        finding, = self.report(
            '[filter_scheduler]\nmax_instances_per_host = 20\n'
        ).findings
        self.assertEqual(
            'max_instances_per_host has no effect: neither '
            'NumInstancesFilter nor AggregateNumInstancesFilter is enabled',
            finding.what,
        )
