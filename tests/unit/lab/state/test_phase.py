"""How far a service is."""

import os
import subprocess
import sys

from nova_ext.lab.state import phase
from nova_ext.lab.state.phase import Phase, Reporter
from tests.unit.lab import base

FAILING = '''
import sys
from pathlib import Path
from nova_ext.core.base.errors import NovaExtError
from nova_ext.lab.state.phase import Reporter
from nova_ext.lab.state.paths import Place
with Reporter(Place(Path(sys.argv[1])), 'nova').starting():
    {statement}
'''


class PhaseTest(base.LabTestCase):
    """What the service tells, the command reads."""

    def setUp(self):
        """A lab."""
        super().setUp()
        self.place, _ = self.new_lab()

    def test_told(self):
        """The last word of this process."""
        reporter = Reporter(self.place, 'nova')
        reporter.tell('importing')
        reporter.tell('serving', ready=True)
        self.assertEqual(
            Phase('serving', ready=True),
            phase.read(self.place, 'nova', os.getpid()),
        )

    def test_an_earlier_process(self):
        """What it said does not count."""
        Reporter(self.place, 'nova').tell('serving', ready=True)
        self.assertEqual(
            Phase('starting'), phase.read(self.place, 'nova', 1)
        )
        self.assertEqual(
            Phase('starting'), phase.read(self.place, 'glance', os.getpid())
        )

    def failure(self, statement):
        """What a process tells that fails so."""
        child = subprocess.Popen(
            [sys.executable, '-c', FAILING.format(statement=statement),
             str(self.place.folder)], stderr=subprocess.DEVNULL,
        )
        self.assertEqual(1, child.wait(60))
        return phase.read(self.place, 'nova', child.pid).error

    def test_failure(self):
        """Its own errors as they are, others by their kind; on one line."""
        self.assertEqual(
            'no lamp', self.failure('raise NovaExtError("no lamp")')
        )
        self.assertEqual(
            'ValueError: a b', self.failure('raise ValueError("a\\n b")')
        )

    def test_exit(self):
        """Who ends on purpose has said why elsewhere."""
        self.assertIsNone(self.failure('sys.exit(3)'))
