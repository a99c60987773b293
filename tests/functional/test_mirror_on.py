"""Boots and moves that the mirror decides, and that Nova claims."""

import contextlib
import random
import uuid
from unittest import mock

import fixtures
from keystoneauth1 import exceptions as keystone
from nova import context, exception, objects
from nova.scheduler import manager as nova_manager
from nova.scheduler import request_filter
from nova.scheduler.client import report
from testtools import testcase

from nova_ext.core.explanation.explain import explain
from nova_ext.engine import decide
from nova_ext.scheduler.claims import (
    claim_sender,
    first_claims,
    mirrored_client,
)
from nova_ext.scheduler.claims.claim import ReleaseReason
from nova_ext.scheduler.mirror import mirror_source
from nova_ext.scheduler.mirror.deciding import mirrored_request
from nova_ext.scheduler.mirror.hosts import servers as mirror_servers
from nova_ext.scheduler.mirror.plugins import column_plugins
from nova_ext.scheduler.mirror.plugins.host_views import HostView
from tests.functional.mirrored import MirroredTestCase

OTHER_SERVER = '11111111-2222-3333-4444-555555555555'


class MirroredTest(MirroredTestCase):
    """Each of three hosts has room for two servers."""

    enabled_filters = (
        'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
        'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
        'SameHostFilter', 'DifferentHostFilter', 'SpecifiedHostFilter',
    )

    def configure(self):
        """Let more servers be booted than there is room for."""
        super().configure()
        self.flags(group='quota', instances=99)

    @testcase.attr('slow')
    def test_host(self):
        """The hosts are Nova's, for the same hosts, order and seed."""
        self.flags(
            group='filter_scheduler', shuffle_best_same_weighed_hosts=True,
            host_subset_size=2,
        )
        self.mirror.refresh()
        columns = self.mirror.snapshot.hosts
        chosen = set()
        for seed in range(3):
            with mock.patch.object(
                mirrored_request, 'generate_seed', return_value=seed
            ):
                (server,), decision = self.place(refresh=False)
            self.assert_decided(decision)
            spec = objects.RequestSpec.get_by_instance_uuid(
                context.get_admin_context(), server['id']
            )
            # The room of the first server is taken in placement alone.
            states = [
                HostView(columns.states[row])
                for row in self.mirror.snapshot.order
            ]
            with mock.patch.object(
                nova_manager, 'random', random.Random(seed)  # noqa: S311  not a secret
            ):
                expected = nova_manager.SchedulerManager._get_sorted_hosts(
                    self.scheduler.decider, spec, states, 0
                )
            names = [state.host for state in expected]
            self.assertEqual(names, [
                name.partition('/')[0]
                for name in decision.attempts[0].ranked
            ])
            self.assertEqual(names, decision.chosen[server['id']])
            self.assertEqual(names[0], self.host_of(server))
            chosen.add(names[0])
        self.assertGreater(len(chosen), 1)

    @testcase.attr('slow')
    def test_record(self):
        """Filters, weights, claims and the explanation are as without."""
        (server,), decision = self.place(hints={'requested_host': 'cmp-2'})
        self.assert_decided(decision)
        self.assertEqual('cmp-2', self.host_of(server))
        (attempt,) = decision.attempts
        self.assertEqual(
            [*((name, 3, 3) for name in self.enabled_filters[:-1]),
             ('SpecifiedHostFilter', 3, 1)],
            [(s.name, s.hosts_in, s.hosts_out) for s in attempt.steps],
        )
        (rejection,) = attempt.steps[-1].rejections
        self.assertEqual(2, rejection.count)
        self.assertTrue(rejection.reason)
        self.assertEqual(3, decision.placement.candidates)
        # The mirror has no max_placement_results.
        self.assertNotIn('limit=', decision.placement.query)
        self.assertEqual([True], [claim.claimed for claim in decision.claims])
        self.assertRegex(
            '\n'.join(explain(decision).notes),
            r'decided from the mirror, \d+\.\d s old',
        )
        _, decision = self.place()
        weighers = {w.name: w for w in decision.attempts[0].weighers}
        self.assertEqual({'cmp-1', 'cmp-2', 'cmp-3'}, {
            name.partition('/')[0] for name in weighers['RAMWeigher'].weights
        })
        self.assertIn('mirror', decision.stages)

    @testcase.attr('slow')
    def test_oldest_service(self):
        """Nova's prefilter asks no cell for it, where the mirror knows it."""
        if not hasattr(request_filter, 'owner_nova_filter'):
            self.skipTest('this Nova has no such prefilter')
        with mock.patch.object(
            request_filter, '_should_filter_by_owner',
            wraps=request_filter._should_filter_by_owner,
        ) as ask:
            _, decision = self.place()
            self.assert_decided(decision)
            self.assertIn(
                'OWNER_NOVA', decision.prefilters['required_traits']
            )
            ask.assert_not_called()
            with mock.patch.object(
                request_filter, 'MIN_COMPUTE_VERSION_OWNER_TRAIT', 10 ** 6
            ):
                _, decision = self.place()
            self.assert_decided(decision)
            self.assertNotIn('required_traits', decision.prefilters)
            ask.assert_called_once()

    def test_several_servers(self):
        """Servers deplete hosts, before the mirror has read them, too."""
        _, decision = self.place(5)
        self.assert_decided(decision)
        self.assertEqual([1, 2, 2], sorted(self.uses().values()))
        self.assertEqual(5, self.count_held())
        _, decision = self.place(refresh=False)
        self.assert_decided(decision)
        self.assertEqual(1, decision.placement.candidates)
        self.assertEqual([True], [claim.claimed for claim in decision.claims])
        self.assertEqual({2}, set(self.uses().values()))
        self.mirror.refresh()
        self.assertEqual(0, self.count_held())

    def test_together(self):
        """Servers of one request are claimed by one request to placement."""
        with self.note_requests() as requests:
            _, decision = self.place(5)
        self.assertEqual([('POST', 204)], requests)
        self.assertEqual([True] * 5, [c.claimed for c in decision.claims])
        with self.note_requests() as requests:
            self.place()
        self.assertEqual([('POST', 204)], requests)

    def test_sent_twice(self):
        """Claims that a library sends a second time stay as they are."""
        post, sent = report.SchedulerReportClient.post, []

        def send_twice(client, url, *args, **kwargs):
            if url == '/allocations':
                sent.append(post(client, url, *args, **kwargs).status_code)
            return post(client, url, *args, **kwargs)

        with mock.patch.object(
            report.SchedulerReportClient, 'post', send_twice
        ):
            _, decision = self.place(3)
        self.assert_decided(decision)
        self.assertEqual([204], sent)
        self.assertEqual(3, sum(self.uses().values()))
        self.assertEqual(3, self.count_held())

    def test_given_back(self):
        """What Nova claimed goes where another claim can't be deleted."""
        self.mirror.wake = lambda: None
        first, claimed, lost = first_claims.post, [], []
        delete = report.SchedulerReportClient.delete

        def answer(client, context, claims):
            if len(claims) > 1 or claimed:
                return first_claims.Answer.UNKNOWN
            if mirrored_client.get_deciding_request() is not None:
                return first_claims.Answer.REFUSED
            claimed.extend(claims)
            return first(client, context, claims)

        def lose(client, url, *args, **kwargs):
            if claimed and not lost:
                lost.append(url)
                raise keystone.ConnectFailure
            return delete(client, url, *args, **kwargs)

        with (
            mock.patch.object(first_claims, 'post', answer),
            mock.patch.object(report.SchedulerReportClient, 'delete', lose),
        ):
            self.place(2, expected_state='ERROR')
        self.assertEqual((1, 1), (len(claimed), len(lost)))
        self.assertEqual(0, sum(self.uses().values()))
        self.assertEqual(0, self.count_held())

    def test_changed_by_driver(self):
        """Nova decides what a driver makes of a request."""
        def force(context, spec, properties, schedule):
            spec.force_hosts = [host]
            return schedule()

        for host in ('cmp-1', 'cmp-2', 'cmp-3'):
            with mock.patch.object(
                self.scheduler.decider.driver, 'select_destinations', force
            ):
                (server,), decision = self.place()
            self.assertEqual('forced_host', decision.mirror.fallback)
            self.assertEqual(host, self.host_of(server))

    def test_prefilter(self):
        """A request that a prefilter ends is not decided from the mirror."""
        self.flags(
            group='scheduler', limit_tenants_to_placement_aggregate=True,
            placement_aggregate_required_for_tenants=True,
        )
        _, decision = self.place(expected_state='ERROR')
        self.assertEqual('prefilter', decision.mirror.fallback)
        self.assertEqual(0, self.mirror.describe()['decided'])

    @testcase.attr('slow')
    def test_too_many_together(self):
        """Those of a large request are claimed by a request each."""
        self.useFixture(fixtures.MockPatchObject(
            mirrored_request, 'MAX_SERVERS_TOGETHER', 2
        ))
        for count, expected in ((2, 1), (3, 3)):
            with self.note_requests() as requests:
                _, decision = self.place(count)
            self.assert_decided(decision)
            self.assertEqual([('POST', 204)] * expected, requests)

    @testcase.attr('slow')
    def test_refused_together(self):
        """Where placement refuses all, they are claimed one by one."""
        self.mirror.wake = lambda: None
        (server,), _ = self.place()
        self.mirror.refresh()
        other = next(h for h in self.hosts if h != self.host_of(server))
        self.claim_behind(other, 2)
        with self.note_requests() as requests:
            _, decision = self.place(3, refresh=False)
        self.assert_decided(decision)
        self.assertEqual(('POST', 409), requests[0])
        self.assertEqual(3, requests.count(('POST', 204)))
        self.assertEqual(3, sum(c.claimed for c in decision.claims))
        self.assertEqual({2}, set(self.uses().values()))

    @testcase.attr('slow')
    def test_unanswered(self):
        """Claims without an answer are taken back, and made again."""
        self.mirror.wake = lambda: None
        post = report.SchedulerReportClient.post
        lost = []

        def lose(client, url, *args, **kwargs):
            answer = post(client, url, *args, **kwargs)
            if url == '/allocations' and not lost:
                lost.append(answer.status_code)
                raise keystone.ConnectFailure
            return answer

        self.useFixture(fixtures.MockPatchObject(
            report.SchedulerReportClient, 'post', lose
        ))
        _, decision = self.place(3)
        self.assertEqual([204], lost)
        self.assert_decided(decision)
        self.assertEqual(3, sum(self.uses().values()))
        self.assertEqual(3, self.count_held())

    @testcase.attr('slow')
    def test_unanswered_alone(self):
        """A host whose claim got no answer has refused nothing."""
        self.mirror.wake = lambda: None
        post, answers = first_claims.post, [first_claims.Answer.UNKNOWN]

        def answer(*args):
            return answers.pop() if answers else post(*args)

        with mock.patch.object(first_claims, 'post', answer):
            _, decision = self.place()
        self.assert_decided(decision)
        self.assertEqual(
            [False, True], [claim.claimed for claim in decision.claims]
        )
        self.assertEqual(set(), self.mirror.claims.sum_up().refused)
        # It is read soon all the same: the claim may have been seen.
        lost, _ = self.list_providers(decision)
        self.assertIn(lost, self.mirror.claims.list_wanted())

    @testcase.attr('slow')
    def test_late_claim(self):
        """A claim that arrives after it was taken back does not stay."""
        self.mirror.wake = lambda: None
        post = report.SchedulerReportClient.post
        late = []

        def hold(client, url, *args, **kwargs):
            if url == '/allocations':
                if not late:
                    late.append((args, kwargs))
                    raise keystone.ConnectFailure
                if len(late) == 1:
                    first_args, first_kwargs = late[0]
                    late.append(post(client, url, *first_args, **first_kwargs))
            return post(client, url, *args, **kwargs)

        self.useFixture(fixtures.MockPatchObject(
            report.SchedulerReportClient, 'post', hold
        ))
        (server,), decision = self.place()
        self.assertEqual(204, late[1].status_code)
        self.assert_decided(decision)
        self.assertEqual(1, sum(self.uses().values()))
        self.assertEqual(1, self.uses()[self.host_of(server)])

    @testcase.attr('slow')
    def test_late_claim_while_nova_decides(self):
        """One that arrives when Nova decides does not stay, either."""
        self.mirror.wake = lambda: None
        self.useFixture(fixtures.MockPatchObject(
            mirrored_request, 'MAX_REFUSED_CLAIMS', 1
        ))
        client = report.SchedulerReportClient
        post, ask = client.post, client.get_allocation_candidates
        held, arrived = [], []

        def hold(client, url, *args, **kwargs):
            if url == '/allocations' and not held:
                held.append((client, url, args, kwargs))
                raise keystone.ConnectFailure
            return post(client, url, *args, **kwargs)

        def arrive(*args):
            ((client, url, posted, kwargs),) = held
            arrived.append(post(client, url, *posted, **kwargs))
            (claim,) = posted[0].values()
            offered, *rest = ask(*args)
            # Of those that it offers, Nova takes another.
            return [
                each for each in offered
                if not each['allocations'].keys() & claim['allocations'].keys()
            ], *rest

        with (
            mock.patch.object(client, 'post', hold),
            mock.patch.object(client, 'get_allocation_candidates', arrive),
        ):
            (server,), decision = self.place()
        self.assertEqual([204], [each.status_code for each in arrived])
        self.assertEqual('claims_refused', decision.mirror.fallback)
        self.assertEqual(1, sum(self.uses().values()))
        self.assertEqual(1, self.uses()[self.host_of(server)])

    @testcase.attr('slow')
    def test_claim_under_way(self):
        """One that can't be deleted yet is deleted once it is there."""
        self.mirror.wake = lambda: None
        first, answers = first_claims.post, []
        held = []

        def answer(client, context, claims):
            answers.append(claims)
            if len(answers) == 1:
                held.append((client, context, claims))
                return first_claims.Answer.UNKNOWN
            if len(answers) < 4:
                return first_claims.Answer.EXISTS
            if len(answers) == 4:
                first(*held[0])
            return first(client, context, claims)

        with (
            mock.patch.object(first_claims, 'post', answer),
            mock.patch.object(claim_sender, '_PAUSES_S', (0, 0, 0, 0)),
        ):
            (server,), decision = self.place()
            self.assert_decided(decision)
            self.assertEqual(5, len(answers))
            self.assertEqual(1, sum(self.uses().values()))
            self.assertEqual(1, self.uses()[self.host_of(server)])

    @testcase.attr('slow')
    def test_claim_that_stays(self):
        """Where one does not go, no second is made, and the server fails."""
        self.mirror.wake = lambda: None
        answers = [first_claims.Answer.UNKNOWN]

        def answer(client, context, claims):
            answers.append(first_claims.Answer.EXISTS)
            return answers[-2]

        with (
            mock.patch.object(first_claims, 'post', answer),
            mock.patch.object(claim_sender, '_PAUSES_S', (0, 0)),
        ):
            _, decision = self.place(expected_state='ERROR')
        self.assertEqual('failed', decision.outcome)
        self.assertEqual(5, len(answers))
        self.assertEqual(0, sum(self.uses().values()))

    @testcase.attr('slow')
    def test_silence(self):
        """Where placement does not answer any more, a request fails."""
        deleted = []

        def lose(client, url, *args, **kwargs):
            raise keystone.ConnectFailure('nobody listens')

        def lose_deletion(client, url, *args, **kwargs):
            deleted.append(url.rpartition('/')[2])
            raise keystone.ConnectTimeout(f'http://10.0.0.1{url} timed out')

        client = report.SchedulerReportClient
        with (
            mock.patch.object(client, 'post', lose),
            mock.patch.object(client, 'delete', lose_deletion),
        ):
            servers, decision = self.place(3, expected_state='ERROR')
        self.assertEqual({each['id'] for each in servers}, set(deleted))
        self.assertIn(
            'No valid host was found', servers[0]['fault']['message']
        )
        # Users do not learn where placement is.
        self.assertNotIn('10.0.0.1', str(servers[0]['fault']))
        self.assertEqual('failed', decision.outcome)
        self.assertEqual([(False, False)] * 3, [
            (claim.claimed, claim.answered) for claim in decision.claims
        ])
        self.assertIn(
            'no answer from placement to the claim',
            explain(decision).sentence,
        )
        _, decision = self.place(3)
        self.assert_decided(decision)

    @testcase.attr('slow')
    def test_silence_in_a_large_request(self):
        """What was claimed for other servers of it is given back."""
        self.useFixture(fixtures.MockPatchObject(
            mirrored_request, 'MAX_SERVERS_TOGETHER', 1
        ))
        self.mirror.wake = lambda: None
        post, delete = first_claims.post, report.SchedulerReportClient.delete
        sent = []

        def lose(client, context, claims):
            sent.extend(claims)
            if len(sent) == 3:
                return first_claims.Answer.UNKNOWN
            return post(client, context, claims)

        def lose_deletion(client, url, *args, **kwargs):
            if len(sent) == 3 and url.endswith(sent[-1]):
                raise keystone.ConnectFailure('nobody listens')
            return delete(client, url, *args, **kwargs)

        with (
            mock.patch.object(first_claims, 'post', lose),
            mock.patch.object(
                report.SchedulerReportClient, 'delete', lose_deletion
            ),
        ):
            _, decision = self.place(3, expected_state='ERROR')
        self.assertEqual('failed', decision.outcome)
        self.assertEqual((False, False), (
            decision.claims[-1].claimed, decision.claims[-1].answered
        ))
        self.assertEqual(3, len(sent))
        self.assertEqual(0, sum(self.uses().values()))

    @testcase.attr('slow')
    def test_silence_while_giving_up(self):
        """No second claim is made where the first may still be there."""
        self.mirror.wake = lambda: None
        first, answers, lost = first_claims.post, [], []
        delete = report.SchedulerReportClient.delete

        def answer(client, context, claims):
            # All of them are refused, and the last by itself, too.
            answers.append(len(claims))
            return first(client, context, claims) if (
                len(answers) in {2, 3}
            ) else first_claims.Answer.REFUSED

        def lose(client, url, *args, **kwargs):
            lost.append(url)
            if len(lost) == 1:
                raise keystone.ConnectFailure('nobody listens')
            return delete(client, url, *args, **kwargs)

        with (
            mock.patch.object(first_claims, 'post', answer),
            mock.patch.object(report.SchedulerReportClient, 'delete', lose),
        ):
            servers, _ = self.place(3, expected_state='ERROR')
        self.assertEqual([3, 1, 1, 1, 1, 1], answers)
        self.assertIn(
            'No valid host was found', servers[0]['fault']['message']
        )
        # Users do not learn where placement is.
        self.assertNotIn('10.0.0.1', str(servers[0]['fault']))
        # What can be deleted is.
        self.assertEqual(2, len(lost))
        self.assertEqual(1, sum(self.uses().values()))

    @testcase.attr('slow')
    def test_known_consumer(self):
        """A consumer that has allocations is no new server."""
        (server,), _ = self.place()
        provider = self._get_provider_uuid_by_host(self.host_of(server))
        claim = first_claims.make(
            {'allocations': {provider: {'resources': {'VCPU': 1}}}}, 'p', 'u'
        )
        self.assertIs(first_claims.Answer.EXISTS, first_claims.post(
            report.report_client_singleton(), context.get_admin_context(),
            {server['id']: claim},
        ))
        self.assertEqual(1, sum(self.uses().values()))

    @contextlib.contextmanager
    def note_requests(self):
        """Note requests that claim: method and status."""
        requests = []
        client = report.SchedulerReportClient
        with contextlib.ExitStack() as stack:
            for name in ('post', 'put'):
                send = getattr(client, name)

                def note(*args, name=name, send=send, **kwargs):
                    answer = send(*args, **kwargs)
                    if args[1].startswith('/allocations'):
                        requests.append((name.upper(), answer.status_code))
                    return answer

                stack.enter_context(mock.patch.object(client, name, note))
            yield requests

    def test_no_host(self):
        """Nova itself says that there is no host, and nothing stays held."""
        _, decision = self.place(7, expected_state='ERROR')
        self.assertEqual('no valid host', decision.outcome.replace('_', ' '))
        self.assertEqual('no_host', decision.mirror.fallback)
        self.assertEqual(0, self.count_held())
        self.assertEqual({0}, set(self.uses().values()))
        # Nova's own attempts alone are recorded.
        self.assertEqual(
            list(range(7)), [attempt.index for attempt in decision.attempts]
        )
        self.assertRegex(
            '\n'.join(explain(decision).notes),
            'decided by Nova, and not from the mirror: no host in '
            'the mirror fits',
        )
        _, decision = self.place(6, refresh=False)
        self.assert_decided(decision)
        self.assertEqual({2}, set(self.uses().values()))
        _, decision = self.place(refresh=False, expected_state='ERROR')
        self.assertEqual('no_host', decision.mirror.fallback)
        self.assertEqual(6, sum(self.uses().values()))

    def test_conflict(self):
        """Where placement refuses, the next host is taken."""
        # Else the mirror reads the provider at once.
        self.mirror.wake = lambda: None
        (server,), decision = self.place()
        best = decision.chosen[server['id']][0]
        self.claim_behind(best)
        (server,), decision = self.place(refresh=False)
        self.assert_decided(decision)
        ranked = [n.partition('/')[0] for n in decision.attempts[0].ranked]
        self.assertEqual(best, ranked[0])
        self.assertEqual([ranked[0], ranked[1]], [
            claim.host.partition('/')[0] for claim in decision.claims
        ])
        self.assertEqual([False, True], [c.claimed for c in decision.claims])
        self.assertEqual(ranked[1], self.host_of(server))
        self.assertLessEqual(max(self.uses().values()), 2)
        # It is no candidate before it was read again.
        _, decision = self.place(refresh=False)
        self.assertEqual(2, decision.placement.candidates)
        self.placement.delete(f'/allocations/{OTHER_SERVER}')
        (server,), decision = self.place(hints={'requested_host': best})
        self.assert_decided(decision)
        self.assertEqual([True], [claim.claimed for claim in decision.claims])
        self.assertEqual(best, self.host_of(server))

    @testcase.attr('slow')
    def test_unanswered_claims(self):
        """Requests see what others of the worker claim, or may get."""
        post, seen, answers = first_claims.post, [], []

        def answer(client, context, claims):
            seen.append({
                provider: amounts['VCPU'] for provider, amounts
                in self.mirror.claims.sum_up().amounts.items()
            })
            return answers.pop() if answers else post(client, context, claims)

        with mock.patch.object(first_claims, 'post', answer):
            _, decision = self.place(2)
            uuids = self.list_providers(decision)
            self.assertEqual([dict.fromkeys(uuids, 1)], seen)
            self.assertEqual(2, self.count_held())
            answers.append(first_claims.Answer.REFUSED)
            self.mirror.wake = seen.clear
            _, decision = self.place()
        self.assertEqual(
            [False, True], [claim.claimed for claim in decision.claims]
        )
        self.assertEqual([{self.list_providers(decision)[1]: 1}], seen)
        self.assertEqual(1, self.count_held())

    def list_providers(self, decision):
        """Return the UUIDs of the hosts on which was claimed, in order."""
        return [
            self._get_provider_uuid_by_host(claim.host.partition('/')[0])
            for claim in decision.claims
        ]

    @testcase.attr('slow')
    def test_refused_often(self):
        """After some refusals Nova decides; no claim of the mirror stays."""
        self.useFixture(fixtures.MockPatchObject(
            mirrored_request, 'MAX_REFUSED_CLAIMS', 1
        ))
        (server,), decision = self.place()
        self.claim_behind(decision.chosen[server['id']][0])
        _, decision = self.place(2, refresh=False)
        self.assertEqual('claims_refused', decision.mirror.fallback)
        self.assertEqual(2 + 2, sum(self.uses().values()))
        self.assertLessEqual(max(self.uses().values()), 2)

    @testcase.attr('slow')
    def test_refused_often_to_many(self):
        """A request for many servers may be refused more claims."""
        for name in ('MAX_REFUSED_CLAIMS', '_SERVERS_PER_REFUSED'):
            self.useFixture(fixtures.MockPatchObject(
                mirrored_request, name, 1
            ))
        self.mirror.wake = lambda: None
        (server,), decision = self.place()
        self.claim_behind(decision.chosen[server['id']][0])
        _, decision = self.place(2, refresh=False)
        self.assert_decided(decision)
        self.assertIn(False, [claim.claimed for claim in decision.claims])

    def test_broken(self):
        """Nova decides where the mirror raises; claims are taken back."""
        place = decide.place
        calls = []

        def fail(*args):
            calls.append(args)
            if len(calls) > 1:
                raise ZeroDivisionError
            return place(*args)

        self.useFixture(fixtures.MockPatchObject(decide, 'place', fail))
        _, decision = self.place(2)
        self.assertEqual(
            ('error', 'ZeroDivisionError'),
            (decision.mirror.fallback, decision.mirror.detail),
        )
        self.assertEqual(2, sum(self.uses().values()))
        self.assertEqual(2, self.count_held())

    def test_difference(self):
        """After a difference nothing more is decided."""
        self.flags(group='nova_ext', mirror_verify_percent=100)
        with mock.patch.object(
            column_plugins.ContractFilter, 'judge',
            lambda judged, hosts, rows: rows >= 0,
        ):
            _, decision = self.place(hints={'requested_host': 'cmp-3'})
        self.assertEqual(1, len(decision.mirror.differences))
        self.assertFalse(decision.mirror.decides)
        self.flags(group='nova_ext', mirror_verify_percent=0)
        _, decision = self.place()
        self.assertEqual(
            'differed',
            decision.mirror.fallback,
        )

    def test_verified(self):
        """Nova decides some requests, which agree."""
        self.flags(group='nova_ext', mirror_verify_percent=100)
        _, decision = self.place()
        self.assertEqual(
            (False, 1, []),
            (decision.mirror.decides, decision.mirror.compared,
             decision.mirror.differences),
        )
        self.assertEqual(1, self.count_held())

    def test_fallback(self):
        """What the mirror does not know is left to Nova, with a reason."""
        self.mirror.snapshot = None
        _, decision = self.place(refresh=False)
        self.assertEqual('not_loaded', decision.mirror.fallback)
        self.flags(group='nova_ext', mirror_sees_all_hosts=False)
        self.flags(group='scheduler', max_placement_results=3)
        _, decision = self.place()
        self.assertEqual(
            'many_hosts', decision.mirror.fallback
        )

    def test_own_claims(self):
        """What was claimed makes a host weigh less, if that is wanted."""
        hosts = []
        for wanted in (False, True):
            self.flags(group='nova_ext', mirror_weighs_own_claims=wanted)
            (server,), decision = self.place(refresh=not wanted)
            self.assert_decided(decision)
            hosts.append(self.host_of(server))
        self.assertNotEqual(*hosts)
        rows = self.mirror.snapshot.hosts
        self.assertEqual({0}, {state.vcpus_used for state in rows.states})
        for undone in (False, True):
            if undone:
                self.mirror.claims.mark_released(
                    server['id'], ReleaseReason.NOVA
                )
            (server,), decision = self.place(refresh=False)
            self.assert_decided(decision)
            weighers = {w.name: w for w in decision.attempts[0].weighers}
            *less, most = sorted(weighers['CPUWeigher'].weights.values())
            self.assertEqual([most - 1] * 2, less)

    @testcase.attr('slow')
    def test_trees(self):
        """A host's own provider answers for it, where no other can.

        placement agrees: what others have does not count.
        """
        child = str(uuid.uuid4())
        for method, url, body in (
            ('post', '/resource_providers', {
                'name': 'card', 'uuid': child, 'parent_provider_uuid':
                self._get_provider_uuid_by_host('cmp-1'),
            }),
            ('put', '/resource_classes/CUSTOM_CARD', {}),
            ('put', '/traits/CUSTOM_FAST', {}),
            ('put', f'/resource_providers/{child}/traits', {
                'resource_provider_generation': 0, 'traits': ['CUSTOM_FAST'],
            }),
        ):
            self.change_placement(method, url, body)
        self.set_inventory(child, 1, 'CUSTOM_CARD')
        _, decision = self.place()
        self.assert_decided(decision)
        self.assertEqual(3, decision.placement.candidates)
        flavor = self._create_flavor(
            vcpu=1, memory_mb=512, disk=1,
            extra_spec={'trait:CUSTOM_FAST': 'required'},
        )
        _, decision = self.place(flavorRef=flavor, expected_state='ERROR')
        self.assertEqual('no_host', decision.mirror.fallback)
        self.assertEqual(0, decision.placement.candidates)
        # One of no host, as a deleted nova-compute leaves it.
        orphan = str(uuid.uuid4())
        self.change_placement('post', '/resource_providers', {
            'name': 'orphan', 'uuid': orphan,
        })
        self.set_inventory(orphan, 0, 'VCPU')
        _, decision = self.place()
        self.assert_decided(decision)
        self.set_inventory(child, 2, 'VCPU')
        _, decision = self.place()
        self.assertEqual('provider_trees', decision.mirror.fallback)

    def test_no_resources(self):
        """Hosts are not blamed for a request that placement refuses."""
        nothing = {
            f'resources:{name}': '0'
            for name in ('VCPU', 'MEMORY_MB', 'DISK_GB')
        }
        flavor = self._create_flavor(
            vcpu=1, memory_mb=512, disk=1, extra_spec=nothing
        )
        for _ in range(4):
            _, decision = self.place(flavorRef=flavor, expected_state='ERROR')
            self.assertEqual(
                'no_resources',
                decision.mirror.fallback,
            )
        self.assertEqual([], self.mirror.describe()['refusing'])

    def test_anti_affinity(self):
        """Servers of a group go apart, before any host tells of them, too."""
        group = self.make_group('anti-affinity')
        servers, decision = self.place(2, hints=group)
        self.assert_decided(decision)
        more, decision = self.place(refresh=False, hints=group)
        self.assert_decided(decision)
        self.assertEqual(
            {'cmp-1', 'cmp-2', 'cmp-3'}, set(map(self.host_of, servers + more))
        )
        _, decision = self.place(hints=group, expected_state='ERROR')
        self.assertEqual('no_host', decision.mirror.fallback)

    @testcase.attr('slow')
    def test_two_a_host(self):
        """A rule of the group lets so many of its servers onto a host."""
        group = self.make_group('anti-affinity', {'max_server_per_host': 2})
        _, decision = self.place(6, hints=group)
        self.assert_decided(decision)
        self.assertEqual({2}, set(self.uses().values()))

    def test_affinity(self):
        """Servers of a group stay together."""
        group = self.make_group('affinity')
        (first,), _ = self.place(hints=group)
        (second,), decision = self.place(hints=group)
        self.assert_decided(decision)
        self.assertEqual(self.host_of(first), self.host_of(second))
        other = self.make_group('affinity')
        servers, decision = self.place(2, hints=other)
        self.assert_decided(decision)
        self.assertEqual(1, len(set(map(self.host_of, servers))))

    @testcase.attr('slow')
    def test_affinity_afresh(self):
        """Nova knows nothing of a host that the mirror gave back."""
        place, ask = decide.place, mirror_source.ask_placement
        first = []

        def fail(*args):
            # The second server's host is looked for.
            if first:
                raise ZeroDivisionError
            first.append('')
            return place(*args)

        def fill_and_ask(*args):
            self.claim_behind(first[0], 2)
            return ask(*args)

        self.useFixture(fixtures.MockPatchObject(decide, 'place', fail))
        self.useFixture(fixtures.MockPatchObject(
            mirror_source, 'ask_placement', fill_and_ask
        ))
        add = mirrored_request.MirroredRequest.add_pending

        def note(request, server, claim):
            add(request, server, claim)
            if not first[0]:
                (uuid,) = claim['allocations']
                first[0] = next(
                    host for host in self.hosts
                    if self._get_provider_uuid_by_host(host) == uuid
                )

        self.useFixture(fixtures.MockPatchObject(
            mirrored_request.MirroredRequest, 'add_pending', note
        ))
        servers, decision = self.place(2, hints=self.make_group('affinity'))
        self.assertEqual(
            ('error', 'ZeroDivisionError'),
            (decision.mirror.fallback, decision.mirror.detail),
        )
        (host,) = set(map(self.host_of, servers))
        self.assertNotEqual(first[0], host)

    @testcase.attr('slow')
    def test_soft_groups(self):
        """Soft groups weigh by the servers that hosts have."""
        apart = self.make_group('soft-anti-affinity')
        _, decision = self.place(3, hints=apart)
        self.assert_decided(decision)
        self.assertEqual({1}, set(self.uses().values()))
        _, decision = self.place(hints=self.make_group('soft-affinity'))
        self.assert_decided(decision)

    def test_hints(self):
        """Hints name servers whose hosts are wanted, or not."""
        (first,), _ = self.place()
        (same,), decision = self.place(hints={'same_host': [first['id']]})
        self.assert_decided(decision)
        self.assertEqual(self.host_of(first), self.host_of(same))
        (other,), decision = self.place(
            hints={'different_host': [first['id'], same['id']]}
        )
        self.assert_decided(decision)
        self.assertNotEqual(self.host_of(first), self.host_of(other))

    @testcase.attr('slow')
    def test_unheard_of(self):
        """Hosts that tell nothing of their servers are left to Nova."""
        self.useFixture(fixtures.MockPatchObject(
            mirror_servers, 'MAX_READ', 0
        ))
        self.scheduler.host_manager._instance_info.clear()
        _, decision = self.place(hints=self.make_group('anti-affinity'))
        self.assertEqual(
            'unreported_servers',
            decision.mirror.fallback,
        )

    @testcase.attr('slow')
    def test_move(self):
        """The mirror decides a move; Nova holds both hosts' room."""
        (server,), _ = self.place()
        before = self.host_of(server)
        self.mirror.refresh()
        self._migrate_server(server)
        decision = self.read(server)
        self.assertEqual('move', decision.operation)
        self.assert_decided(decision)
        self.assertNotEqual(before, self.host_of(server))
        self.assertEqual([0, 1, 1], sorted(self.uses().values()))

    def test_failed_move(self):
        """What a server holds is held on, where a claim for its move fails."""
        self.mirror.wake = lambda: None
        (server,), _ = self.place()
        self.assertEqual(1, self.count_held())
        attempts = []

        def fail(*args, **kwargs):
            attempts.append(args)
            raise exception.AllocationUpdateFailed(
                consumer_uuid=server['id'], error='it changed'
            )

        with mock.patch.object(
            report.SchedulerReportClient, 'claim_resources', fail
        ):
            self.api.post_server_action(
                server['id'], {'migrate': None}, check_response_status=[202]
            )
            self._wait_for_action_fail_completion(
                server, 'migrate', 'conductor_migrate_server'
            )
        self.assertNotEqual([], attempts)
        self.assertEqual(1, self.count_held())

    def make_group(self, policy, rules=None):
        """Return the hint of a new server group."""
        group = {'name': 'together', 'policy': policy}
        if rules:
            group['rules'] = rules
        return {'group': self.api.post_server_groups(group)['id']}

    def uses(self):
        """Return the processors that are used, by host."""
        return {
            host: self._get_provider_usages(
                self._get_provider_uuid_by_host(host)
            )['VCPU'] for host in self.hosts
        }

    def count_held(self):
        """Return the processors that are held."""
        held = self.mirror.claims.sum_up().amounts
        return sum(amounts['VCPU'] for amounts in held.values())

    def set_inventory(self, provider, generation, resource_class):
        """Give a provider eight of one resource class."""
        url = f'/resource_providers/{provider}/inventories'
        self.change_placement('put', url, {
            'resource_provider_generation': generation,
            'inventories': {resource_class: {'total': 8}},
        })

    def claim_behind(self, host, count=1):
        """Claim processors of a host, without the mirror."""
        uuid = self._get_provider_uuid_by_host(host)
        answer = self.placement.put(f'/allocations/{OTHER_SERVER}', {
            'allocations': {uuid: {'resources': {'VCPU': count}}},
            'project_id': 'p', 'user_id': 'u', 'consumer_generation': None,
        }, version='1.28')
        self.assertEqual(204, answer.status, answer.body)
