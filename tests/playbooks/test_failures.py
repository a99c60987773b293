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
        self.assertRegex(
            failed.output, r'two: rolled back: Restart the scheduler: .*two',
        )

    def test_lint(self):
        """What is wrong on the last one is found before any is changed."""
        self.hosts['three']['nova_ext_filters'] = ['SpecifedHostFilter']
        failed = self.play('configure', status=2)
        self.assertIn('NX101: there is no filter', failed.output)
        self.assertIn('three: Lint them: ', failed.output)
        self.assertEqual([], failed.changed)
        self.assertEqual([], self.restarts())
        for host in self.names:
            self.assertIsNone(self.read(host, FILE), host)

    def test_unknown_run(self):
        """An id of no run is said to be that."""
        failed = self.play('rollback', status=2, run='20000101T000000Z')
        self.assertIn('knows a run 20000101T000000Z', failed.output)

    def test_no_package(self):
        """Without the package rollback.yml says what has to come first."""
        self.play('configure')
        run, _ = self.journal()
        (self.site / 'one/bin/nova-ext-scheduler').unlink()
        failed = self.play('rollback', status=2, run=run)
        self.assertIn('one: NOT rolled back: Require it: nova-ext is not',
                      failed.output)
        self.assertIsNotNone(self.read('one', FILE))
        self.assertIsNone(self.read('two', FILE))
        self.assertIsNone(self.read('three', FILE))
        _, lines = self.journal()
        self.assertIn('three is rolled back', lines)


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
        self.assertIn('two: NOT rolled back', failed.output)
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

    def test_before(self):
        """A host that is gone at its turn is named as that."""
        self.hosts['two']['ansible_pipelining'] = False
        (self.site / 'two/tmp').write_text('')
        failed = self.play('rollback', status=2, run='x')
        self.assertIn('two: NOT rolled back: Require that the host could',
                      failed.output)


class UnreachableTest(base.PlaybookTestCase):
    """Lose the host for one task, and reach it again for the next."""

    def setUp(self):
        """Reach it by a connection that can fail."""
        super().setUp()
        self.variables['ansible_connection'] = 'unreachable'

    def configure(self, task, message):
        """Configure, which fails for that task."""
        self.unreachable = f'one {task}'
        failed = self.play('configure', status=2)
        self.assertIn(f'one: {message}', ' '.join(failed.output.split()))
        self.unreachable = ''

    def test_nothing_written(self):
        """What was not checked or not written is not taken for done."""
        self.configure('Load all that the scheduler will load',
                       'Require that the host could be reached')
        self.assertEqual([], self.restarts())
        self.configure('Write our file', 'rolled back: Compare once more: ')
        self.assertIsNone(self.read('one', FILE))

    def test_no_restart(self):
        """A scheduler that was not restarted is not taken for done."""
        self.configure('Restart the scheduler',
                       'NOT rolled back (Require that the host could be')
        run, _ = self.journal()
        self.play('rollback', run=run)
        self.assertIsNone(self.read('one', FILE))

    def test_nothing_removed(self):
        """A file that was not copied is not taken for one that was none."""
        host = self.site / 'one'
        (host / 'options').write_text(
            f'--config-file={host}/etc/nova/nova.conf'
        )
        before = self.read('one', 'etc/nova/nova.conf')
        self.configure('Keep them', 'Require that the host could be reached')
        self.hosts['one']['nova_ext_options'] = {
            'DEFAULT': {'my_ip': 'broken'},
        }
        self.configure('Restore previous files', 'NOT rolled back')
        self.assertIn(before, self.read('one', 'etc/nova/nova.conf'))
        run, _ = self.journal()
        self.play('rollback', run=run)
        self.assertEqual(before, self.read('one', 'etc/nova/nova.conf'))
