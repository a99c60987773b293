"""Test the words behind --computes."""

import testtools

from nova_ext.lab.state import hosts
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import LabHost


class ParseTest(testtools.TestCase):
    """Parse hosts, or name the wrong word in one line."""

    def refusal(self, *words):
        """Return the error for these words."""
        error = self.assertRaises(LabError, hosts.parse, words)
        self.assertNotIn('\n', str(error))
        return str(error)

    def test_number(self):
        """Take a number as so many hosts of the default size."""
        self.assertEqual(
            [LabHost('cmp-1'), LabHost('cmp-2'), LabHost('cmp-3')],
            hosts.parse(['3']),
        )

    def test_names_with_sizes(self):
        """Give each host its own size and zone, or the defaults."""
        self.assertEqual(
            [
                LabHost('a', vcpus=2, ram_mb=512, disk_gb=9, az='east'),
                LabHost('b.example.org'), LabHost('c', ram_mb=1),
            ],
            hosts.parse([
                'a:vcpus=2,ram_mb=512,disk_gb=9,az=east', 'b.example.org',
                'c:ram_mb=1',
            ]),
        )

    def test_commas(self):
        """Split names without sizes."""
        self.assertEqual(
            [LabHost('a'), LabHost('b'), LabHost('c')],
            hosts.parse(['a,b', 'c']),
        )

    def test_refusals(self):
        """Say what is wrong with which word."""
        for words, expected in (
            (('0',), '0: between 1 and 1000'),
            (('1001',), '1001: between 1 and 1000'),
            (('a', '5'), '5: 5 is no host name'),
            (('-x',), '-x: -x is no host name'),
            (('a b',), 'is no host name'),
            ((':vcpus=1',), ':vcpus=1: nothing is no host name'),
            (('a', 'A'), 'A is named twice'),
            (('a:cpus=1',), 'unknown property cpus; available: vcpus'),
            (('a:vcpus=0',), 'vcpus needs a whole number of at least 1'),
            (('a:vcpus=x',), 'vcpus needs a whole number of at least 1'),
            (('a:vcpus',), 'vcpus needs a whole number of at least 1'),
            (('a:vcpus=1,vcpus=2',), 'vcpus is given twice'),
            (('a:az=',), 'az needs a name'),
            (('a:az=x:y',), 'az needs a name without ":"'),
        ):
            self.assertIn('--computes', self.refusal(*words))
            self.assertIn(expected, self.refusal(*words))
