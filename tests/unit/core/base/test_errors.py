"""Errors are one line for a person."""

import testtools

from nova_ext.core.base import errors


class ErrorsTest(testtools.TestCase):
    """Say what is wrong, where, and what to do."""

    def test_configuration_error(self):
        """Option, value, problem and remedy, in that order."""
        error = errors.ConfigurationError('[g] o', 'v', 'is odd', 'even it')
        self.assertEqual('[g] o = v: is odd; even it', str(error))

    def test_available(self):
        """The likely name comes first."""
        self.assertEqual(
            'did you mean IPScheduler? available: FilterScheduler, '
            'IPScheduler',
            errors.suggest_names(
                'IPSchedule', ['IPScheduler', 'FilterScheduler']
            ),
        )
        self.assertEqual('available: none', errors.suggest_names('x', []))
