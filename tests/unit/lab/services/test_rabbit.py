"""How RabbitMQ is run for a lab, without running it."""

from pathlib import Path

import fixtures

from nova_ext.lab.configuration import broker, nova_config
from nova_ext.lab.lifecycle import start
from nova_ext.lab.services import rabbit
from nova_ext.lab.state.errors import LabError
from tests.unit.lab import base


class RabbitTest(base.LabTestCase):
    """Its environment and its program."""

    def setUp(self):
        """A lab with a broker."""
        super().setUp()
        self.place, self.state = self.new_lab(broker='rabbit')
        self.state.ports.update(
            dict(zip(broker.PORTS, (21001, 21002, 21003), strict=True))
        )

    def environment(self, **inherited):
        """The broker's environment."""
        return rabbit.environment(self.place, self.state, inherited)

    def test_nothing_of_the_distributions(self):
        """Each file and folder that it is told of is the lab's."""
        folder = str(self.place.folder / 'rabbit')
        paths = [
            value for value in self.environment().values()
            if value.startswith('/')
        ]
        self.assertEqual(8, len(paths))
        for path in paths:
            self.assertEqual(folder, path[:len(folder)])

    def test_its_file(self):
        """It reads what is written for it, with the port of this lab."""
        start.configure(self.place, self.state)
        path = Path(self.environment()['RABBITMQ_CONFIG_FILE'])
        self.assertIn(
            'listeners.tcp.1 = 127.0.0.1:21001\n', path.read_text()
        )

    def test_a_sites_broker(self):
        """What is set for another broker does not reach the lab's."""
        found = self.environment(
            RABBITMQ_NODENAME='theirs', RABBITMQ_USE_LONGNAME='true',
            ERL_EPMD_PORT='4369', ERL_LIBS='/x', PATH='/bin',
        )
        self.assertEqual(
            ('lab@localhost', '21003', '/bin'),
            (found['RABBITMQ_NODENAME'], found['ERL_EPMD_PORT'],
             found['PATH']),
        )
        self.assertNotIn('RABBITMQ_USE_LONGNAME', found)
        self.assertNotIn('ERL_LIBS', found)

    def test_no_password_in_its_environment(self):
        """Everybody may read a process's environment list of their own."""
        for value in self.environment().values():
            self.assertNotIn(self.state.passwords[broker.USER], value)

    def test_this_machine_only(self):
        """Of three ports, two are set here and bound to the loopback."""
        found = self.environment()
        self.assertEqual('127.0.0.1', found['ERL_EPMD_ADDRESS'])
        self.assertIn(
            'inet_dist_use_interface {127,0,0,1}',
            found['RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS'],
        )

    def test_absent(self):
        """One line says how to install it."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.services.rabbit._FOLDER', str(self.folder)
        ))
        self.useFixture(
            fixtures.EnvironmentVariable('PATH', str(self.folder))
        )
        error = self.assertRaises(LabError, rabbit.program)
        self.assertIn('apt-get install rabbitmq-server', str(error))
        self.assertNotIn('\n', str(error))

    def test_on_path(self):
        """Where the distribution's folder is elsewhere, PATH finds it."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.services.rabbit._FOLDER', str(self.folder / 'none')
        ))
        self.useFixture(
            fixtures.EnvironmentVariable('PATH', str(self.folder))
        )
        program = self.folder / 'rabbitmq-server'
        program.touch(mode=0o755)
        self.assertEqual(program, rabbit.program())

    def test_transport(self):
        """Both forms have an address that the cell's template can use."""
        self.assertEqual(
            f'rabbit://broker:{self.state.passwords["broker"]}'
            '@127.0.0.1:21001/', self.transport(),
        )
        self.state.broker = 'none'
        self.assertTrue(self.transport().startswith('fake://'))

    def transport(self):
        """What Nova is told."""
        sections = nova_config.sections(self.place, self.state, {})
        return sections['DEFAULT']['transport_url']


class BrokerTest(base.LabTestCase):
    """A broker that is not there."""

    def test_nobody_listens(self):
        """It does not serve, and nobody takes messages from it."""
        _, state = self.new_lab(broker='rabbit')
        state.ports['rabbit'] = 1
        self.assertFalse(broker.serves(state))
        self.assertEqual(0, broker.consumers(state, 'conductor.lab'))
