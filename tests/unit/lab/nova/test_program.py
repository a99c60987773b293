"""Test how Nova's programs are started."""

from pathlib import Path

import fixtures
import testtools

from nova_ext.lab.nova import program
from nova_ext.lab.process import databases
from nova_ext.lab.process.process import Arguments
from nova_ext.lab.state import lab_state
from tests.unit.lab import base


class OptionsTest(testtools.TestCase):
    """Pass options in the environment."""

    def options(self, service, **settings):
        """Return the program's own options."""
        state = lab_state.create([])
        state.settings = {
            name.replace('__', '.'): [value]
            for name, value in settings.items()
        }
        return program._options(service, state)

    def test_scheduler(self):
        """Give it a host of its own, and few requests at a time."""
        self.assertEqual(
            {'OS_DEFAULT__HOST': 'scheduler-2',
             'OS_SCHEDULER__WORKERS': '1',
             'OS_DEFAULT__EXECUTOR_THREAD_POOL_SIZE': '2'},
            self.options('scheduler-2'),
        )

    def test_as_many_as_a_person_wants(self):
        """Prefer the value of --set."""
        options = self.options(
            'scheduler-1', DEFAULT__executor_thread_pool_size='64'
        )
        self.assertEqual(
            '64', options['OS_DEFAULT__EXECUTOR_THREAD_POOL_SIZE']
        )

    def test_workers(self):
        """Give a stock scheduler one worker, ours as many as are set."""
        state = lab_state.create([])
        state.broker = lab_state.RABBIT
        state.schedulers, state.stock_schedulers = 2, 1
        state.settings = {'scheduler.workers': ['3']}
        self.assertEqual(
            ['3', '1'],
            [program._options(service, state)['OS_SCHEDULER__WORKERS']
             for service in ('scheduler-1', 'scheduler-2')],
        )

    def test_conductor(self):
        """Put it on the host that it has in the other form."""
        self.assertEqual(
            {'OS_DEFAULT__HOST': 'lab'}, self.options('conductor')
        )


class StartTest(base.LabTestCase):
    """Become a program."""

    def setUp(self):
        """Meet all needs, and note the program instead of becoming it."""
        super().setUp()
        self.lab, self.state = self.new_lab(
            broker=lab_state.RABBIT, schedulers=2, stock_schedulers=1
        )
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.configuration.broker.is_serving', lambda state: True
        ))
        self.useFixture(fixtures.MonkeyPatch('os.environ', {}))
        (self.lab.databases / f'{databases.NOVA}.done').touch()
        self.became = []
        self.useFixture(fixtures.MonkeyPatch(
            'os.execv', lambda path, words: self.became.append(words)
        ))

    def test_programs(self):
        """Become Nova's programs, or our scheduler."""
        for service in ('conductor', 'scheduler-1', 'scheduler-2'):
            args = Arguments(service, self.lab, None)
            program.start(args, self.state)
        conf = str(self.lab.path / 'etc/nova/nova.conf')
        self.assertEqual(
            [[name, '--config-file', conf] for name in (
                'nova-conductor', 'nova-ext-scheduler', 'nova-scheduler',
            )],
            [[Path(words[0]).name, *words[1:]] for words in self.became],
        )

    def test_own_folder(self):
        """Read what is set for this service alone after all else."""
        folder = self.lab.configuration('nova') / 'conductor.conf.d'
        folder.mkdir(parents=True)
        for service in ('conductor', 'scheduler-2'):
            args = Arguments(service, self.lab, None)
            program.start(args, self.state)
        self.assertEqual(
            [['--config-dir', str(folder)], []],
            [words[3:] for words in self.became],
        )
