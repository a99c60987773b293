"""Pinned processors, for which Nova asks placement twice."""

from nova_ext.core.explanation.explain import explain
from nova_ext.scheduler.completion import recorder
from tests.functional import base


class PinnedTest(base.CloudTestCase):
    """cmp-1 has processors to pin, and the others have none."""

    ask_again_every_s = 60

    def setUp(self):
        """Have placement know, and keep what it would be asked again."""
        super().setUp()
        self.has_pinnable('cmp-1')
        self.asked_again = []
        self.stub_out(
            'nova_ext.scheduler.completion.diagnosis_worker.DiagnosisWorker.submit',
            lambda asking, placement: self.asked_again.append(placement),
        )

    def has_pinnable(self, host):
        """Have a host's processors be PCPU in place of VCPU."""
        provider = self._get_provider_uuid_by_host(host)
        url = f'/resource_providers/{provider}/inventories'
        body = self.placement.get(url).body
        body['inventories']['PCPU'] = body['inventories'].pop('VCPU')
        body['inventories']['PCPU']['allocation_ratio'] = 1.0
        self.assertEqual(200, self.placement.put(url, body).status)

    def fails(self):
        """What was decided where the filters reject all hosts."""
        flavor = self._create_flavor(
            extra_spec={'hw:cpu_policy': 'dedicated'}
        )
        self.boot(
            {'requested_host': 'no-such-host'}, expected_state='ERROR',
            flavorRef=f'{self.api_fixture.base_url}/flavors/{flavor}',
        )
        return self.decisions()[-1]

    def test_both_answers(self):
        """The first query, and hosts and candidates of both."""
        decision = self.fails()
        self.assertIn('PCPU', decision.placement.query)
        self.assertEqual((3, 3, 2), (
            decision.placement.candidates, decision.placement.requests,
            decision.placement.fallback,
        ))
        self.assertIn(
            ', and the same with VCPU in place of PCPU',
            explain(decision).notes[-1],
        )

    def test_second_is_empty(self):
        """Placement is not asked why, as it did offer hosts."""
        for host in ('cmp-2', 'cmp-3'):
            self.has_pinnable(host)
        decision = self.fails()
        self.assertEqual((3, 3, 0), (
            decision.placement.candidates, decision.placement.requests,
            decision.placement.fallback,
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
            decision.placement.fallback,
        ))
