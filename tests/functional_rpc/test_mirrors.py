"""See and switch what schedulers' mirrors do, over RPC."""

import unittest
from importlib import metadata
from unittest import mock

import oslo_messaging as messaging
from nova import rpc

from nova_ext.client import wire
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.mirror import mirror
from nova_ext.scheduler.rpc.mirror_endpoint import MirrorEndpoint
from tests.functional.mirrored import RefreshedByTests
from tests.functional_rpc import what_if
from tests.functional_rpc.test_topics import TopicsTestCase

_skip_without = unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)


@_skip_without
class SimulateTest(what_if.WhatIfTestCase):
    """Simulations, where placement offers one host at a time."""

    def configure(self):
        """Have tests refresh the mirror."""
        super().configure()
        self.useFixture(RefreshedByTests())
        self.flags(group='nova_ext', mirror='on', mirror_max_age_s=3600)
        self.flags(group='scheduler', max_placement_results=1)

    def test_all_hosts(self):
        """They see as many hosts as boots: all, once the mirror decides."""
        self.assertEqual(1, self.count())
        self.scheduler._mirror.refresh()
        self.assertEqual(3, self.count())
        self.flags(group='nova_ext', mirror_sees_all_hosts=False)
        self.assertEqual(1, self.count())
        self.flags(group='nova_ext', mirror_sees_all_hosts=True)
        self.scheduler._mirror.switch(active=False)
        self.assertEqual(1, self.count())

    def count(self):
        """Return how many hosts a simulation sees."""
        return self.simulate().placement.candidates


@_skip_without
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
        # From a host whose clock is ahead.
        with mock.patch('time.time_ns', lambda: 2 * 10 ** 18):
            self.program.set_mirror(self.me, True)
        self.get_states('on')
        self.program.set_mirror(self.me, False)
        self.get_states('off')
        with mock.patch('time.time_ns', lambda: 3 * 10 ** 18):
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
