"""Capabilities: text and checks."""

import testtools

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.stats import capabilities as caps


class CapabilitiesTest(testtools.TestCase):
    """Several values a key."""

    def test_text(self):
        """As seed users write it; blanks do not matter."""
        read = caps.parse(' hypervisor = kvm; xen,os=linux , gpu=')
        self.assertEqual(
            {'hypervisor': ('kvm', 'xen'), 'os': ('linux',), 'gpu': ()}, read
        )
        self.assertEqual(
            'gpu=, hypervisor=kvm;xen, os=linux', caps.format_text(read)
        )
        self.assertEqual({}, caps.parse(' '))

    def test_refused_text(self):
        """Name the part that is wrong."""
        for text, words in (
            ('a=1, b', "'b' is no key=value"),
            ('a=1, a=2', "'a' stands twice"),
            ('=1', 'a key is empty'),
            ('a=b=c', 'a value of \'a\' holds one of'),
        ):
            error = self.assertRaises(WrongArgumentsError, caps.parse, text)
            self.assertIn(words, str(error))

    def test_checked(self):
        """One form for what JSON can say; each value once."""
        self.assertEqual(
            {'disk_gb': ('120',), 'load': ('0.7',), 'os': ('linux', 'bsd')},
            caps.validate({
                'disk_gb': 120, 'load': [0.7], 'os': ['linux', 'bsd', 'linux'],
            }),
        )

    def test_limits(self):
        """As much as is taken."""
        for report in (
            {str(n): 1 for n in range(caps.MAX_KEYS)},
            {'a': [*(f'{n:064}' for n in range(1023)), 'y' * 63]},
            {'a': 2 ** 256 - 1},
        ):
            self.assertEqual(len(report), len(caps.validate(report)))

    def test_refused(self):
        """Wrong kinds, and more than is taken."""
        for given, words in (
            ([], 'no mapping'),
            ({'a': None}, 'is a NoneType'),
            ({'a': [{}]}, 'is a dict'),
            ({1.5: 'x', None: 'y'}, 'a key is a NoneType'),
            ({'a': float('nan')}, 'is not finite'),
            ({'a': 10 ** 5000}, 'is too large'),
            ({'a': 'x' * 256}, 'is longer than 255'),
            ({'a': range(2)}, 'is a range'),
            ({'a': ['x'] * 1025}, '1025 values'),
            ({str(n): 1 for n in range(65)}, '65 keys'),
            ({'a' + ' ' * 10**7: None}, 'a key is longer than 255'),
            ({str(n): [f'{m:0255}' for m in range(1024)]
              for n in range(2)}, 'characters, 65536 are taken'),
        ):
            error = self.assertRaises(
                WrongArgumentsError, caps.validate, given
            )
            self.assertIn(words, str(error))
