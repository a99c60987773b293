"""Choose threads for oslo.service, where it has any."""

import importlib.util
import warnings

import fixtures
import testtools
from oslo_service import backend

from nova_ext.api import native_threads

HOOK = 'oslo_service.backend.register_backend_default_hook'


class ChooseTest(testtools.TestCase):
    """Choose them beside any release of oslo.service."""

    def choose(self, hook):
        """Choose threads, with what oslo.service has for it."""
        self.useFixture(fixtures.MonkeyPatch(HOOK, hook))
        # As other services install it, whatever the release of Nova.
        find_spec = importlib.util.find_spec
        self.patch(importlib.util, 'find_spec', lambda name, *args: (
            True if name == 'cotyledon' else find_spec(name, *args)
        ))
        with warnings.catch_warnings():
            native_threads.choose()

    def test_hook(self):
        """Name them as the default."""
        hooks = []
        self.choose(hooks.append)
        (hook,) = hooks
        self.assertIs(backend.BackendType.THREADING, hook())

    def test_no_hook(self):
        """That of 2025.1 has no choice, and keeps no program from starting."""
        self.choose(fixtures.MonkeyPatch.delete)
