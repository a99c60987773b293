"""Which processes a lab has."""

import testtools

from nova_ext.lab import layout, program, states
from nova_ext.lab.errors import LabError


def lab(broker='none', schedulers=1):
    """The state of a lab of this form."""
    state = states.new([])
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
