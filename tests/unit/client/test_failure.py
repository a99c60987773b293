"""What oslo.messaging raises, as the library's own errors."""

import testtools
from kombu import exceptions

from nova_ext.client import failure
from nova_ext.core.base.scheduling_errors import UnreachableError


class FailureTest(testtools.TestCase):
    """Errors that no server sends."""

    def test_no_connection(self):
        """Kombu's own comes through where the first connection fails."""
        error = failure.of(exceptions.OperationalError('refused'), 'schedule')
        self.assertIs(UnreachableError, type(error))
        self.assertEqual(
            'schedule was not sent: the message bus can\'t be reached '
            '(OperationalError)', str(error),
        )
