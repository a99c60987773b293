"""Tests of arguments that several commands take."""

import argparse

import testtools

from nova_ext.cmd import arguments


class ArgumentsTest(testtools.TestCase):
    """What is taken, and what is refused in one line."""

    def test_count(self):
        """Whole numbers from 0 on."""
        self.assertEqual([0, 20], list(map(arguments.count, ('0', '20'))))
        for text in ('-1', '1.5', 'x', ''):
            error = self.assertRaises(
                argparse.ArgumentTypeError, arguments.count, text
            )
            self.assertIn('whole number, 0 or more', str(error))

    def test_seconds(self):
        """Finite numbers from 0 on."""
        self.assertEqual([0, 1.5], list(map(arguments.seconds, ('0', '1.5'))))
        for text in ('-1', 'nan', 'inf', 'x'):
            error = self.assertRaises(
                argparse.ArgumentTypeError, arguments.seconds, text
            )
            self.assertIn('seconds, 0 or more', str(error))
