"""Leave a request to Nova where something is raised."""

import logging

import fixtures
import testtools

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.scheduler.base.rate_limited_log import RateLimitedLog
from nova_ext.scheduler.mirror.deciding import error_guard
from nova_ext.scheduler.mirror.deciding.error_guard import (
    guard,
    mirror_effort,
)


class _Request:
    """Raises what it is given."""

    def __init__(self, *, simulated):
        self.simulated = simulated

    @guard
    def do(self, error):
        if isinstance(error, Exception):
            raise error
        return error


class GuardTest(testtools.TestCase):
    """Raise, and return."""

    def setUp(self):
        """Keep what is logged."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger(level=logging.INFO))
        # Another test may have logged an error less than a minute ago.
        self.useFixture(fixtures.MockPatchObject(
            error_guard, '_ERRORS', RateLimitedLog(logging.getLogger())
        ))

    def test_raise(self):
        """An error has its class as the detail, a plugin's own behind it."""
        blamed = RuntimeError('NoValidHost')
        blamed.__cause__ = KeyError('x')
        for error, detail in ((ValueError('x'), 'ValueError'),
                              (blamed, 'KeyError')):
            raised = self.assertRaises(
                FallbackError, _Request(simulated=True).do, error
            )
            self.assertEqual(
                (Fallback.ERROR, detail), (raised.fallback, raised.detail)
            )
        self.assertEqual('', self.log.output)
        self.assertRaises(
            FallbackError, _Request(simulated=False).do, ValueError('x')
        )
        self.assertIn('The mirror failed, and Nova decides', self.log.output)

    def test_pass(self):
        """What a method returns, or gives up for, is passed on."""
        request = _Request(simulated=False)
        self.assertEqual(7, request.do(7))
        error = FallbackError(Fallback.NO_HOST)
        self.assertIs(
            error, self.assertRaises(FallbackError, request.do, error)
        )
        self.assertEqual('', self.log.output)

    def test_mirror_effort(self):
        """A function of the mirror that raises returns nothing."""
        log = self.useFixture(fixtures.FakeLogger('nova_ext'))

        @mirror_effort
        def begin(error):
            raise error

        self.assertIsNone(begin(ValueError('broken')))
        self.assertIn('The mirror failed in begin; Nova decides', log.output)
