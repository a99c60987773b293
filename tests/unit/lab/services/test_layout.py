"""Test the table of services."""

import argparse

import fixtures
import testtools

from nova_ext.lab.cli import base as cli
from nova_ext.lab.lifecycle import start
from nova_ext.lab.nova import program
from nova_ext.lab.services import layout
from nova_ext.lab.services.keystone import Endpoint
from nova_ext.lab.services.layout import LabService
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import BROKERS
from nova_ext.lab.state.zone import Zone
from tests.unit.lab import base


def lab(broker='none', schedulers=1):
    """Return the state of a lab of this form."""
    state = lab_state.create([])
    state.broker, state.schedulers = broker, schedulers
    return state


def names(services):
    """Return the names of services."""
    return [service.name for service in services]


class LayoutTest(testtools.TestCase):
    """List the services of both forms."""

    def test_without_a_broker(self):
        """Run all of Nova as one."""
        self.assertEqual(
            [*base.BESIDE_NOVA, 'nova'],
            names(layout.list_services(lab())),
        )
        for word in ('nova', *layout.LOGGERS):
            self.assertEqual(['nova'], names(layout.find(lab(), word)))

    def test_with_a_broker(self):
        """Run a process for each service, after those that it needs."""
        self.assertEqual(
            ['rabbit', *base.BESIDE_NOVA, 'scheduler-1', 'scheduler-2',
             'conductor', 'compute', 'api'],
            names(layout.list_services(lab('rabbit', 2))),
        )

    def test_zones(self):
        """Run the poller where there is a child zone, after Nova."""
        for broker in BROKERS:
            state = lab(broker)
            alone = names(layout.list_services(state))
            self.assertNotIn('zone-poller', alone)
            state.zone = Zone(('a', 'a-2'), 1)
            self.assertEqual(alone, names(layout.list_services(state)))
            state.zone = Zone(('a', 'a-2'), 0)
            self.assertEqual(
                [*alone, 'zone-poller', 'builder'],
                names(layout.list_services(state)),
            )

    def test_words_for_several(self):
        """Find all of Nova, and all schedulers."""
        state = lab('rabbit', 2)
        self.assertEqual(
            ['scheduler-1', 'scheduler-2', 'conductor', 'compute', 'api'],
            names(layout.find(state, 'nova')),
        )
        self.assertEqual(
            ['scheduler-1', 'scheduler-2'],
            names(layout.find(state, 'scheduler')),
        )
        error = self.assertRaises(
            LabError, layout.find_one, state, 'scheduler'
        )
        self.assertEqual(
            'scheduler is scheduler-1, scheduler-2: name one of them',
            str(error),
        )

    def test_the_only_scheduler(self):
        """Find it without its number."""
        self.assertEqual(
            'scheduler-1', layout.find_one(lab('rabbit'), 'scheduler').name
        )

    def test_unknown(self):
        """List the services in the error."""
        error = self.assertRaises(LabError, layout.find, lab(), 'rabbit')
        words = sorted([
            *base.BESIDE_NOVA, 'nova', 'api', 'compute', 'conductor',
            'scheduler',
        ])
        self.assertEqual(
            f'no service rabbit; services: {", ".join(words)}', str(error)
        )

    def test_the_catalog_names_one_port_of_nova(self):
        """Keep the port through a change of form."""
        for state in (lab(), lab('rabbit')):
            self.assertEqual(
                base.ENDPOINTS,
                [service.port for service in layout.list_services(state)
                 if service.port],
            )

    def test_queues(self):
        """Name a scheduler's queue after it, the conductor's after the lab."""
        self.assertEqual(
            ('scheduler.scheduler-2', 'conductor.lab'),
            (program.queue_name('scheduler-2'),
             program.queue_name('conductor')),
        )


class RowTest(base.LabTestCase):
    """Add a service by a row of the table alone."""

    def setUp(self):
        """Create a lab with a key manager."""
        super().setUp()
        row = LabService(
            'barbican', configure=lambda lab, state: {
                'etc/barbican/barbican.conf': state.url('barbican'),
            },
            port='barbican', user='barbican', nova_section='barbican',
            catalog=(Endpoint('key-manager', 'barbican', '/v1'),),
            folders=('secrets',), package='no_such_package',
        )
        keystone, *others = layout.TABLE
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.services.layout.TABLE', (keystone, row, *others)
        ))
        self.lab, self.state = self.new_lab(
            ports={**base.PORTS, 'barbican': 99}
        )

    def test_forms(self):
        """Find it by name in both forms."""
        for broker in BROKERS:
            self.state.broker = broker
            self.assertEqual(
                'barbican', layout.find_one(self.state, 'barbican').name
            )

    def test_files(self):
        """Write its own file, and its address to nova.conf."""
        start.configure(self.lab, self.state)
        written = self.lab.configuration('barbican') / 'barbican.conf'
        self.assertEqual('http://127.0.0.1:99', written.read_text())
        nova = (self.lab.configuration('nova') / 'nova.conf').read_text()
        _, _, section = nova.partition('[barbican]\n')
        self.assertIn(
            'endpoint_override = http://127.0.0.1:99\n',
            section.partition('\n\n')[0] + '\n',
        )
        self.assertTrue((self.lab.path / 'secrets').is_dir())

    def test_keystone(self):
        """Give keystone its user and its endpoint."""
        arguments = []
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.services.keystone.build',
            lambda *args: arguments.extend(args),
        ))
        row = layout.find_one(self.state, 'keystone')
        row.app(self.lab, self.state, None)
        *_, users, catalog = arguments
        self.assertLess({'barbican', 'nova'}, {*users})
        self.assertEqual(
            'http://127.0.0.1:99/v1',
            catalog[Endpoint('key-manager', 'barbican', '/v1')],
        )

    def test_package(self):
        """Refuse commands without its package."""
        error = self.assertRaises(LabError, cli.require)
        self.assertIn('nova-ext[lab]', str(error))

    def test_help(self):
        """Name it in the help of commands."""
        parser = argparse.ArgumentParser()
        cli.add_service(parser)
        self.assertIn('barbican', parser.format_help())
