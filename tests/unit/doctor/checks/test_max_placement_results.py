"""Test the check of max_placement_results."""

import pathlib

import fixtures

from nova_ext.core.base.finding import Severity
from nova_ext.doctor.check import NotRunError
from nova_ext.doctor.checks import max_placement_results
from nova_ext.doctor.configuration import Configuration
from tests.unit.doctor import fake_cloud


class LimitTest(fake_cloud.CheckTestCase):
    """Compare max_placement_results with three hosts."""

    module = max_placement_results

    def limited(self, value):
        """Return a configuration with a limit."""
        path = pathlib.Path(
            self.useFixture(fixtures.TempDir()).join('nova.conf')
        )
        path.write_text(f'[scheduler]\nmax_placement_results = {value}\n')
        return Configuration([path])

    def test_enough(self):
        """Find nothing where the limit equals the number of hosts."""
        self.cloud.service('cmp-0')['state'] = 'down'
        self.assert_found(self.look(self.limited(3)))
        self.assertEqual([], self.unchecked)

    def test_below(self):
        """Find a limit below the number of hosts."""
        self.assert_found(
            self.look(self.limited(2)),
            limit_below_hosts='at most 2 of the 3 computes',
        )

    def test_withheld(self):
        """Ignore hosts that placement never offers."""
        self.cloud.provider('cmp-1')['traits'].append(
            'COMPUTE_STATUS_DISABLED'
        )
        self.assert_found(self.look(self.limited(2)))

    def test_filled(self):
        """Find hosts that are down and can take some places, or all."""
        self.cloud.service('cmp-0')['state'] = 'down'
        found = self.look(self.limited(2))
        self.assert_found(
            found, limit_below_hosts='at most 2 of the 3',
            limit_filled='1 of the 2 places',
        )
        self.assertEqual(Severity.WARNING, found['limit-filled'].severity)
        self.cloud.service('cmp-1')['status'] = 'disabled'
        found = self.look(self.limited(2))
        self.assertEqual(Severity.ERROR, found['limit-filled'].severity)

    def test_default(self):
        """Assume Nova's default without a configuration, and say so."""
        self.assert_found(self.look())
        self.assertIn('taken to be 1000', self.unchecked[0].what)
        self.cloud = self.useFixture(fake_cloud.FakeCloud(hosts=1001))
        self.assert_found(
            self.look(), limit_below_hosts='at most 1000 of the 1001',
        )

    def test_no_number(self):
        """Name the option that is no number."""
        error = self.assertRaises(
            NotRunError, self.look, self.limited('many')
        )
        self.assertIn('max_placement_results = many', error.unchecked.what)
