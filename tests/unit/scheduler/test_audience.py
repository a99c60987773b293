"""Say who reads a filter's reasons."""

from types import SimpleNamespace

import testtools

from nova_ext.core.decision.decision import Audience
from nova_ext.scheduler import explainers


class AudienceTest(testtools.TestCase):
    """Ask for filters of nova-ext's contract."""

    def test_declared(self):
        """Take what a filter declares, as a member or as its text."""
        for declared in (Audience.USER, 'user'):
            self.assertIs(Audience.USER, self.ask(declared))

    def test_unknown(self):
        """Show reasons to operators alone if a filter declares nonsense."""
        for declared in ('everyone', 1, None, [], {}):
            self.assertIs(Audience.OPERATORS, self.ask(declared))

    def ask(self, declared):
        """Ask for a filter that declares something."""
        return explainers.get_audience(SimpleNamespace(
            plugin=SimpleNamespace(reasons_for=declared)
        ))
