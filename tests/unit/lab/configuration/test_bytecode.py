"""Where compiled modules go."""

import fixtures

from nova_ext.lab.configuration import bytecode
from nova_ext.lab.state import paths
from tests.unit.lab import base

FORBIDDEN = 'PYTHONDONTWRITEBYTECODE'
PREFIX = 'PYTHONPYCACHEPREFIX'


class BytecodeTest(base.LabTestCase):
    """The environment of a program that imports Nova."""

    def environment(self, compiled, **given):
        """What it becomes, where Nova is compiled or not."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.configuration.bytecode._compiled', lambda package: compiled
        ))
        return bytecode.environment(given)

    def test_usual(self):
        """Nothing is changed where Python may write."""
        self.assertEqual({'A': 'b'}, self.environment(False, A='b'))

    def test_forbidden(self):
        """They go to the cache, and nowhere else."""
        self.assertEqual(
            {PREFIX: str(paths.cache() / 'bytecode')},
            self.environment(False, **{FORBIDDEN: '1'}),
        )

    def test_forbidden_and_compiled(self):
        """What is there is used, and nothing is written."""
        self.assertEqual(
            {FORBIDDEN: '1'}, self.environment(True, **{FORBIDDEN: '1'})
        )
