"""What one worker reads of placement, another takes."""

import threading
from datetime import timedelta
from unittest import mock

import fixtures
from nova import context as nova_context
from nova import objects
from oslo_utils import timeutils
from testtools import testcase

from nova_ext.engine.providers import Demand
from nova_ext.scheduler.claims import first_claims
from nova_ext.scheduler.mirror import mirror
from nova_ext.scheduler.mirror.providers import pace
from tests.functional.mirrored import MirroredTestCase


class ReaderTest(MirroredTestCase):
    """Two hosts, and what is read of them."""

    hosts = ('cmp-1', 'cmp-2')

    def test_two_workers(self):
        """A claim is let go by another worker's reading, if it began later."""
        self.mirror.refresh()
        other = mirror.Mirror(
            self.scheduler.host_manager,
            lambda: self.fail('it asks placement itself'),
        )
        other.refresh(0)
        self.assertEqual(2, len(other.snapshot.providers.rows))
        server = self.boot()
        ((provider, amounts),) = (
            self.mirror.claims.sum_up().amounts.items()
        )
        # Neither has read it yet.
        other.claims.hold(
            server['id'], {provider: {'resources': amounts}},
            next(iter(self.mirror.claims.list_wanted().values())),
        )
        other.refresh(0)
        self.assertEqual({provider: amounts}, other.claims.sum_up().amounts)
        self.mirror._cloud.placement.read()
        other.refresh(0)
        self.assertEqual({}, other.claims.sum_up().amounts)
        self.assertEqual(
            amounts['VCPU'], other._cloud.providers.get(provider).used['VCPU']
        )
        # The first has not taken it yet.
        self.assertEqual(
            {provider: amounts}, self.mirror.claims.sum_up().amounts
        )

    def test_hosts_meanwhile(self):
        """While one thread reads placement, another one refreshes."""
        read = self.mirror._cloud.placement.read

        def refresh_meanwhile(time_s):
            other = threading.Thread(
                target=lambda: seen.append(self.mirror.refresh(0))
            )
            other.start()
            other.join(60)
            read(time_s)

        self.mirror.refresh()
        seen, server = [], self.boot()
        with mock.patch.object(
            self.mirror._cloud.placement, 'read', refresh_meanwhile
        ):
            after = self.mirror.refresh()
        (before,) = seen
        provider = self._get_provider_uuid_by_host(self.host_of(server))
        self.assertEqual([True, False], [
            snapshot.providers.has_room(Demand({'VCPU': 2}), provider, {})
            for snapshot in (before, after)
        ])
        self.assertEqual(before.hosts_read_at, after.hosts_read_at)

    def test_pace(self):
        """Machines share what readers may take of placement."""
        self.assertEqual(1, pace.count_schedulers())
        now = timeutils.utcnow()
        for host, binary, seen_up, disabled in (
            ('ctl-2', 'nova-scheduler', now, False),
            ('ctl-3', 'nova-scheduler', now, True),
            ('ctl-4', 'nova-scheduler', now - timedelta(hours=1), False),
            ('ctl-5', 'nova-conductor', now, False),
        ):
            objects.Service(
                nova_context.get_admin_context(), host=host, binary=binary,
                topic='any', disabled=disabled, last_seen_up=seen_up,
            ).create()
        # One that is down takes nothing; one that is disabled decides.
        self.assertEqual(3, pace.count_schedulers())

    @testcase.attr('slow')
    def test_refusing(self):
        """A host that refuses three times is left to Nova until it changes."""
        client = type(self.scheduler.decider.placement_client._client)
        claim = client.claim_resources
        refused = self._get_provider_uuid_by_host('cmp-1')

        def refuse(client, context, consumer, request, *args, **kwargs):
            return refused not in request['allocations'] and claim(
                client, context, consumer, request, *args, **kwargs
            )

        post = first_claims.post

        def refuse_new(client, context, claims):
            if any(refused in each['allocations'] for each in claims.values()):
                return first_claims.Answer.REFUSED
            return post(client, context, claims)

        self.disable('cmp-2')
        with (
            fixtures.MockPatchObject(client, 'claim_resources', refuse),
            fixtures.MockPatchObject(first_claims, 'post', refuse_new),
        ):
            for count in range(1, 5):
                self.mirror.refresh()
                refusing = self.mirror.describe()['refusing']
                self.assertEqual([refused] if count > 3 else [], refusing)
                decision = self.place(expected_state='ERROR')
                # Nova tries it each time, the mirror three times.
                self.assertEqual('no_host', decision.mirror.fallback)
        self.mirror.refresh()
        decision = self.place()
        self.assertEqual('no_host', decision.mirror.fallback)
        self.mirror.refresh()
        self.assertEqual([], self.mirror.describe()['refusing'])
        decision = self.place()
        self.assertEqual('', decision.mirror.fallback)

    def place(self, **kwargs):
        """Boot a server; return the decision on it."""
        server = self.boot(**kwargs)
        return self.read(server)
