"""Test how RabbitMQ is run for a lab, without running it."""

from pathlib import Path

import fixtures

from nova_ext.lab.configuration import broker, nova_config
from nova_ext.lab.lifecycle import start
from nova_ext.lab.services import rabbit
from nova_ext.lab.state.errors import LabError
from tests.unit.lab import base


class RabbitTest(base.LabTestCase):
    """Build its environment and find its program."""

    def setUp(self):
        """Create a lab with a broker."""
        super().setUp()
        self.lab, self.state = self.new_lab(broker='rabbit')
        self.state.ports.update(
            dict(zip(broker.PORTS, (21001, 21002, 21003), strict=True))
        )

    def environment(self, **inherited):
        """Return the broker's environment."""
        return rabbit.build_environment(self.lab, self.state, inherited)

    def test_nothing_of_the_distributions(self):
        """Use files and folders of the lab only."""
        folder = str(self.lab.path / 'rabbit')
        paths = [
            value for value in self.environment().values()
            if value.startswith('/')
        ]
        self.assertEqual(8, len(paths))
        for path in paths:
            self.assertEqual(folder, path[:len(folder)])

    def test_its_file(self):
        """Read the file of this lab, with its port."""
        start.configure(self.lab, self.state)
        path = Path(self.environment()['RABBITMQ_CONFIG_FILE'])
        self.assertIn(
            'listeners.tcp.1 = 127.0.0.1:21001\n', path.read_text()
        )

    def test_a_sites_broker(self):
        """Drop variables of another broker."""
        environment = self.environment(
            RABBITMQ_NODENAME='theirs', RABBITMQ_USE_LONGNAME='true',
            ERL_EPMD_PORT='4369', ERL_LIBS='/x', PATH='/bin',
        )
        self.assertEqual(
            ('lab@localhost', '21003', '/bin'),
            (environment['RABBITMQ_NODENAME'],
             environment['ERL_EPMD_PORT'], environment['PATH']),
        )
        self.assertNotIn('RABBITMQ_USE_LONGNAME', environment)
        self.assertNotIn('ERL_LIBS', environment)

    def test_no_password_in_its_environment(self):
        """Keep passwords out of the environment."""
        for value in self.environment().values():
            self.assertNotIn(self.state.passwords[broker.USER], value)

    def test_this_machine_only(self):
        """Bind two of the three ports to the loopback."""
        environment = self.environment()
        self.assertEqual('127.0.0.1', environment['ERL_EPMD_ADDRESS'])
        self.assertIn(
            'inet_dist_use_interface {127,0,0,1}',
            environment['RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS'],
        )

    def test_absent(self):
        """Say in one line how to install it."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.services.rabbit._FOLDER', str(self.folder)
        ))
        self.useFixture(
            fixtures.EnvironmentVariable('PATH', str(self.folder))
        )
        error = self.assertRaises(LabError, rabbit.find_program)
        self.assertIn('apt-get install rabbitmq-server', str(error))
        self.assertNotIn('\n', str(error))

    def test_on_path(self):
        """Search PATH where the distribution's folder is elsewhere."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.services.rabbit._FOLDER', str(self.folder / 'none')
        ))
        self.useFixture(
            fixtures.EnvironmentVariable('PATH', str(self.folder))
        )
        program = self.folder / 'rabbitmq-server'
        program.touch(mode=0o755)
        self.assertEqual(program, rabbit.find_program())

    def test_transport(self):
        """Give both forms an address that the cell's template can use."""
        self.assertEqual(
            f'rabbit://broker:{self.state.passwords["broker"]}'
            '@127.0.0.1:21001/', self.transport(),
        )
        self.state.broker = 'none'
        self.assertTrue(self.transport().startswith('fake://'))

    def transport(self):
        """Return the transport URL in nova.conf."""
        sections = nova_config.build_sections(self.lab, self.state, {})
        return sections['DEFAULT']['transport_url']
