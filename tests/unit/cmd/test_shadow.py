"""Run nova-ext replay --follow and nova-ext shadow report."""

import json
import os
import signal
import tempfile
from pathlib import Path

from nova_ext.core.explanation import shadow_report
from nova_ext.replay.shadow import follower, tally
from nova_ext.replay.share import Setup
from tests.unit.cmd import base

SET = ('--set', 'filter_scheduler.host_subset_size=2')


class ShadowTest(base.CommandTestCase):
    """What is asked for, printed and refused."""

    def setUp(self):
        """Have a folder, and a follower that counts one request."""
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.task = None
        for number in (signal.SIGINT, signal.SIGTERM):
            self.addCleanup(signal.signal, number, signal.getsignal(number))

    def follow(self, *words):
        """Run the command with a made-up follower."""
        test = self

        class Once(follower.JournalFollower):
            """Count one request, and end by a signal."""

            def run(self, progress):
                """Count."""
                test.task = self._task
                self._tally.transitions = {'placed_none': 1}
                progress()
                os.kill(os.getpid(), signal.SIGTERM)
                test.assertTrue(self._stops())
                self._tally.write(self._task.report)

        self.patch(follower, 'JournalFollower', Once)
        return self.run_command('replay', *words)

    def test_follow(self):
        """Options become limits; the report is in the journal's folder."""
        status, out, err = self.follow(
            str(self.folder), '--follow', *SET, '--since', '2026-01-31',
            '--memory-mb', '200', '--time-s', '2.5', '--plugins',
            str(self.folder),
        )
        self.assertEqual(3, status, err)
        self.assertIn('turned 1 into NoValidHost', out)
        task = self.task
        self.assertEqual(self.folder / shadow_report.FILE, task.report)
        self.assertEqual((200, 2.5), (
            task.limits.memory_mb, task.limits.time_s
        ))
        self.assertEqual(Setup(plugins=[str(self.folder)]), task.own)
        self.assertEqual(
            (('filter_scheduler', 'host_subset_size', '2'),),
            task.setup.options,
        )
        self.assertEqual(1769817600.0, task.selection.since)

    def test_report(self):
        """The report is named by its folder, a journal in it, or itself."""
        other = self.folder / 'other.json'
        for path in (self.folder, self.folder / 'x.journal',
                     self.folder / shadow_report.FILE, other):
            tally.Tally('n', {}, 0.0, transitions={'same': 2}).write(
                other if path == other else self.folder / shadow_report.FILE
            )
            status, out, _ = self.run_command(
                'shadow', 'report', str(path), '-f', 'json'
            )
            self.assertEqual(0, status)
            self.assertEqual(2, json.loads(out)['requests'])
        status, out, err = self.run_command('shadow', 'report', '/none')
        self.assertEqual((1, ''), (status, out))
        self.assertIn('/none is not there', err)

    def test_refused(self):
        """What has no meaning while following is refused."""
        new = self.folder / 'new.conf'
        new.write_text('')
        for words in (('--against', str(new)), ('--html', 'x'),
                      ('--processes', '2'), ('--log', 'x')):
            status, _, err = self.follow(
                str(self.folder), '--follow', *SET, *words
            )
            self.assertEqual(1, status)
            self.assertIn(f'leave out {words[0]} with --follow', err)
        status, _, err = self.follow(
            str(self.folder), '--follow', '--verify'
        )
        self.assertEqual(1, status)
        self.assertIn('leave out --verify', err)
