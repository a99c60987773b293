"""What one of Nova's programs is told, apart from what all are."""

import sys
from importlib import util
from pathlib import Path

import fixtures
import testtools

from nova_ext.lab.configuration import nova_config
from nova_ext.lab.nova import program
from nova_ext.lab.process import databases
from nova_ext.lab.process.process import Call
from nova_ext.lab.state import lab_state
from tests.unit.lab import base


class OptionsTest(testtools.TestCase):
    """Options in the environment."""

    def options(self, service, **settings):
        """The program's own options."""
        state = lab_state.new([])
        state.settings = {
            name.replace('__', '.'): [value]
            for name, value in settings.items()
        }
        return program._options(service, state)

    def test_scheduler(self):
        """A host of its own; few requests at a time."""
        self.assertEqual(
            {'OS_DEFAULT__HOST': 'scheduler-2',
             'OS_SCHEDULER__WORKERS': '1',
             'OS_DEFAULT__EXECUTOR_THREAD_POOL_SIZE': '2'},
            self.options('scheduler-2'),
        )

    def test_as_many_as_a_person_wants(self):
        """The environment is not to hide what --set says."""
        options = self.options(
            'scheduler-1', DEFAULT__executor_thread_pool_size='64'
        )
        self.assertEqual(
            '64', options['OS_DEFAULT__EXECUTOR_THREAD_POOL_SIZE']
        )

    def test_workers(self):
        """As many as wanted; a stock scheduler's would disturb each other."""
        state = lab_state.new([])
        state.broker = lab_state.RABBIT
        state.schedulers, state.stock_schedulers = 2, 1
        state.settings = {'scheduler.workers': ['3']}
        self.assertEqual(
            ['3', '1'],
            [program._options(service, state)['OS_SCHEDULER__WORKERS']
             for service in ('scheduler-1', 'scheduler-2')],
        )

    def test_conductor(self):
        """On the host that it has in the other form, as busy as usual."""
        self.assertEqual(
            {'OS_DEFAULT__HOST': 'lab'}, self.options('conductor')
        )


class StartTest(base.LabTestCase):
    """Which program a process becomes."""

    def setUp(self):
        """Nothing to wait for; note the program instead of becoming it."""
        super().setUp()
        self.place, self.state = self.new_lab(
            broker=lab_state.RABBIT, schedulers=2, stock_schedulers=1
        )
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.configuration.broker.serves', lambda state: True
        ))
        self.useFixture(fixtures.MonkeyPatch('os.environ', {}))
        (self.place.databases / f'{databases.NOVA}.done').touch()
        self.became = []
        self.useFixture(fixtures.MonkeyPatch(
            'os.execv', lambda path, words: self.became.append(words)
        ))

    def test_programs(self):
        """Nova's, and our scheduler unless the stock one is wanted."""
        for service in ('conductor', 'scheduler-1', 'scheduler-2'):
            program.start(Call(service, self.place, None, False), self.state)
        conf = str(self.place.folder / 'etc/nova/nova.conf')
        ours = str(Path(program.__file__).with_name('nova-scheduler'))
        self.assertEqual(
            [['nova-conductor', '--config-file', conf],
             [sys.executable, ours, '--config-file', conf],
             ['nova-scheduler', '--config-file', conf]],
            [[Path(words[0]).name, *words[1:]]
             if words[0] != sys.executable else words
             for words in self.became],
        )

    def test_manager(self):
        """Our scheduler starts with the lab's own manager."""
        path = Path(program.__file__).with_name('nova-scheduler')
        self.assertIn(f"main('{nova_config.MANAGER}')", path.read_text())
        module, _, _ = nova_config.MANAGER.rpartition('.')
        self.assertIsNotNone(util.find_spec(module))
