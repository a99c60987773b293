"""Read the scheduler's log from files, and from a journal."""

import os
from pathlib import Path
from types import SimpleNamespace

import fixtures
import testtools

from nova_ext.tempest_plugin import scheduler_log

#: Replaces systemd's, which shows nothing where systemd does not run.
JOURNALCTL = """#!/bin/sh
[ "$*" = "--unit=devstack@n-sch --output=cat" ] || exit 1
echo "req-1 SpecifiedHostFilter returned 0 hosts"
"""


class SchedulerLogTest(testtools.TestCase):
    """Read the log that tempest.conf names."""

    def configure(self, logs=(), unit=''):
        """Name the log in tempest.conf."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.tempest_plugin.scheduler_log.CONF',
            SimpleNamespace(nova_ext=SimpleNamespace(
                scheduler_logs=list(logs), scheduler_journal_unit=unit,
            )),
        ))

    def test_journal(self):
        """Read the lines of a unit."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'journalctl').write_text(JOURNALCTL)
        (folder / 'journalctl').chmod(0o700)
        self.useFixture(fixtures.EnvironmentVariable(
            'PATH', f'{folder}{os.pathsep}{os.environ["PATH"]}'
        ))
        self.configure(unit='devstack@n-sch')
        self.assertTrue(scheduler_log.is_configured())
        self.assertTrue(
            scheduler_log.wait_for_line('req-1', 'returned 0 hosts')
        )

    def test_files(self):
        """Find all words in one line of any file."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        for number in (1, 2):
            (folder / f'{number}.log').write_text(f'req-{number} done\n')
        self.configure(logs=map(str, folder.iterdir()))
        self.assertTrue(scheduler_log.wait_for_line('req-2', 'done'))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.tempest_plugin.scheduler_log.DEADLINE_S', 0
        ))
        self.assertFalse(scheduler_log.wait_for_line('req-1', 'req-2'))

    def test_nowhere(self):
        """Say that there is no log, so that its tests are skipped."""
        self.configure()
        self.assertFalse(scheduler_log.is_configured())
