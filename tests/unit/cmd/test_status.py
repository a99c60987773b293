"""Tests of nova-ext-status."""

import subprocess
import sys
from pathlib import Path

import fixtures
import testtools


class StatusTest(testtools.TestCase):
    """The real command, in a process of its own."""

    def check(self, *lines):
        """Run the checks on a nova.conf of these lines.

        :returns: exit status and what was printed, on one line.
        """
        conf = Path(self.useFixture(fixtures.TempDir()).join('nova.conf'))
        conf.write_text('\n'.join(lines))
        ended = subprocess.run(
            [Path(sys.prefix, 'bin', 'nova-ext-status'), '--config-file',
             conf, 'upgrade', 'check'],
            capture_output=True, text=True, check=False,
        )
        self.assertNotIn('Traceback', ended.stderr)
        words = (ended.stdout + ended.stderr).replace('|', '').split()
        return ended.returncode, ' '.join(words)

    def test_fits(self):
        """Every kind of line that the install guide names."""
        status, said = self.check(
            '[filter_scheduler]',
            'available_filters = nova_ext.scheduler.filters.all_filters',
            'weight_classes = nova_ext.scheduler.weights.all_weighers',
            'enabled_filters = ComputeFilter,SpecifiedHostFilter',
            '[nova_ext]',
            'scheduler_driver = IPScheduler',
        )
        self.assertEqual(0, status, said)
        self.assertEqual(2, said.count('Result: Success'))

    def test_configuration(self):
        """What would stop the scheduler fails here, in the same words."""
        status, said = self.check(
            '[nova_ext]', 'scheduler_driver = IPSchedular'
        )
        self.assertEqual(2, status)
        self.assertIn('[nova_ext] scheduler_driver = IPSchedular: no such '
                      'driver; did you mean IPScheduler?', said)

    def test_malformed(self):
        """One line, without what stands in the file."""
        status, said = self.check('[DEFAULT]', 'password s3cret')
        self.assertEqual(1, status)
        self.assertIn('nova.conf:2 sets no option', said)
        self.assertNotIn('s3cret', said)
