"""Tell a plugin's failure from what ends its thread."""

import importlib

import testtools
from nova import exception

from nova_ext.scheduler.discovery import plugin_failure


class RunningTest(testtools.TestCase):
    """Raise inside of a plugin."""

    def run_plugin(self, error):
        """Raise an error."""
        with plugin_failure.running('filter', 'BadFilter'):
            raise error

    def test_failures(self):
        """Name the plugin, whatever it raised."""
        for error in (KeyError, SystemExit, KeyboardInterrupt, GeneratorExit):
            told = self.assertRaises(
                exception.NoValidHost, self.run_plugin, error('secret')
            )
            self.assertIn(
                f'filter BadFilter raised {error.__name__}', str(told)
            )
            self.assertNotIn('secret', str(told))

    def test_interrupts(self):
        """Let what eventlet ends end."""
        greenlet = self.try_import('greenlet')
        timeout = self.try_import('eventlet.timeout')
        for error in (greenlet.GreenletExit, timeout.Timeout):
            self.assertRaises(error, self.run_plugin, error())

    def try_import(self, name):
        """Import a module, or skip the test."""
        try:
            return importlib.import_module(name)
        except ImportError:
            self.skipTest(f'{name} is not installed')
