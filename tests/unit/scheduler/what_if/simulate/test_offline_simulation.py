"""Simulate without a scheduler, up to its configuration."""

from pathlib import Path

import fixtures
import testtools

from tests.unit import forked

#: Nova's configuration is global: a process reads it once.
PROGRAM = """
import sys
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.scheduler.what_if.simulate import offline_simulation
try:
    offline_simulation.simulate(sys.argv[1:], [], {}, None, Changes(), 1)
except NovaExtError as error:
    print(error)
"""


class ConfigurationTest(testtools.TestCase):
    """What is said of a configuration that is none."""

    def simulate(self, file):
        """Return the one line that a simulation ends with."""
        done = forked.run(
            PROGRAM, file, check=True,
            cwd=self.useFixture(fixtures.TempDir()).path,
        )
        (line,) = done.stdout.splitlines()
        return line

    def test_no_database(self):
        """The option that lacks, the files that were read, and what to do."""
        path = self.useFixture(fixtures.TempDir()).join('nova.conf')
        Path(path).write_text('[DEFAULT]\nhost = here\n')
        self.assertEqual(
            f'[api_database] connection is not set, read from {path}; name '
            f'the configuration of nova-scheduler with --config-file or '
            f'--config-dir', self.simulate(path),
        )
