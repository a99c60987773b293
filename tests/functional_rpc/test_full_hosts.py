"""Where a server would go if hosts were empty, or in a group that is new."""

import unittest
from importlib import metadata

from nova_ext import client
from nova_ext.cloud_rules.kinds import passes
from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.decision import decision as d
from nova_ext.core.explanation import serialized
from tests.functional import mirrored
from tests.functional_rpc import what_if

EMPTY = client.Changes(ignore_room=True)
#: As much memory as a host has, less what it reserves.
WHOLE_MB = 7680


class FullHostsTest(what_if.WhatIfTestCase):
    """Three hosts of 8 GiB; one of them lacks what a flavor requires."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3')
    enabled_filters = (
        'ComputeFilter', 'SpecifiedHostFilter', 'ServerGroupAffinityFilter',
        'ServerGroupAntiAffinityFilter',
    )

    def sort(self, flavor=None, changes=EMPTY, **asked):
        """Return hosts that pass, and why each other does not."""
        verdicts = passes.read(serialized.serialize(
            self.simulate(flavor, changes, **asked)
        ), self.hosts)
        return verdicts.passing, verdicts.reasons

    def fill(self, *hosts):
        """Leave no memory on hosts."""
        flavor = self.create_flavor(
            self.flavor(memory_mb=WHOLE_MB, root_gb=0)
        )
        for host in hosts:
            self.boot({'requested_host': host}, flavorRef=flavor)

    def test_full(self):
        """A full host passes, or a filter rejects it; others say why not."""
        self.fill('cmp-1', 'cmp-2')
        self.disable('cmp-3')
        small = self.flavor()
        passing, others = self.sort(small, client.Changes())
        self.assertEqual(set(), passing)
        self.assertEqual(
            'placement: no candidate from placement', others['cmp-1']
        )
        passing, others = self.sort(small)
        self.assertEqual({'cmp-1', 'cmp-2'}, passing)
        self.assertEqual({'cmp-3': 'placement: is disabled'}, others)
        passing, others = self.sort(
            small, hints={'requested_host': 'cmp-2'}
        )
        self.assertEqual({'cmp-2'}, passing)
        self.assertEqual(
            'SpecifiedHostFilter: requested_host is cmp-2', others['cmp-1']
        )
        # Nothing was claimed, and nobody else sees them as empty.
        self.assertEqual(0, self.capacity(small).total.most)

    def test_never_fits(self):
        """What a host could not hold if it were empty is no lack of room."""
        self.fill('cmp-1')
        passing, others = self.sort(self.flavor(memory_mb=WHOLE_MB * 2))
        self.assertEqual(set(), passing)
        self.assertEqual(
            {'placement: lacks MEMORY_MB'}, set(others.values())
        )
        passing, others = self.sort(
            self.flavor(extra_specs={'resources:VGPU': '1'})
        )
        self.assertEqual(set(), passing)
        self.assertEqual({
            'cmp-1': 'placement: lacks MEMORY_MB and lacks VGPU',
            'cmp-2': 'placement: lacks VGPU', 'cmp-3': 'placement: lacks VGPU',
        }, others)

    def test_refused(self):
        """Capacity counts room; groups of resources are not simulated."""
        self.assertRaises(WrongArgumentsError, self.capacity, changes=EMPTY)
        refused = self.simulate(
            self.flavor(extra_specs={'resources1:VGPU': '1'}), EMPTY
        )
        self.assertEqual(d.FAILED, refused.outcome)
        self.assertIn('granular group 1', refused.message)

    def place(self, policy, count, **changes):
        """Simulate a group; return the outcome, and hosts of its servers."""
        decision = self.simulate(
            count=count, changes=client.Changes(new_group=policy, **changes)
        )
        hosts = [chosen[0] for chosen in decision.chosen.values()]
        return decision.outcome, len(set(hosts))

    def test_new_group(self):
        """Each policy is kept, as where the group were there."""
        self.assertEqual((d.PLACED, 3), self.place('anti-affinity', 3))
        self.assertNotEqual(d.PLACED, self.place('anti-affinity', 4)[0])
        self.assertEqual((d.PLACED, 1), self.place('affinity', 3))
        self.assertRaises(WrongArgumentsError, self.place, 'nearby', 2)

    def test_new_group_unfiltered(self):
        """Without its filter, no policy is kept."""
        self.assertEqual((d.PLACED, 1), self.place(
            'anti-affinity', 2, filters=['ComputeFilter'],
            multipliers={
                'RAMWeigher': -1.0, 'CPUWeigher': -1.0, 'DiskWeigher': -1.0,
                'IoOpsWeigher': 0.0,
            },
        ))


@unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)
class FullMirrorTest(FullHostsTest):
    """A mirror decides boots, and knows neither empty hosts nor the group."""

    test_refused = test_new_group_unfiltered = None

    def configure(self):
        """Let the mirror decide."""
        super().configure()
        self.useFixture(mirrored.RefreshedByTests())
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600,
        )

    def simulate(self, *args, **asked):
        """Ask after the mirror has read what was booted."""
        self.scheduler._mirror.refresh()
        return super().simulate(*args, **asked)
