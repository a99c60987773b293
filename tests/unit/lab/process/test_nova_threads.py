"""Which Nova a lab without a broker takes."""

from importlib import metadata
from unittest import mock

import testtools

from nova_ext.lab.process import nova_threads
from nova_ext.lab.state.errors import LabError


class RequireTest(testtools.TestCase):
    """Its services must run on threads, in one process with its API."""

    def installed(self, version):
        """Have another Nova."""
        return mock.patch.object(metadata, 'version', return_value=version)

    def test_threads(self):
        """Nothing is said of a Nova that has them."""
        for version in ('33.0.0', '34.0.0.0rc1'):
            with self.installed(version):
                nova_threads.require()

    def test_eventlet(self):
        """One line says what to add."""
        with self.installed('31.3.1'):
            error = self.assertRaises(LabError, nova_threads.require)
        self.assertEqual(
            'without a message broker the lab needs Nova 33 or later, and '
            'Nova 31.3.1 is installed; add: --broker rabbit', str(error),
        )
