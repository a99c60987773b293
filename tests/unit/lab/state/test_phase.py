"""Test the phases that services report."""

import os
import subprocess
import sys

from nova_ext.lab.state import phase
from nova_ext.lab.state.phase import Phase, PhaseReporter
from tests.unit.lab import base

FAILING = '''
import sys
from pathlib import Path
from nova_ext.core.base.errors import NovaExtError
from nova_ext.lab.state.phase import PhaseReporter
from nova_ext.lab.state.paths import LabFolder
with PhaseReporter(LabFolder(Path(sys.argv[1])), 'nova').starting():
    {statement}
'''


class PhaseTest(base.LabTestCase):
    """Read in a command what a service reports."""

    def setUp(self):
        """Create a lab."""
        super().setUp()
        self.lab, _ = self.new_lab()

    def test_report(self):
        """Read the last phase of this process."""
        reporter = PhaseReporter(self.lab, 'nova')
        reporter.report('importing')
        reporter.report('serving', ready=True)
        self.assertEqual(
            Phase('serving', ready=True),
            phase.read(self.lab, 'nova', os.getpid()),
        )

    def test_an_earlier_process(self):
        """Ignore its phases."""
        PhaseReporter(self.lab, 'nova').report('serving', ready=True)
        self.assertEqual(
            Phase('starting'), phase.read(self.lab, 'nova', 1)
        )
        self.assertEqual(
            Phase('starting'), phase.read(self.lab, 'glance', os.getpid())
        )

    def failure(self, statement):
        """Return the error that a process reports when it fails so."""
        child = subprocess.Popen(
            [sys.executable, '-c', FAILING.format(statement=statement),
             str(self.lab.path)], stderr=subprocess.DEVNULL,
        )
        self.assertEqual(1, child.wait(60))
        return phase.read(self.lab, 'nova', child.pid).error

    def test_failure(self):
        """Report an error on one line, with the class if not nova-ext's."""
        self.assertEqual(
            'no lamp', self.failure('raise NovaExtError("no lamp")')
        )
        self.assertEqual(
            'ValueError: a b', self.failure('raise ValueError("a\\n b")')
        )

    def test_exit(self):
        """Report no reason for an exit: it is in the log."""
        self.assertIsNone(self.failure('sys.exit(3)'))
