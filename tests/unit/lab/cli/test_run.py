"""Run commands in a lab, without becoming them."""

import argparse
import contextlib
import io

import fixtures

from nova_ext.lab.cli import run
from nova_ext.lab.lifecycle import status
from nova_ext.lab.services import cloud
from nova_ext.lab.state.errors import LabError
from tests.unit.lab import base


class RunTest(base.LabTestCase):
    """Say whose lab it is, and as whom."""

    def setUp(self):
        """Make a lab, and become nothing."""
        super().setUp()
        self.lab, state = self.new_lab('a')
        cloud.write_clouds_yaml(self.lab, state)
        self.patch(status, 'find_lab', lambda name: self.lab)
        self.patch(run, '_become', lambda words, lab: None)

    def test_shell(self):
        """Name the cloud that commands of the shell will take."""
        for name, told in (
            (None, 'admin'), ('demo', 'demo'), ('mycloud', 'admin'),
        ):
            self.useFixture(fixtures.EnvironmentVariable('OS_CLOUD', name))
            shown = io.StringIO()
            with contextlib.redirect_stderr(shown):
                run.Shell(None, None).take_action(argparse.Namespace(name='a'))
            self.assertIn(f'lab a, as {told};', shown.getvalue())

    def test_no_command(self):
        """Show one, for this lab."""
        error = self.assertRaises(
            LabError, run.Run(None, None).take_action,
            argparse.Namespace(name='a', words=['--']),
        )
        self.assertIn('nova-ext lab run --name a -- openstack', str(error))
