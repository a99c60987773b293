"""Plugins and drivers that the mirror asks, and Nova, decide the same."""

import re
import sys
import unittest
from importlib import metadata
from unittest import mock

from testtools import testcase

from nova_ext.core.decision.fallback import Fallback
from nova_ext.core.explanation.explain import explain
from nova_ext.drivers.chance import ChanceScheduler
from nova_ext.scheduler.claims import first_claims
from nova_ext.scheduler.facts import nova_facts
from tests.functional import base, columns
from tests.functional.mirrored import RefreshedByTests

DOC, OPS, GONE = '10.1.5.5', '10.2.0.9', '10.3.0.1'


@unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)
class MirrorCase(base.CloudTestCase):
    """A scheduler whose mirror decides."""

    def configure(self):
        """Have tests refresh the mirror."""
        self.useFixture(RefreshedByTests())
        self.flags(group='quota', instances=-1, cores=-1, ram=-1)
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
            plugin_files=[columns.__file__],
        )

    def decide(self, hints=None, count=1, **kwargs):
        """Boot servers from what the mirror reads now.

        :returns: the servers, and the decision.
        """
        self.scheduler._mirror.refresh()
        servers = self.boot_many(count, hints, **kwargs)
        return servers, self.decisions()[-1]

    def assert_decided(self, decision):
        """The mirror decided."""
        self.assertEqual('', decision.mirror.fallback)
        self.assertTrue(decision.mirror.decides)


class PluginsTest(MirrorCase):
    """Filters and weighers are asked about all hosts at once."""

    enabled_filters = (
        'ComputeFilter', 'OfferFilter', 'SpecifiedHostFilter', 'StatsFilter',
        'RoomFilter',
    )

    def configure(self):
        """Let hints name a stat."""
        super().configure()
        self.flags(group='nova_ext_stats', names=['load1'])

    def setUp(self):
        """Push stats of two of three hosts."""
        super().setUp()
        for host, load in (('cmp-1', 9.5), ('cmp-2', 2)):
            nova_facts.get().resource_stats.update(
                host, {'ext:load1': load}, 1
            )
        loaded = sys.modules['nova_ext_files.columns']
        self.filter, self.weigher = loaded.RoomFilter, loaded.NameWeigher

    @testcase.attr('slow')
    def test_explanation(self):
        """It says the same of each host, whoever decided."""
        full = self._create_flavor(memory_mb=4096, vcpu=1, disk=1)
        self.boot({'requested_host': 'cmp-3'}, flavorRef=full)
        self.filter.asked = self.weigher.asked = 0
        for hints, rejected in (
            ({}, 0),
            ({'requested_host': 'CMP-2'}, 2),
            ({'requested_host': ['cmp-2', 'cmp-3'], 'room': '4097'}, 2),
            ({'stats:load1': '<= 8'}, 2),
            ({'stats:load1': '>= 8', 'room': '4097'}, 2),
            ({'room': '4097'}, 1),
        ):
            (server,), decision = self.decide(hints)
            self.assert_decided(decision)
            mirrored = self.describe(decision)
            self._delete_server(server)
            self.scheduler._mirror.off = Fallback.DIFFERED
            (server,), decision = self.decide(hints)
            self.scheduler._mirror.off = None
            self.assertEqual('differed', decision.mirror.fallback)
            self._delete_server(server)
            self.assertEqual(self.describe(decision), mirrored, hints)
            self.assertEqual(rejected, sum(
                rejection.count for step in decision.attempts[0].steps
                for rejection in step.rejections
            ), hints)
        self.assertEqual(6, self.filter.asked)
        self.assertEqual(2, self.weigher.asked)  # not of a single host

    def test_several_servers(self):
        """Columns have what earlier servers of a request took."""
        # 7680 MiB are free. One host is left for alternates.
        flavor = self._create_flavor(memory_mb=2048, vcpu=1, disk=1)
        servers, decision = self.decide(
            {'room': '4096'}, 5, flavorRef=flavor
        )
        self.assert_decided(decision)
        self.assertEqual(
            ['cmp-3', 'cmp-3', 'cmp-2', 'cmp-2', 'cmp-1'],
            [
                decision.chosen[server['id']][0].partition('/')[0]
                for server in servers
            ],
        )

    def test_broken(self):
        """Where only the form for many hosts raises, Nova decides."""
        (server,), decision = self.decide({'room': 'x'})
        self.assertEqual(
            ('error', 'ValueError'),
            (decision.mirror.fallback, decision.mirror.detail),
        )
        self.assertEqual('cmp-3', self.host_of(server))
        self.assertEqual(('placed', ''), (decision.outcome, decision.message))
        self.assertEqual(
            [], [note for note in explain(decision).notes if 'raised' in note]
        )

    def describe(self, decision):
        """Return what is recorded and explained of the plugins.

        Other weights differ: Nova counts a deletion as an I/O operation.
        """
        (attempt,) = decision.attempts
        explanation = explain(decision)
        for step in attempt.steps:
            for rejection in step.rejections:
                # The mirror begins in an order of its own.
                rejection.hosts.sort()
            step.rejections.sort(key=lambda each: each.hosts)
        return (
            attempt.steps, attempt.ranked,
            [
                (weighing.weights, weighing.multipliers)
                for weighing in attempt.weighers
                if weighing.name == 'NameWeigher'
            ],
            sorted(re.split(': |, ', explanation.sentence)),
            sorted(
                (row for row in explanation.rows if row.stage),
                key=lambda row: row.hosts,
            ),
        )


class DriverTest(MirrorCase):
    """IPScheduler narrows what the mirror ranked."""

    hosts = ('doc-1', 'doc-2', 'ops-1')
    # No other: a build that fails would keep servers off its host.
    weight_classes = ('nova.scheduler.weights.ram.RAMWeigher',)
    drivers = ('IPScheduler',)

    def configure(self):
        """Set rules, one that no host satisfies."""
        super().configure()
        base.trust_proxies()
        self.flags(enable_proxy_headers_parsing=True, group='oslo_middleware')
        self.flags(group='nova_ext_ip_scheduler', rules=[
            '10.1.0.0/16=doc', '10.2.0.0/16=ops', '10.3.0.0/16=gone',
        ])

    def test_groups(self):
        """Servers go to the client's group, several to both of its hosts."""
        for address, prefix, rejected in (
            (DOC, 'doc', ['ops-1']), (OPS, 'ops', ['doc-1', 'doc-2']),
        ):
            (server,), decision = self.decide(
                api=self.client(address=address)
            )
            self.assert_decided(decision)
            self.assertEqual(prefix, self.host_of(server)[:3])
            (chosen,) = decision.chosen.values()
            self.assertEqual({prefix}, {host[:3] for host in chosen})
            step = decision.attempts[0].steps[-1]
            self.assertEqual(('IPScheduler', 'driver'), (step.name, step.kind))
            (rejection,) = step.rejections
            self.assertEqual(rejected, [
                name.partition('/')[0] for name in sorted(rejection.hosts)
            ])
            self.assertIn(f'not {prefix}* (rule', rejection.reason)
        _, decision = self.decide(count=8, api=self.client(address=DOC))
        self.assert_decided(decision)
        self.assertEqual(8, len(decision.chosen))
        self.assertEqual({'doc-1', 'doc-2'}, {
            chosen[0].partition('/')[0] for chosen in decision.chosen.values()
        })

    def test_no_group(self):
        """Where the driver leaves no host, Nova says so."""
        _, decision = self.decide(
            api=self.client(address=GONE), expected_state='ERROR'
        )
        self.assertEqual('no_host', decision.mirror.fallback)
        self.assertEqual('no valid host', decision.outcome)


class ChanceTest(MirrorCase):
    """ChanceScheduler shuffles what the mirror ranked."""

    drivers = ('ChanceScheduler',)

    @testcase.attr('slow')
    def test_shuffled(self):
        """Servers go to hosts at random; the draw is recorded."""
        servers, decision = self.decide(count=12)
        self.assert_decided(decision)
        self.assertGreater(len({self.host_of(each) for each in servers}), 1)
        self.assertTrue(all(
            attempt.draw is not None for attempt in decision.attempts
        ))

    @testcase.attr('slow')
    def test_broken_amid(self):
        """What was claimed before the driver raises is given back."""
        post, rank = first_claims.post, ChanceScheduler.rank
        asked = []

        def refuse(client, context, claims):
            if len(claims) > 1:
                asked.append('refused')
                return first_claims.Answer.REFUSED
            return post(client, context, claims)

        def raise_amid(driver, *args):
            if asked:
                asked.append('rank')
            if asked[1:] == ['rank', 'rank']:
                raise ValueError('amid')
            return rank(driver, *args)

        with (
            mock.patch.object(first_claims, 'post', refuse),
            mock.patch.object(ChanceScheduler, 'rank', raise_amid),
        ):
            servers, decision = self.decide(count=3)
        self.assertEqual('no_host', decision.mirror.fallback)
        self.assertGreater(len(asked), 3)
        for server in servers:
            self.assertEqual(1, len(self.placement.get(
                f'/allocations/{server["id"]}'
            ).body['allocations']))


class LimitTest(MirrorCase):
    """A filter lets one server onto each of three hosts."""

    enabled_filters = ('ComputeFilter', 'NumInstancesFilter')

    def configure(self):
        """Set the limit."""
        super().configure()
        self.flags(group='filter_scheduler', max_instances_per_host=1)

    @testcase.attr('slow')
    def test_no_alternates(self):
        """Servers that fill all hosts have no alternates."""
        servers, decision = self.decide(count=3)
        self.assert_decided(decision)
        self.assertEqual(
            {'cmp-1', 'cmp-2', 'cmp-3'}, set(map(self.host_of, servers))
        )
        self.assertEqual(
            {1}, {len(hosts) for hosts in decision.chosen.values()}
        )
        _, decision = self.decide(expected_state='ERROR')
        self.assertEqual('no_host', decision.mirror.fallback)
