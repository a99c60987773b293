"""Decide a request from a snapshot, without a manager."""

import itertools

import fixtures
from nova import objects

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.scheduler.claims.ledger import Held
from nova_ext.scheduler.mirror.deciding.candidates import DecisionInputs
from nova_ext.scheduler.mirror.deciding.mirrored_request import (
    MAX_REFUSED_CLAIMS,
    MirroredRequest,
)
from nova_ext.scheduler.mirror.deciding.second_look import SecondLook
from tests.unit.scheduler.configured import ConfiguredTestCase
from tests.unit.scheduler.mirror.deciding import plain_cloud

ROOM = {'a': 1, 'b': 2, 'c': 0}


class MirroredRequestTest(ConfiguredTestCase):
    """Three hosts, one of them full."""

    def make(
        self, servers=('s1',), spec=None, together=True, snapshot=None,
        **inputs,
    ):
        """Return what decides a request."""
        snapshot = snapshot or plain_cloud.make_snapshot(ROOM)
        return MirroredRequest(
            DecisionInputs(snapshot, (), (), **inputs), None,
            spec or plain_cloud.make_spec(), servers, together=together,
            simulated=False, make_look=lambda spec, demand: SecondLook(
                lambda states: self.read(snapshot), None, (), spec, demand,
            ), on_refused=lambda: None,
        )

    def read(self, snapshot):
        """Return the hosts as they are now: as they were."""
        hosts = snapshot.hosts
        return dict(zip(hosts.keys, hosts.states, strict=True))

    def rank(self, request, index=0):
        """Return the names of the hosts."""
        return [state.host for state in request.rank(index, None)]

    def test_decide(self):
        """The hosts are those with room, and each has a candidate."""
        request = self.make()
        uuids = request.find_candidates(plain_cloud.make_resources())
        self.assertEqual(['a', 'b'], list(uuids))
        self.assertEqual({'a', 'b'}, {host.host for host in request.hosts})
        self.assertEqual({'a', 'b'}, set(self.rank(request)))
        self.assertEqual(('', True), (request.end().fallback, request.decides))
        self.assertEqual(
            {'a': {'VCPU': 1}, 'b': {'VCPU': 2}}, request.get_free()
        )

    def test_journaled_room(self):
        """The journal gets what each of the request's servers takes."""
        kept = []
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.mirror.journaled_hosts.note',
            lambda *_, **fields: kept.append(fields),
        ))
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.mirror.deciding.tracing.trace_placing',
            lambda *_: None,
        ))
        for servers in (('s1',), ('s1', 's2', 's3')):
            request = self.make(servers)
            request.find_candidates(plain_cloud.make_resources())
            request.rank(0, 'attempt')
        self.assertEqual([1, 3], [fields['servers'] for fields in kept])
        self.assertEqual({'VCPU': 1}, kept[0]['demand'].resources)

    def keep(self):
        """Return a request for one server, and seven hosts for it."""
        request = self.make(snapshot=plain_cloud.make_snapshot(
            dict.fromkeys('abcdefg', 1)
        ))
        request.find_candidates(plain_cloud.make_resources())
        return request, iter(request.keep(request.rank(0, None)))

    def test_alternates(self):
        """Those that Nova takes after the claim were looked at before."""
        request, hosts = self.keep()
        next(hosts)
        request.claimed.append('s1')
        self.read = None  # to read again raises
        # It takes the last one before it sees that it has enough.
        self.assertEqual(3, len(list(itertools.islice(hosts, 3))))

    def test_failing_alternates(self):
        """A failing look after the claim ends the alternates."""
        request, hosts = self.keep()
        next(hosts)
        request.claimed.append('s1')
        reads = []
        self.read = reads.append  # what it returns raises
        noted = self.note_renewed()
        self.assertEqual(3, len(list(hosts)))
        self.assertEqual(1, len(reads))
        self.assertEqual(1, len(noted))

    def test_alternates_gone(self):
        """The journal learns that hosts were left out after the ranking."""
        for gone in (False, True):
            _, hosts = self.keep()
            list(itertools.islice(hosts, 4))
            noted = self.note_renewed()
            if gone:
                self.read = lambda _: {}
            self.assertEqual(0 if gone else 3, len(list(hosts)))
            self.assertEqual(int(gone), len(noted))

    def note_renewed(self):
        """Return a list that gets an item when the journal is told."""
        noted = []
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.mirror.journaled_hosts.note_renewed',
            lambda: noted.append(1),
        ))
        return noted

    def test_failing_look(self):
        """A failing look before the claim leaves the request to Nova."""
        _, hosts = self.keep()
        list(itertools.islice(hosts, 4))
        self.read = None
        self.assert_raises(Fallback.ERROR, 'TypeError', next, hosts)

    def test_many_gone(self):
        """Where too many hosts fail the look, Nova decides."""
        request = self.make(snapshot=plain_cloud.make_snapshot(
            {str(number): 1 for number in range(500)}
        ))
        request.find_candidates(plain_cloud.make_resources())
        reads = []

        def read(_):
            reads.append(1)
            return {}

        self.read = read
        self.assert_raises(Fallback.TOO_OLD, '', request.rank, 0, None)
        self.assertLess(len(reads), 8)

    def test_refusing(self):
        """A provider that refused is no candidate."""
        request = self.make(held=Held({}, frozenset(('b', 'gone'))))
        self.assertEqual(['a'], list(request.find_candidates(
            plain_cloud.make_resources()
        )))

    def test_fallbacks(self):
        """What the mirror can't decide has its reason from the beginning."""
        for fallback, arguments in (
            (Fallback.NO_SERVERS, {'servers': None}),
            (Fallback.DIFFERED, {'off': Fallback.DIFFERED}),
            (Fallback.FORCED_HOST, {
                'spec': plain_cloud.make_spec(force_hosts=['a']),
            }),
            (Fallback.TOO_OLD, {
                'snapshot': plain_cloud.make_snapshot(ROOM, age_s=999),
            }),
        ):
            request = self.make(**arguments)
            self.assertEqual(fallback, request.mirror_check.fallback)
            self.assertFalse(request.decides)

    def test_reason_stays(self):
        """The first reason is the one that is recorded."""
        request = self.make()
        request.give_up(FallbackError(Fallback.QUERY, 'same_subtree'))
        request.give_up(FallbackError(Fallback.NO_HOST))
        check = request.end()
        self.assertEqual(
            ('query', 'same_subtree'), (check.fallback, check.detail)
        )

    def test_prefilter(self):
        """One that ended before candidates were wanted was a prefilter's."""
        self.assertEqual('prefilter', self.make().end().fallback)

    def assert_raises(self, fallback, detail, method, *args):
        """A call leaves the request to Nova."""
        error = self.assertRaises(FallbackError, method, *args)
        self.assertEqual((fallback, detail), (error.fallback, error.detail))

    def test_limit(self):
        """Nova chooses among too many, where that is wanted."""
        self.flags('nova_ext', mirror_sees_all_hosts=False)
        self.flags('scheduler', max_placement_results=2)
        self.assert_raises(
            Fallback.MANY_HOSTS, '', self.make().find_candidates,
            plain_cloud.make_resources(),
        )

    def test_raising(self):
        """An error has its class in the reason."""
        request = self.make()
        self.assert_raises(
            Fallback.ERROR, 'AttributeError', request.find_candidates, None
        )

    def test_group(self):
        """What Nova noted of a group is undone where Nova decides afresh."""
        group = objects.InstanceGroup(hosts=['z'], policy='affinity')
        request = self.make(spec=plain_cloud.make_spec(instance_group=group))
        group.hosts.append('a')
        request.give_up(FallbackError(Fallback.NO_HOST))
        self.assertEqual(['z'], group.hosts)

    def test_refusals(self):
        """After some refusals Nova decides."""
        request = self.make(snapshot=plain_cloud.make_snapshot(
            dict.fromkeys('abcd', 1)
        ))
        request.find_candidates(plain_cloud.make_resources())
        hosts = self.rank(request)[:MAX_REFUSED_CLAIMS]
        for host in hosts[:-1]:
            request.note_refusal({host: {}})
        self.assert_raises(
            Fallback.CLAIMS_REFUSED, '', request.note_refusal,
            {hosts[-1]: {}},
        )

    def test_pending(self):
        """Claims of several servers are kept until all have a host."""
        request = self.make(('s1', 's2'))
        self.assertTrue(request.claims_together)
        request.find_candidates(plain_cloud.make_resources())
        for number, server in enumerate(('s1', 's2')):
            self.assertFalse(request.is_complete)
            self.rank(request, number)
            request.add_pending(server, {'allocations': {'b': {}}})
        self.assertTrue(request.is_complete)
        self.assertEqual(
            {'allocations': {'b': {}}}, request.drop_pending('s2')
        )
        self.assertIsNone(request.drop_pending('s2'))
        self.assertEqual({'s1'}, request.take_pending().keys())
        self.assertEqual({}, request.take_pending())
        self.assertFalse(self.make(('s1', 's2'), together=False)
                         .claims_together)
