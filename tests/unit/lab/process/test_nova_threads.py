"""Test which releases of Nova run on threads."""

from importlib import metadata
from unittest import mock

import testtools

from nova_ext.lab.process import nova_threads
from nova_ext.lab.state.errors import LabError


class RequireTest(testtools.TestCase):
    """Refuse services on eventlet, in a lab without a broker."""

    def installed(self, version):
        """Pretend that another Nova is installed."""
        return mock.patch.object(metadata, 'version', return_value=version)

    def test_threads(self):
        """Accept a Nova with threads."""
        for version in ('33.0.0', '34.0.0.0rc1'):
            with self.installed(version):
                nova_threads.require()

    def test_eventlet(self):
        """Say in one line what to add."""
        with self.installed('31.3.1'):
            error = self.assertRaises(LabError, nova_threads.require)
        self.assertEqual(
            'without a message broker the lab needs Nova 33 or later, and '
            'Nova 31.3.1 is installed; add: --broker rabbit', str(error),
        )
