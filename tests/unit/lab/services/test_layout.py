"""Which processes a lab has."""

import argparse

import fixtures
import testtools

from nova_ext.lab.cli import base as cli
from nova_ext.lab.lifecycle import start
from nova_ext.lab.nova import program
from nova_ext.lab.services import layout
from nova_ext.lab.services.keystone import Endpoint
from nova_ext.lab.services.layout import Service
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import BROKERS
from tests.unit.lab import base


def lab(broker='none', schedulers=1):
    """The state of a lab of this form."""
    state = lab_state.new([])
    state.broker, state.schedulers = broker, schedulers
    return state


def names(services):
    """What they are called."""
    return [service.name for service in services]


class LayoutTest(testtools.TestCase):
    """Both forms."""

    def test_without_a_broker(self):
        """All of Nova is one."""
        self.assertEqual(
            ['keystone', 'placement', 'glance', 'network', 'nova'],
            names(layout.services(lab())),
        )
        for word in ('nova', *layout.LOGGERS):
            self.assertEqual(['nova'], names(layout.find(lab(), word)))

    def test_with_a_broker(self):
        """A process a service; each after those that it asks."""
        self.assertEqual(
            ['rabbit', 'keystone', 'placement', 'glance', 'network',
             'scheduler-1', 'scheduler-2', 'conductor', 'compute', 'api'],
            names(layout.services(lab('rabbit', 2))),
        )

    def test_words_for_several(self):
        """For all of Nova, and for all schedulers."""
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
        """Needs no number."""
        self.assertEqual(
            'scheduler-1', layout.find_one(lab('rabbit'), 'scheduler').name
        )

    def test_unknown(self):
        """The line lists what there is."""
        error = self.assertRaises(LabError, layout.find, lab(), 'rabbit')
        self.assertEqual(
            'no service rabbit; services: api, compute, conductor, glance, '
            'keystone, network, nova, placement, scheduler', str(error),
        )

    def test_the_catalog_names_one_port_of_nova(self):
        """Whoever serves it, so that the port survives a change of form."""
        for state in (lab(), lab('rabbit')):
            self.assertEqual(
                ['keystone', 'placement', 'glance', 'network', 'nova'],
                [service.port for service in layout.services(state)
                 if service.port],
            )

    def test_queues(self):
        """Each scheduler is a host to Nova; the conductor is the lab."""
        self.assertEqual(
            ('scheduler.scheduler-2', 'conductor.lab'),
            (program.queue('scheduler-2'), program.queue('conductor')),
        )


class RowTest(base.LabTestCase):
    """A row of the table is all that a new service needs."""

    def setUp(self):
        """A lab that has a key manager, too."""
        super().setUp()
        row = Service(
            'barbican', configure=lambda place, state: {
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
        self.place, self.state = self.new_lab(
            ports={**base.PORTS, 'barbican': 6}
        )

    def test_forms(self):
        """It is in both, and has a word."""
        for broker in BROKERS:
            self.state.broker = broker
            self.assertEqual(
                'barbican', layout.find_one(self.state, 'barbican').name
            )

    def test_files(self):
        """Its own, and its address in nova.conf."""
        start.configure(self.place, self.state)
        written = self.place.configuration('barbican') / 'barbican.conf'
        self.assertEqual('http://127.0.0.1:6', written.read_text())
        nova = (self.place.configuration('nova') / 'nova.conf').read_text()
        _, _, section = nova.partition('[barbican]\n')
        self.assertIn(
            'endpoint_override = http://127.0.0.1:6\n',
            section.partition('\n\n')[0] + '\n',
        )
        self.assertTrue((self.place.folder / 'secrets').is_dir())

    def test_keystone(self):
        """Its user, and its endpoint."""
        given = []
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.lab.services.keystone.build', lambda *args: given.extend(args)
        ))
        row = layout.find_one(self.state, 'keystone')
        row.app(self.place, self.state, None)
        *_, users, catalog = given
        self.assertEqual({'barbican', 'glance', 'nova', 'placement'}, {*users})
        self.assertEqual(
            'http://127.0.0.1:6/v1',
            catalog[Endpoint('key-manager', 'barbican', '/v1')],
        )

    def test_package(self):
        """No command goes on without it."""
        error = self.assertRaises(LabError, cli.require)
        self.assertIn('nova-ext[lab]', str(error))

    def test_help(self):
        """The commands name it."""
        parser = argparse.ArgumentParser()
        cli.add_service(parser)
        self.assertIn('barbican', parser.format_help())
