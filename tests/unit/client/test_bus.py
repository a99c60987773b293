"""Translate errors of oslo.messaging into the library's own."""

import testtools
from kombu import exceptions

from nova_ext.client import bus
from nova_ext.core.base.scheduling_errors import UnreachableError


class TranslateTest(testtools.TestCase):
    """Translate errors that no server sends."""

    def test_no_connection(self):
        """Translate Kombu's error, raised where the first connection fails."""
        error = bus.translate(
            exceptions.OperationalError('refused'), 'schedule'
        )
        self.assertIs(UnreachableError, type(error))
        self.assertEqual(
            'schedule was not sent: the message bus can\'t be reached '
            '(OperationalError)', str(error),
        )
