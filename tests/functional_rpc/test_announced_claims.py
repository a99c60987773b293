"""Two schedulers that tell each other what they claim."""

import logging

import fixtures
from nova import context as nova_context
from nova import objects
from oslo_utils import importutils, uuidutils
from testtools import testcase

from nova_ext.record import reader
from nova_ext.scheduler.base import fan_out
from nova_ext.scheduler.claims.claim import ReleaseReason
from nova_ext.scheduler.completion import recorder
from tests.functional import base
from tests.functional.mirrored import MirroredTestCase


class AnnouncedClaimsTest(MirroredTestCase):
    """Two hosts, and two schedulers."""

    hosts = ('cmp-1', 'cmp-2')

    def setUp(self):
        """Start a second scheduler; the mirrors know that all is free."""
        super().setUp()
        self.other = importutils.import_class(base.OUR_MANAGER)(host='ctl-2')
        self.other.post_start_hook()
        self.addCleanup(self.other.cleanup_host)
        self.mirrors = [self.scheduler._mirror, self.other._mirror]
        self.refresh_both()

    def test_full_host(self):
        """A host that another scheduler has filled is not tried."""
        best = self.find_best()
        self.boot()
        self.boot()
        self.wait_for_held(self.other._mirror, best, 2)
        # The own ones are held once.
        self.wait_for_held(self.scheduler._mirror, best, 2)
        self.assertEqual({}, self.other._mirror.claims.sum_up_own())
        decision = self.place()
        self.assertEqual('', decision.mirror.fallback)
        self.assertEqual(1, decision.placement.candidates)
        self.assertEqual([True], [claim.claimed for claim in decision.claims])

    @testcase.attr('slow')
    def test_lost(self):
        """A message that is lost costs a refusal, and nothing else."""
        self.find_best()
        self.useFixture(fixtures.MockPatchObject(
            self.scheduler._mirror.broadcaster, '_cast', lambda *_, **__: None
        ))
        self.boot()
        self.boot()
        decision = self.place()
        self.assertEqual('', decision.mirror.fallback)
        self.assertEqual(
            [False, True], [claim.claimed for claim in decision.claims]
        )

    def test_meanwhile(self):
        """A host that was filled since the request began is passed over."""
        best = self.find_best()
        rank = self.other.decider._get_sorted_hosts

        def fill_and_rank(*args):
            self.tell(best, 2)
            self.wait_for_held(self.other._mirror, best, 2)
            return rank(*args)

        self.useFixture(fixtures.MockPatchObject(
            self.other.decider, '_get_sorted_hosts', fill_and_rank
        ))
        decision = self.place()
        self.assertEqual('', decision.mirror.fallback)
        self.assertEqual(2, decision.placement.candidates)
        (claim,) = decision.claims
        self.assertTrue(claim.claimed)
        ranked = decision.attempts[0].ranked
        self.assertEqual(best, ranked[0].partition('/')[0])
        self.assertEqual(ranked[1], claim.host)

    def test_weights(self):
        """What others claim changes no weight."""
        self.flags(group='nova_ext', mirror_weighs_own_claims=True)
        best = self.find_best()
        weights = []
        for count in 0, 1:
            self.tell(best, count)
            self.wait_for_held(self.other._mirror, best, count)
            decision = self.place()
            weights.append({
                each.name: each.weights
                for each in decision.attempts[0].weighers
            })
            self.assertEqual('', decision.mirror.fallback)
            self.other._mirror.claims.mark_released(
                decision.servers[0], ReleaseReason.NOVA
            )
        self.assertEqual(*weights)

    def test_observe(self):
        """They are held until a later reading, also if nothing changed."""
        best = self.find_best()
        self.tell(best, 2)
        self.wait_for_held(self.other._mirror, best, 2)
        # What another worker read before is taken.
        self.other._mirror.refresh(0)
        self.wait_for_held(self.other._mirror, best, 2)
        self.refresh_both()
        self.assertEqual({}, self.other._mirror.claims.sum_up().amounts)

    def test_strange_messages(self):
        """What is malformed, or of no known provider, changes nothing."""
        log = self.useFixture(fixtures.FakeLogger(
            'nova_ext.scheduler.rpc', logging.WARNING
        ))
        sender = nova_context.RequestContext(is_admin=False)
        for claims in [['no provider', {'VCPU': 1}]], [['p']], 7, [['p', 1]]:
            fan_out.cast(sender, 'take_claims', worker='w', claims=claims)
        provider = self._get_provider_uuid_by_host('cmp-1')
        fan_out.cast(
            sender, 'take_claims', worker='w', claims=[[provider, {'VCPU': 1}]]
        )
        for each in self.mirrors:
            self.wait_for_held(each, 'cmp-1', 1)
            self.assertEqual([provider], [*each.claims.sum_up().amounts])
        # One of each scheduler, about whichever message comes first.
        self.assertEqual(
            ['A message from the bus is refused: take_claims'] * 2,
            [line.rpartition(': ')[0][:46] for line in (
                log.output.splitlines()
            )],
        )

    def test_forged(self):
        """Claims that nobody made hide room until a reading; boots succeed."""
        self.find_best()
        sender = nova_context.RequestContext(is_admin=False)
        for host in self.hosts:
            fan_out.cast(sender, 'take_claims', worker='forged', claims=[[
                self._get_provider_uuid_by_host(host), {'VCPU': 2 ** 31 - 1}
            ]])
            self.wait_for_held(self.other._mirror, host, 2 ** 31 - 1)
        self.assertEqual(
            [True], [claim.claimed for claim in self.place().claims]
        )
        self.refresh_both()
        self.assertEqual({}, self.other._mirror.claims.sum_up().amounts)

    def find_best(self):
        """Boot a server; return the host that is the best one then."""
        self.like = self.boot()
        self.refresh_both()
        (best,) = {*self.hosts} - {self.host_of(self.like)}
        return best

    def tell(self, host, processors):
        """Have the first scheduler tell of a claim."""
        self.scheduler._mirror.broadcaster.put({
            self._get_provider_uuid_by_host(host): {
                'resources': {'VCPU': processors}
            },
        })

    def refresh_both(self):
        """Have both mirrors read what changed."""
        self.mirrors[0].refresh(0)
        self.mirrors[1].refresh()
        self.mirrors[0].refresh()

    def wait_for_held(self, held_by, host, count):
        """Wait until so many processors of a host are held."""
        provider = self._get_provider_uuid_by_host(host)
        self.wait_for(
            lambda: held_by.claims.get_amounts(provider).get('VCPU') == count,
            f'{count} held on {host}',
        )

    def place(self):
        """Have the second scheduler place a server like the one booted.

        :returns: the decision.
        """
        admin = nova_context.get_admin_context()
        spec = objects.RequestSpec.get_by_instance_uuid(admin, self.like['id'])
        spec.instance_uuid = uuid = uuidutils.generate_uuid()
        spec.requested_resources = []  # the conductor sets them
        self.other.select_destinations(
            admin, spec_obj=spec, instance_uuids=[uuid],
            return_objects=True, return_alternates=True,
        )
        self.assertTrue(recorder.get().flush(60))
        (decision,) = reader.find(self.record, uuid).decisions
        return decision
