"""See and switch what schedulers' mirrors do, over RPC."""

import dataclasses
import json
import time
import unittest
from importlib import metadata
from unittest import mock

import oslo_messaging as messaging
from nova import rpc

from nova_ext import client
from nova_ext.client import wire
from nova_ext.core.decision.fallback import Fallback
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.cycle.nova_source import NovaSource
from nova_ext.scheduler.mirror import mirror
from nova_ext.scheduler.rpc.mirror_endpoint import MirrorEndpoint
from nova_ext.scheduler.what_if.simulate import further_servers
from tests.functional import base
from tests.functional.mirrored import RefreshedByTests
from tests.functional_rpc import what_if
from tests.functional_rpc.test_topics import TopicsTestCase

_skip_without = unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)


@_skip_without
class SimulateTest(what_if.WhatIfTestCase):
    """Simulations and capacity, of three hosts in two zones."""

    weight_classes = (base.STOCK_WEIGHERS,)
    enabled_filters = (
        'ComputeFilter', 'NumInstancesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )

    def configure(self):
        """Have tests refresh the mirror."""
        super().configure()
        self.useFixture(RefreshedByTests())
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=100,
        )
        self.flags(group='filter_scheduler', max_instances_per_host=3)

    def setUp(self):
        """Have no two hosts weigh the same."""
        super().setUp()
        rack = self.admin_api.post_aggregate({'aggregate': {
            'name': 'rack', 'availability_zone': 'west',
        }})
        self.add_to_aggregate(rack['id'], 'cmp-1')
        self.add_to_aggregate(rack['id'], 'cmp-2')
        self.spread = self.api.post_server_groups(
            {'name': 'spread', 'policy': 'anti-affinity'}
        )['id']
        self.boot({'group': self.spread})
        host = self.host_of(self.boot({'group': self.spread}))
        self.boot(availability_zone=f'nova:{host}')
        self.scheduler._mirror.refresh()

    def test_limit(self):
        """Boots and simulations go beyond what placement offers."""
        self.flags(group='scheduler', max_placement_results=1)
        self.assertEqual(3, self.simulate().placement.candidates)
        self.flags(group='nova_ext', mirror_sees_all_hosts=False)
        self.assertEqual(1, self.simulate().placement.candidates)

    def test_simulated_alike(self):
        """The mirror comes to Nova's answers, with changes and without."""
        nothing = self.flavor(vcpus=10_000)
        for asked, fallback in (
            ({}, ''),
            ({'count': 2}, ''),
            ({'availability_zone': 'west'}, ''),
            ({'hints': {'group': self.spread}}, ''),
            ({'count': 2, 'hints': {'group': self.spread}}, 'no_host'),
            ({'flavor': nothing}, 'no_host'),
            ({'availability_zone': 'nova:cmp-3'}, 'forced_host'),
            ({'changes': client.Changes(filters=['ComputeFilter'])}, ''),
            ({'changes': client.Changes(
                multipliers={'RAMWeigher': -7.0, 'CPUWeigher': 3.0}
            )}, ''),
        ):
            decisions = self.ask_both(self.simulate, **asked)
            self.assertEqual(fallback, decisions[0].mirror.fallback, asked)
            first, second = map(self.describe, decisions)
            self.assertEqual(first, second, asked)
        # Servers that do not exist are no members of their group.
        self.assert_group_has_room()

    def test_capacity_alike(self):
        """As many servers fit by the mirror as by Nova's host states."""
        for asked, fallback in (
            ({}, ''),
            ({'flavor': self.flavor(memory_mb=3840)}, ''),
            ({'availability_zone': 'west'}, ''),
            ({'hints': {'group': self.spread}}, ''),
            ({'changes': client.Changes(filters=['ComputeFilter'])}, ''),
            ({'flavor': self.flavor(vcpus=10_000)}, 'no_host'),
            ({'hints': {'group': self.api.post_server_groups(
                {'name': 'together', 'policy': 'affinity'}
            )['id']}}, 'filter_per_server'),
        ):
            rooms = self.ask_both(self.capacity, **asked)
            first, second = (dataclasses.asdict(room) for room in rooms)
            self.assertEqual(
                fallback, first['decision']['mirror']['fallback'], asked
            )
            for room in first, second:
                del room['decision']
            self.assertEqual(first, second, asked)

    def test_held(self):
        """What was claimed and not read yet is not free."""
        before = self.capacity(self.flavor(memory_mb=3840)).total.least
        self.flags(group='nova_ext', mirror_verify_percent=0)
        self.boot()
        after = self.capacity(self.flavor(memory_mb=3840))
        self.assertEqual('', after.decision.mirror.fallback)
        self.assertEqual(before - 1, after.total.least)

    def test_taken_meanwhile(self):
        """A host whose last room a boot takes meanwhile is left out."""
        before = self.capacity().hosts
        provider = self._get_provider_uuid_by_host('cmp-1')
        find_limits = further_servers.find_limits

        def take(*args):
            self.scheduler._mirror.claims.begin(
                'other', {provider: {'resources': {'VCPU': 10 ** 6}}},
                time.monotonic(),
            )
            return find_limits(*args)

        with mock.patch.object(further_servers, 'find_limits', take):
            after = self.capacity()
        self.assertEqual('', after.decision.mirror.fallback)
        self.assertFalse(after.unknown)
        self.assertEqual({'cmp-1'}, before.keys() - after.hosts.keys())

    def test_counted_apart(self):
        """No simulation counts among the requests that mirrors decided."""
        counted = self.scheduler._mirror.describe()
        self.simulate()
        self.capacity()
        told = self.scheduler._mirror.describe()
        del counted['age_s'], told['age_s']
        self.assertEqual(counted, told)

    def ask_both(self, ask, **asked):
        """Ask the mirror, and Nova's own code; return both answers."""
        mirrored = ask(**asked)
        self.assertTrue(get_decision(mirrored).mirror.decides)
        with mock.patch.object(
            self.scheduler.decider, 'source', NovaSource()
        ):
            stock = ask(**asked)
        self.assertIsNone(get_decision(stock).mirror)
        return mirrored, stock

    @staticmethod
    def describe(decision):
        """What was decided, but for what differs from run to run."""
        attempts = [dataclasses.asdict(each) for each in decision.attempts]
        for attempt in attempts:
            del attempt['draw']
            for step in attempt['steps']:
                for rejection in step['rejections']:
                    rejection['hosts'].sort()
        text = json.dumps(attempts, sort_keys=True)
        for number, attempt in enumerate(attempts):
            text = text.replace(attempt['server'], str(number))
        return decision.outcome, decision.placement.candidates, text

    def assert_group_has_room(self):
        """One of three hosts has none of the group."""
        decision = self.simulate(hints={'group': self.spread})
        self.assertEqual(1, decision.attempts[0].ranked_count)


def get_decision(answer):
    """Return the decision of an answer, which may be one itself."""
    return getattr(answer, 'decision', answer)


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

    def test_listed(self):
        """All workers tell what their mirrors do, and why one does not."""
        self.start_worker()
        self.scheduler._mirror.refresh()
        self.boot()
        self.assertTrue(recorder.get().flush(60))
        states = self.get_states({'on'})
        self.assertEqual({'on'}, {state['mode'] for state in states})
        self.assertEqual(1, sum(
            state['decided'] + sum(state['fallbacks'].values())
            for state in states
        ))
        self.scheduler._mirror.off = Fallback.DIFFERED
        states = self.get_states({'on', 'off'})
        self.assertEqual(
            {'', Fallback.DIFFERED.text},
            {state['reason'] for state in states},
        )

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
            return len(states) == 2 and wanted == {
                state['state'] for state in states
            }

        self.wait_for(are_so, f'mirrors that are {wanted}')
        return states
