"""Settings of deployers' files that do not reach nova.conf."""

import testtools

from nova_ext.config_files import expected
from tests.unit.config_files import test_expected
from tests.unit.lint import base

#: What sapcc's templates made of it, until both multipliers were added.
SAPCC = '''\
[scheduler]
workers = 1
[filter_scheduler]
track_instance_changes = False
enabled_filters = ShardFilter, ComputeFilter, ServerGroupAffinityFilter
ram_weight_multiplier = 1
disk_weight_multiplier = 0.5
'''


class UnreachedTest(base.LintTestCase):
    """Lint a nova.conf, and what was to be in it."""

    def unreached(self, text, values, name='values.yaml'):
        """Return line and text of each finding, and what is not checked."""
        report = self.report(
            text, expected=expected.read([self.write(name, values)])
        )
        self.unchecked = [one.what for one in report.unchecked]
        return {one.line: one.what for one in report.findings
                if one.id == 'NX409'}

    def test_chart(self):
        """A chart may choose the group, and has settings of its own."""
        found = self.unreached(SAPCC, test_expected.SAPCC)
        self.assertEqual([11, 12], sorted(found))
        self.assertIn('[scheduler] sapphire_rapids_weight_multiplier = 100.0 '
                      'is not in nova.conf', found[12])
        self.assertIn('is not what nova.conf has: [filter_scheduler] '
                      'disk_weight_multiplier = 0.5', found[11])
        self.assertThat(self.unchecked, testtools.matchers.AnyMatch(
            testtools.matchers.Contains('[scheduler] default_filters')
        ))

    def test_same(self):
        """The same value may be written otherwise, or in several lines."""
        self.assertEqual({}, self.unreached(
            '[DEFAULT]\nram_allocation_ratio = 1\n'
            '[filter_scheduler]\n'
            'enabled_filters =\n  ComputeFilter,\n  SameHostFilter\n'
            'available_filters = nova.scheduler.filters.all_filters\n'
            'available_filters = gpu.GpuFilter\n',
            test_expected.OPENSTACK_HELM,
        ))

    def test_secret(self):
        """No value is shown that may be a secret."""
        found = self.unreached('[DEFAULT]\ndebug = true\n', (
            'DEFAULT: {transport_url: "rabbit://a:hunter2@b"}\n'
            'nova_ext_offers: {secret: hunter2}\n'
        ))
        self.assertNotEqual({}, found)
        self.assertNotIn('hunter2', str(found))

    def test_defaults(self):
        """NX105 names what dropped defaults would keep, and no other."""
        report = self.report(
            '[filter_scheduler]\nenabled_filters = ImagePropertiesFilter\n'
        )
        (what,) = [one.what for one in report.findings if one.id == 'NX105']
        self.assertIn('ServerGroupAntiAffinityFilter keeps servers of an '
                      'anti-affinity group apart', what)
        self.assertNotIn('ImagePropertiesFilter keeps', what)
