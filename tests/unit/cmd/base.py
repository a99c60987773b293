"""Run nova-ext inside the test's process."""

import io
import logging
from unittest import mock

import testtools

from nova_ext.cmd import main


class CommandTestCase(testtools.TestCase):
    """Run commands, and read what they print."""

    def setUp(self):
        """Keep the command's logging out of the other tests."""
        super().setUp()
        root = logging.getLogger()
        self.addCleanup(setattr, root, 'handlers', list(root.handlers))
        self.addCleanup(root.setLevel, root.level)
        self.addCleanup(logging.disable, logging.root.manager.disable)
        root.handlers = []

    def run_command(self, *argv):
        """Run ``nova-ext ARGV``.

        :returns: exit status, standard output, standard error.
        """
        out, err = io.StringIO(), io.StringIO()
        with mock.patch('sys.stdout', out), mock.patch('sys.stderr', err):
            try:
                status = main.main(argv)
            except SystemExit as left:
                status = left.code or 0
        return status, out.getvalue(), err.getvalue()
