"""nova-ext-scheduler as a process: its name, and how it refuses."""

import os
import subprocess
import sys
import uuid
from pathlib import Path

import fixtures
import testtools

COMMAND = Path(sys.prefix) / 'bin' / 'nova-ext-scheduler'
#: Seconds in which a process that refuses must have ended.
DEADLINE_S = 90


class StartTest(testtools.TestCase):
    """Runs the installed command."""

    def setUp(self):
        """A home folder, where oslo.config looks for default files."""
        super().setUp()
        self.home = Path(self.useFixture(fixtures.TempDir()).path)
        (self.home / '.nova').mkdir()

    def start(self, configuration, *arguments, name='nova-scheduler'):
        """Run until it ends.

        :param configuration: text of the default file of a program name.
        :returns: exit status and the lines on stderr; those on stdout are
            in ``out``.
        """
        (self.home / '.nova' / f'{name}.conf').write_text(
            f'[DEFAULT]\ntransport_url = fake://\nstate_path = {self.home}\n'
            + configuration
        )
        done = subprocess.run(
            [COMMAND, *arguments], capture_output=True, text=True,
            timeout=DEADLINE_S, check=False,
            env={**os.environ, 'HOME': str(self.home)},
        )
        self.out = done.stdout.splitlines()
        return done.returncode, done.stderr.splitlines()

    def test_runs_under_the_name_of_nova_scheduler(self):
        """Default files and log names are those of nova-scheduler."""
        status, lines = self.start(
            '[nova_ext]\nscheduler_driver = NoSuchScheduler\n',
            '--log-dir', str(self.home),
        )
        self.assertEqual(1, status)
        self.assertEqual(
            'nova-ext-scheduler: [nova_ext] scheduler_driver = '
            'NoSuchScheduler: no such driver; '
            'available: ChanceScheduler, FilterScheduler, IPScheduler, '
            'ZoneAwareScheduler',
            lines[-1],
        )
        self.assertTrue((self.home / 'nova-scheduler.log').exists())
        self.assertNotIn('Traceback', '\n'.join(lines))

    def test_refuses_an_unknown_filter(self):
        """One line, with the likely name."""
        status, lines = self.start(
            '[filter_scheduler]\n'
            'available_filters = nova_ext.scheduler.filters.all_filters\n'
            'enabled_filters = ComputeFilter,SpecifedHostFilter\n',
        )
        self.assertEqual(1, status)
        self.assertIn('did you mean SpecifiedHostFilter?', lines[-1])
        self.assertNotIn('Traceback', '\n'.join(lines))

    def test_check_starts_nothing(self):
        """It ends with 0 where all can be loaded, else with the one line."""
        # Libraries may have warned before it.
        status, lines = self.start(
            '[filter_scheduler]\nram_weight_multiplier = 2.5\n'
            'enabled_filters = ComputeFilter,ImagePropertiesFilter\n'
            'weight_classes = nova.scheduler.weights.ram.RAMWeigher,'
            'nova.scheduler.weights.disk.DiskWeigher\n', '--check'
        )
        self.assertEqual((0, [
            'filters: ComputeFilter, ImagePropertiesFilter',
            'weighers: RAMWeigher 2.5, DiskWeigher 1',
        ]), (status, self.out))
        self.assertEqual(
            [], [one for one in lines if one.startswith('nova-ext')]
        )
        status, lines = self.start(
            '[filter_scheduler]\nhost_subset_size = few\n', '--check'
        )
        self.assertEqual(
            (1, 'nova-ext-scheduler: [filter_scheduler] host_subset_size: '
                'invalid literal for int() with base 10: \'few\''),
            (status, lines[-1]),
        )

    def test_no_configuration_file(self):
        """One line says that a file is none, whatever is asked."""
        binary = self.home / 'binary.conf'
        binary.write_bytes(b'[DEFAULT]\nhost = \xff\n')
        for words in (), ('--check',), ('--ping', '1'):
            for path, reason in (
                (binary, 'a configuration file is no UTF-8 text'),
                (self.home, f'{self.home} can\'t be read: Is a directory'),
            ):
                status, lines = self.start(
                    '', *words, '--config-file', str(path)
                )
                self.assertEqual(
                    (1, f'nova-ext-scheduler: {reason}'), (status, lines[-1])
                )
                self.assertNotIn('Traceback', '\n'.join(lines))

    def test_ping_without_a_scheduler(self):
        """It gives up in time, without a broker, too."""
        status, lines = self.start(
            '[DEFAULT]\ntransport_url = rabbit://u:p@127.0.0.1:1/\n'
            'host = here\n', '--ping', '1',
        )
        self.assertEqual(1, status)
        # The thread that asks may complain of the broker after it.
        self.assertIn(
            'nova-ext-scheduler: the scheduler of host here has not answered '
            'for 1 s; its log says why', lines,
        )

    def test_ping_takes_no_name_of_a_scheduler(self):
        """The reply queues of the program stay with the running one."""
        host = f'nova-ext-test-{uuid.uuid4().hex}'
        counter = Path(f'/dev/shm/{host}_nova-scheduler_qmanager')  # noqa: S108
        self.addCleanup(counter.unlink, missing_ok=True)
        status, _ = self.start(
            '[DEFAULT]\ntransport_url = rabbit://u:p@127.0.0.1:1/\n'
            f'[oslo_messaging_rabbit]\nuse_queue_manager = true\n'
            f'hostname = {host}\nprocessname = nova-scheduler\n'
            f'[oslo_concurrency]\nlock_path = {self.home}\n',
            '--ping', '1',
        )
        self.assertEqual((1, False), (status, counter.exists()))
