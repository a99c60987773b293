"""Parse arguments that several commands take."""

import argparse

import testtools

from nova_ext.cmd import arguments


class ArgumentsTest(testtools.TestCase):
    """Parse, or refuse in one line."""

    def test_count(self):
        """Take whole numbers from 0 on."""
        self.assertEqual(20, arguments.parse_count('20'))
        self.assertEqual(0, arguments.parse_count('0'))
        for text in ('-1', '1.5', 'x', ''):
            error = self.assertRaises(
                argparse.ArgumentTypeError, arguments.parse_count, text
            )
            self.assertIn('whole number, 0 or more', str(error))

    def test_seconds(self):
        """Take finite numbers from 0 on."""
        self.assertEqual(1.5, arguments.parse_seconds('1.5'))
        self.assertEqual(0, arguments.parse_seconds('0'))
        for text in ('-1', 'nan', 'inf', 'x'):
            error = self.assertRaises(
                argparse.ArgumentTypeError, arguments.parse_seconds, text
            )
            self.assertIn('seconds, 0 or more', str(error))
