"""What is simulated, and the boot that follows."""

import os
import random
import unittest
from importlib import metadata

from nova import context as nova_context
from testtools import testcase

from nova_ext.core.decision import decision as d
from tests.functional import mirrored
from tests.functional_rpc import what_if

LONG = os.environ.get('HYPOTHESIS_PROFILE') == 'long'
#: Generated requests, each with a boot, which takes a second or two.
REQUESTS = 200 if LONG else 6
SEED = 5
#: A zone and a host.
FORCED = 'nova:cmp-3'
#: So many servers at most; of more, all but the newest few are deleted.
MOST = 16
LEFT = 6


class AgreementTest(what_if.WhatIfTestCase):
    """Generated requests, one after the other, in one cloud."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3', 'cmp-4')
    enabled_filters = (
        'ComputeFilter', 'SpecifiedHostFilter', 'ImagePropertiesFilter',
        'DifferentHostFilter', 'SameHostFilter', 'NumInstancesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
        'AggregateInstanceExtraSpecsFilter',
    )

    def configure(self):
        """A filter that fills up, too."""
        super().configure()
        self.flags(group='filter_scheduler', max_instances_per_host=4)

    def setUp(self):
        """Two zones, aggregates, flavors, groups."""
        super().setUp()
        self.chance = random.Random(SEED)  # noqa: S311  not a secret
        self.aggregate('west', 'cmp-1', 'cmp-2', availability_zone='west')
        self.aggregate('fast', 'cmp-2', 'cmp-3', ssd='true')
        self.flavors = [
            (flavor, self.create_flavor(flavor)) for flavor in (
                self.flavor(), self.flavor(vcpus=4, memory_mb=2048),
                self.flavor(memory_mb=4096), self.flavor(memory_mb=9000),
                self.flavor(extra_specs={
                    'aggregate_instance_extra_specs:ssd': 'true'
                }),
                self.flavor(root_gb=300, ephemeral_gb=100, swap=512),
                self.flavor(extra_specs={'trait:HW_CPU_X86_AMX': 'required'}),
            )
        ]
        self.groups = [
            self.api.post_server_groups({'name': policy, 'policy': policy})
            for policy in ('affinity', 'anti-affinity')
        ]
        self.servers = []

    def aggregate(self, name, *hosts, **metadata):
        """Make an aggregate."""
        aggregate = self.admin_api.post_aggregate(
            {'aggregate': {'name': name}}
        )
        self.admin_api.post_aggregate_action(
            aggregate['id'], {'set_metadata': {'metadata': metadata}}
        )
        for host in hosts:
            self.add_to_aggregate(aggregate['id'], host)

    def generated(self):
        """A request: its flavor in both forms, and what else both take."""
        there = [server['id'] for server in self.servers]
        hints = self.chance.choice([
            {}, {}, {}, {'requested_host': self.chance.choice(
                ['cmp-2', 'cmp-4', 'cmp-9'])},
            {'group': self.chance.choice(self.groups)['id']},
            {'different_host': there[:2]} if there[1:] else {},
            {'same_host': there[-1]} if there else {},
        ])
        where = self.chance.choice([
            {}, {}, {}, {'availability_zone': 'west'},
            {'availability_zone': FORCED}, {'host': 'cmp-4'},
        ])
        if where.get('availability_zone') == FORCED and 'group' in hints:
            # No filter is asked of such a host. It may refuse the server
            # itself then, after the scheduler's decision.
            hints = {}
        return self.chance.choice(self.flavors), hints, where

    def test_agree(self):
        """The same hosts, out of the same, filtered by the same."""
        outcomes = {d.PLACED: 0, d.NO_VALID_HOST: 0}
        for number in range(REQUESTS):
            (flavor, flavor_id), hints, where = self.generated()
            count = self.chance.choice([1, 1, 2])
            request = f'{number}: {count} of {flavor} {hints} {where}'
            decision = self.simulate(flavor, hints=hints, count=count, **where)
            outcomes[decision.outcome] += 1
            servers = self.boot_many(
                count, hints, flavorRef=flavor_id, expected_state=(
                    'ACTIVE' if decision.outcome == d.PLACED else 'ERROR'
                ), **where,
            )
            self.assertEqual(
                _way(decision), _way(self.decision(servers[0])), request
            )
            self.servers += servers
            self.make_room()
            self.tell_scheduler()
        self.assertLess(REQUESTS // 10, min(outcomes.values()))

    def decision(self, server):
        """What was recorded of a server's boot."""
        return next(
            made for made in reversed(self.decisions())
            if server['id'] in made.servers
        )

    def make_room(self):
        """Delete the oldest servers, and wait until their hosts know."""
        if len(self.servers) <= MOST:
            return
        gone, self.servers = self.servers[:-LEFT], self.servers[-LEFT:]
        for server in gone:
            self.api.delete_server(server['id'])
        for server in gone:
            self._wait_until_deleted(server)
        for compute in self.computes.values():
            compute.manager.update_available_resource(
                nova_context.get_admin_context()
            )

    def tell_scheduler(self):
        """Have the scheduler look at the database for servers of hosts."""
        # Computes tell of a server after it is ACTIVE. A list that is not
        # the scheduler's own makes it read anew.
        for host in self.hosts:
            self.scheduler.sync_instance_info(
                nova_context.get_admin_context(), host, ['none']
            )


def _way(decision):
    """What a decision has in common with one of other servers."""
    return (
        decision.outcome, list(decision.chosen.values()),
        [
            (
                [(step.name, step.hosts_in, step.hosts_out)
                 for step in attempt.steps],
                attempt.ranked[:10], attempt.ranked_count, attempt.equal,
            )
            for attempt in decision.attempts
        ],
        [(claim.host, claim.claimed) for claim in decision.claims],
        decision.placement and decision.placement.query,
    )


@unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)
class MirroredAgreementTest(AgreementTest):
    """The same, where a mirror decides both."""

    def configure(self):
        """Have tests refresh the mirror."""
        super().configure()
        self.useFixture(mirrored.RefreshedByTests())
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
        )

    @testcase.attr('slow')
    def test_agree(self):
        """A boot is decided from what its simulation was decided from."""
        super().test_agree()

    def simulate(self, *args, **kwargs):
        """Refresh the mirror before."""
        self.scheduler._mirror.refresh()
        decision = super().simulate(*args, **kwargs)
        self.assertTrue(decision.mirror.decides)
        return decision
