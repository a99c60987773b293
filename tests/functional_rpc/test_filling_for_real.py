"""As many servers fit as are told, placed one by one until Nova refuses."""

import random
import unittest
import uuid
from importlib import metadata

from testtools import testcase

from tests.functional import base
from tests.functional.mirrored import RefreshedByTests
from tests.functional_rpc import what_if


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

    @testcase.attr('slow')
    def test_fill(self):
        """Flavors, groups and what others took differ."""
        dice = random.Random(self.id())  # noqa: S311  no secret
        for policy in (None, 'soft-anti-affinity', 'anti-affinity'):
            for host in self.hosts:
                self.take(host, dice.choice([2, 3, 4]))
            hints = {'group': self.api.post_server_groups(
                {'name': 'some', 'policy': policy}
            )['id']} if policy else {}
            flavor = self.flavor(
                vcpus=dice.choice([1, 2]), memory_mb=dice.choice([64, 900]),
                ephemeral_gb=dice.choice([0, 3]), swap=dice.choice([0, 100]),
            )
            room = self.capacity(flavor, hints=hints)
            self.assertFalse(room.unknown)
            created = self.create_flavor(flavor)
            servers = [
                self.boot(hints, flavorRef=created)
                for _ in range(room.total.least)
            ]
            servers.append(self.boot(
                hints, flavorRef=created, expected_state='ERROR'
            ))
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
