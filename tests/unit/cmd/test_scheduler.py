"""nova-ext-scheduler where there is no Nova."""

import importlib.util

import fixtures
import testtools

from nova_ext.cmd import scheduler


class LaunchTest(testtools.TestCase):
    """One line, and no start."""

    def test_without_nova(self):
        """The environment is the wrong one, and the line says so."""
        self.useFixture(fixtures.MonkeyPatch(
            'importlib.util.find_spec', lambda name: None
        ))
        self.assertIsNone(importlib.util.find_spec('nova'))
        ended = self.assertRaises(SystemExit, scheduler.launch)
        self.assertIn('Nova is not installed here', str(ended))
