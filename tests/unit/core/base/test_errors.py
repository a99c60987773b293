"""Errors are one line for a person."""

import testtools

from nova_ext.core.base import errors
from nova_ext.core.plugin import verdict


class ErrorsTest(testtools.TestCase):
    """What is wrong, where, and what to do."""

    def test_configuration_error(self):
        """Option, value, problem and remedy, in that order."""
        error = errors.ConfigurationError('[g] o', 'v', 'is odd', 'even it')
        self.assertEqual('[g] o = v: is odd; even it', str(error))

    def test_available(self):
        """The likely name comes first."""
        self.assertEqual(
            'did you mean IPScheduler? available: FilterScheduler, '
            'IPScheduler',
            errors.available('IPSchedule', ['IPScheduler', 'FilterScheduler']),
        )
        self.assertEqual('available: none', errors.available('x', []))

    def test_a_rejection_needs_a_reason(self):
        """An operator would learn nothing from an empty one."""
        self.assertRaises(ValueError, verdict.reject, '')
        self.assertEqual((False, 'full', ''), verdict.reject('full'))
        self.assertTrue(verdict.PASS.passed)
