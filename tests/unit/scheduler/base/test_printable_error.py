"""Log errors whose text is somebody else's."""

import logging

import fixtures
import testtools
from nova import exception

from nova_ext.scheduler.base import printable_error
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.discovery import plugin_failure

FORGED = '2026-11-21 12:00:00.000 1 INFO nova.scheduler [-] forged'


class UnprintableError(ValueError):
    """Fail while it is printed."""

    def __str__(self):
        """Raise."""
        raise KeyError


def fail(text):
    """Raise an error with a cause and a context, all of some text."""
    try:
        try:
            raise KeyError(text)
        except KeyError:
            raise ValueError(text) from None
    except ValueError as error:
        raise SystemExit(text) from error


class PrintableErrorTest(testtools.TestCase):
    """Log what a plugin raised."""

    def setUp(self):
        """Read the log."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())

    def assert_safe(self):
        """Assert that the frames are there, and no forged line."""
        lines = self.log.output.splitlines()
        self.assertTrue(any('in fail' in line for line in lines))
        self.assertTrue(any('forged' in line for line in lines))
        self.assertFalse(any(line.startswith('2026') for line in lines))
        self.assertLess(len(self.log.output), 10_000)

    def test_plugin(self):
        """Keep the text of a plugin's failure within its line."""
        for text in (f'x\n{FORGED}', f'\r{FORGED}', f'\u2028{FORGED}'):
            error = self.assertRaises(
                exception.NoValidHost, self.run_plugin, text
            )
            self.assertNotIn('forged', str(error))
        self.assert_safe()

    def run_plugin(self, text):
        """Fail in a plugin."""
        with plugin_failure.running('filter', 'BadFilter'):
            fail(f'{text} {"x" * 10**7}')

    def test_message(self):
        """The same of what RPC messages cause."""
        error = self.assertRaises(SystemExit, fail, f'x\n{FORGED}')
        RateLimitedLog(logging.getLogger(__name__)).error('failed', error)
        RateLimitedLog(logging.getLogger(__name__)).warning('%s', error)
        RateLimitedLog(logging.getLogger(__name__)).warning(
            'refused: %s', f'x\n{FORGED}'
        )
        self.assert_safe()

    def test_unprintable(self):
        """Log an error that can't be printed."""
        self.assertEqual(
            "(its text can't be read)",
            printable_error.describe(UnprintableError()),
        )
