"""As many servers fit as are told, placed one by one until Nova refuses."""

import random
import unittest
import uuid
from collections import Counter
from importlib import metadata

from testtools import testcase

from tests.functional import base
from tests.functional.mirrored import RefreshedByTests
from tests.functional_rpc import what_if

#: Of server groups. None: the servers are in none.
POLICIES = (
    None, 'soft-anti-affinity', 'anti-affinity', 'affinity', 'soft-affinity',
)


class FillingForRealTest(what_if.WhatIfTestCase):
    """Three hosts with eight processors each, most of them taken."""

    weight_classes = (base.STOCK_WEIGHERS,)
    compute_driver = 'fake.SmallFakeDriver'
    enabled_filters = (
        'ComputeFilter', 'NumInstancesFilter', 'NUMATopologyFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    )

    def configure(self):
        """Overcommit processors."""
        super().configure()
        self.flags(initial_cpu_allocation_ratio=4.0)
        self.flags(group='quota', server_groups=-1, server_group_members=-1)

    @testcase.attr('slow')
    def test_fill(self):
        """Flavors, groups and what others took differ."""
        dice = random.Random(self.id())  # noqa: S311  no secret
        for policy in 2 * POLICIES:
            for host in self.hosts:
                self.take(host, dice.choice([0, 2, 3, 4]))
            flavor = self.flavor(
                vcpus=dice.choice([1, 2, 3]),
                memory_mb=dice.choice([64, 900, 3000]),
                root_gb=dice.choice([0, 1, 300]),
                ephemeral_gb=dice.choice([0, 3]), swap=dice.choice([0, 100]),
            )
            self.fill(flavor, {'group': self.api.post_server_groups(
                {'name': 'some', 'policy': policy}
            )['id']} if policy else {})

    def fill(self, flavor, hints):
        """Boot servers until one fails: as many, and where they were told."""
        room = self.capacity(flavor, hints=hints)
        self.assertFalse(room.unknown)
        created, servers = self.create_flavor(flavor), []
        while not servers or servers[-1]['status'] == 'ACTIVE':
            server = self.api.post_server({'server': {
                **self._build_server(networks='none'), 'flavorRef': created,
            }, 'os:scheduler_hints': hints})
            self.wait_for(
                lambda server=server: self.api.get_server(
                    server['id']
                )['status'] != 'BUILD', 'the server is built, or is not'
            )
            servers.append(self.api.get_server(server['id']))
        asked = flavor, hints, room.total, room.hosts
        counts = Counter(map(self.host_of, servers[:-1]))
        self.assertTrue(
            room.total.least <= counts.total() <= room.total.most, asked
        )
        self.assertLessEqual(counts.keys(), room.hosts.keys(), asked)
        for host, told in room.hosts.items():
            self.assertTrue(told.least <= counts[host] <= told.most, asked)
        for server in servers:
            self._delete_server(server)

    def take(self, host, number):
        """Have strangers take two processors each, and no others."""
        provider = self._get_provider_uuid_by_host(host)
        for stranger in range(4):
            consumer = uuid.uuid5(uuid.UUID(provider), str(stranger))
            url = f'/allocations/{consumer}'
            had = self.placement.get(url, version='1.38').body
            if stranger >= number and not had['allocations']:
                continue
            answer = self.placement.put(url, {
                'allocations': {
                    provider: {'resources': {'VCPU': 2}},
                } if stranger < number else {},
                'project_id': 'nobody', 'user_id': 'nobody',
                'consumer_generation': had.get('consumer_generation'),
                'consumer_type': 'NOBODY',
            }, version='1.38')
            self.assertEqual(204, answer.status, answer.body)


@unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)
class FillingFromMirrorTest(FillingForRealTest):
    """The mirror read all before others took some of it."""

    def configure(self):
        """Have tests refresh the mirror."""
        super().configure()
        self.useFixture(RefreshedByTests())
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
        )

    def setUp(self):
        """Read all."""
        super().setUp()
        self.scheduler._mirror.refresh()
