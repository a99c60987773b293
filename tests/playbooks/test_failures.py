"""Failures amid a change, with hosts that are folders."""

from tests.playbooks import base
from tests.playbooks.test_configure import FILE, UNIT


class FailureTest(base.PlaybookTestCase):
    """Fail on the second of three schedulers."""

    names = ('one', 'two', 'three')

    def test_no_start(self):
        """A scheduler that does not start: all go back, the last one first."""
        self.hosts['two']['nova_ext_options'] = {
            'DEFAULT': {'my_ip': 'broken'},
        }
        before = self.read('two', 'runs')
        failed = self.play('configure', status=2)
        self.assertEqual(
            ['restart one', 'restart two', 'restart two', 'restart one'],
            self.restarts(),
        )
        for host in self.names:
            self.assertIsNone(self.read(host, FILE), host)
            self.assertIsNone(self.read(host, UNIT.format(host)), host)
            # It runs, without our lines.
            self.assertNotIn('nova_ext', self.read(host, 'runs'))
        self.assertEqual('', before)
        self.assertIn('three: untouched', failed.output)
        _, lines = self.journal()
        self.assertIn('one is rolled back', lines)
        self.assertIn('three is untouched', lines)


class VanishingTest(base.PlaybookTestCase):
    """Lose a host."""

    names = ('one', 'two', 'three')

    def test_after_restart(self):
        """It is named, the others go back; later rollback.yml finishes it."""
        vanishes = self.site / 'two/vanishes'
        vanishes.touch()
        # Every task makes a temporary folder, which then fails.
        self.hosts['two']['ansible_pipelining'] = False
        failed = self.play('configure', status=2)
        run, lines = self.journal()
        self.assertIn(f'run rollback.yml -e run={run}', failed.output)
        self.assertIn('one is rolled back', lines)
        self.assertIsNone(self.read('one', FILE))
        self.assertIsNotNone(self.read('two', FILE))
        self.assertEqual([], [
            word for word in self.restarts() if word.endswith('three')
        ])
        # The host is back.
        vanishes.unlink()
        (self.site / 'two/tmp').unlink()
        self.play('rollback', run=run)
        self.assertIsNone(self.read('two', FILE))
        self.assertEqual(
            ['restart one', 'restart two', 'restart one', 'restart two'],
            self.restarts(),
        )
        self.assertEqual([], self.play('rollback', run=run).changed)
