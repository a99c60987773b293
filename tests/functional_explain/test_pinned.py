"""Pinned processors, for which Nova asks placement twice."""

from nova_ext.core.explanation.explain import explain
from nova_ext.scheduler.completion import recorder
from tests.functional_explain.test_placement_diagnosis import DiagnosisTestCase


class PinnedTestCase(DiagnosisTestCase):
    """cmp-1 has 10 processors to pin, and the others have none."""

    def setUp(self):
        """Have placement know."""
        super().setUp()
        self.has_pinnable('cmp-1')

    def has_pinnable(self, host):
        """Have a host's processors be PCPU in place of VCPU."""
        provider = self._get_provider_uuid_by_host(host)
        url = f'/resource_providers/{provider}/inventories'
        body = self.placement.get(url).body
        body['inventories']['PCPU'] = body['inventories'].pop('VCPU')
        body['inventories']['PCPU']['allocation_ratio'] = 1.0
        self.assertEqual(200, self.placement.put(url, body).status)

    def pinned(self, *, threads='', **fields):
        """A reference to a flavor of 2 pinned processors."""
        policies = {'hw:cpu_policy': 'dedicated'}
        if threads:
            policies['hw:cpu_thread_policy'] = threads
        return self.flavor(extra_spec=policies, **fields)


class BothAnswersTest(PinnedTestCase):
    """The filters reject all hosts."""

    ask_again_every_s = 60

    def setUp(self):
        """Keep what placement would be asked again."""
        super().setUp()
        self.asked_again = []
        self.stub_out(
            'nova_ext.scheduler.completion.diagnosis_worker.DiagnosisWorker.submit',
            lambda asking, placement: self.asked_again.append(placement),
        )

    def fails(self, **fields):
        """What was decided."""
        self.boot(
            {'requested_host': 'no-such-host'}, expected_state='ERROR',
            **self.pinned(**fields),
        )
        return self.decisions()[-1]

    def test_both_answers(self):
        """Both queries, and hosts and candidates of both."""
        decision = self.fails()
        first, second = decision.placement.queries
        self.assertIn('PCPU%3A2', first)
        self.assertEqual(first.replace('PCPU', 'VCPU'), second)
        self.assertEqual((3, 3, 2), (
            decision.placement.candidates, decision.placement.requests,
            decision.placement.vcpu_requests,
        ))
        self.assertRegex(
            explain(decision).notes[-1], '^placement was asked '
            'limit=1000&resources=.*PCPU:2.*, and then limit=1000&.*VCPU:2',
        )

    def test_second_is_empty(self):
        """Placement is not asked why, as it did offer hosts."""
        for host in ('cmp-2', 'cmp-3'):
            self.has_pinnable(host)
        decision = self.fails()
        self.assertEqual((3, 3, 0), (
            decision.placement.candidates, decision.placement.requests,
            decision.placement.vcpu_requests,
        ))
        self.assertEqual(
            '0/3 hosts: 3 requested_host is no-such-host '
            '(SpecifiedHostFilter)', explain(decision).sentence,
        )
        recorder.get().flush(60)
        self.assertEqual([], self.asked_again)

    def test_fallback_is_off(self):
        """One query, and one answer."""
        self.flags(disable_fallback_pcpu_query=True, group='workarounds')
        decision = self.fails()
        self.assertIn('PCPU', decision.placement.query)
        self.assertEqual((1, 1, None), (
            decision.placement.candidates, decision.placement.requests,
            decision.placement.vcpu_requests,
        ))


class LackTest(PinnedTestCase):
    """What hosts lacked that both answers left out."""

    def test_processors(self):
        """More than any host has, of either kind."""
        self.assert_lacks(
            {'lacks PCPU and lacks VCPU': set(self.hosts)},
            self.fail_boot(**self.pinned(vcpu=11)),
            'cmp-1: PCPU 11, at most 10 a server there',
        )

    def test_something_else(self):
        """No host has both kinds, and none is kept out for it."""
        self.assert_lacks(
            {'lacks MEMORY_MB': set(self.hosts)},
            self.fail_boot(**self.pinned(memory_mb=30000)),
            'cmp-1: MEMORY_MB 30000, at most 8192 a server there',
        )

    def test_threads(self):
        """A trait that the first query alone demands."""
        self.set_inventory('cmp-2', 'VCPU', max_unit=1)
        for host in self.hosts:
            provider = self._get_provider_uuid_by_host(host)
            self._set_provider_traits(provider, ['HW_CPU_HYPERTHREADING'])
        server = self.boot(
            {'requested_host': 'no-such-host'}, expected_state='ERROR',
            **self.pinned(threads='isolate'),
        )
        decision = self.find(server['id'])
        trait = 'has forbidden trait HW_CPU_HYPERTHREADING'
        self.assert_lacks({
            f'lacks VCPU and {trait}': {'cmp-1'},
            f'lacks PCPU and lacks VCPU and {trait}': {'cmp-2'},
        }, decision)

    def test_limit(self):
        """Each answer has the limit to itself."""
        self.flags(max_placement_results=1, group='scheduler')
        server = self.boot(
            {'requested_host': 'no-such-host'}, expected_state='ERROR',
            **self.pinned(),
        )
        decision = self.find(server['id'])
        (rejection,) = decision.attempts[0].steps[-1].rejections
        self.assertIn('cmp-1', rejection.hosts)
        self.assert_lacks({
            'is cut off by max_placement_results 1':
                set(self.hosts) - set(rejection.hosts),
        }, decision)
