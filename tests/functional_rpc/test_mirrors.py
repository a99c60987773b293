"""See and switch what schedulers' mirrors do, over RPC."""

import unittest
from importlib import metadata

import oslo_messaging as messaging
from nova import rpc

from nova_ext.client import wire
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.mirror import mirror
from nova_ext.scheduler.rpc.mirror_endpoint import MirrorEndpoint
from tests.functional.mirrored import RefreshedByTests
from tests.functional_rpc.test_topics import TopicsTestCase


@unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)
class MirrorsTest(TopicsTestCase):
    """Two workers on one bus, of which each has a mirror."""

    drivers = ('FilterScheduler',)

    def configure(self):
        """Have tests refresh the mirror."""
        self.useFixture(RefreshedByTests())
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
        )

    def test_switched(self):
        """All workers tell, and all are switched."""
        self.start_worker()
        self.scheduler._mirror.refresh()
        self.boot()
        states = self.get_states('on')
        self.assertEqual(2, len(states))
        self.assertEqual({'on'}, {state['mode'] for state in states})
        self.program.set_mirror(self.me, False)
        states = self.get_states('off')
        self.assertEqual(
            {'turned off: by an operator'},
            {state['reason'] for state in states},
        )
        self.boot()
        self.assertTrue(recorder.get().flush(60))
        self.program.set_mirror(self.me, True)
        states = self.get_states('on')
        self.assertEqual(2, sum(
            state['decided'] + sum(state['fallbacks'].values())
            for state in states
        ))
        self.assertEqual(1, sum(
            state['fallbacks'].get('turned off: by an operator', 0)
            for state in states
        ))

    def start_worker(self):
        """Serve the topic a second time, for another mirror."""
        other = mirror.Mirror(
            self.scheduler.host_manager,
            lambda: self.scheduler.placement_client,
        )
        other.refresh()
        server = rpc.get_server(
            messaging.Target(topic=wire.TOPIC, server='ctl-2'),
            [MirrorEndpoint('ctl-2', 2, other)],
        )
        server.start()
        self.addCleanup(server.wait)
        self.addCleanup(server.stop)

    def get_states(self, wanted):
        """Return what the workers tell, once all are so."""
        states = []

        def are_so():
            states[:] = self.program.mirror_states(self.me)
            return len(states) == 2 and {wanted} == {
                state['state'] for state in states
            }

        self.wait_for(are_so, f'mirrors that are {wanted}')
        return states
