"""Which hosts a request asks for, and which of them its servers fill."""

from testtools import testcase

from nova_ext.core.explanation.explain import explain
from tests.functional import base

FULL = 'no room after earlier servers of the request'


class NamedHostTest(base.CloudTestCase):
    """An operator names the host: Nova asks placement for no other."""

    microversion = '2.87'

    def explains(self, expected_state='ACTIVE', **body):
        """Boot a server.

        :returns: the sentence, for operators and for members.
        """
        server = self.boot(
            api=self.admin_api, expected_state=expected_state, **body
        )
        decision = self.decisions()[-1]
        return [
            explain(decision, server['id'], hosts=hosts).sentence
            for hosts in (True, False)
        ]

    def test_chosen(self):
        """Of --host, of a node, and where the zone names the host."""
        for body, why in (
            ({'host': 'cmp-2'}, ''), ({'hypervisor_hostname': 'cmp-2'}, ''),
            ({'availability_zone': 'nova:cmp-2'},
             '; filters skipped, as the request forced its host'),
        ):
            self.assertEqual([
                f'{host} chosen from 1 of 3 hosts: 2 not asked for{why}'
                for host in ('cmp-2', 'host 1')
            ], self.explains(**body))

    def test_disabled(self):
        """Of the named one alone it is said why it is no candidate."""
        self.disable('cmp-2')
        for body in ({'host': 'cmp-2'}, {'hypervisor_hostname': 'cmp-2'}):
            self.assertEqual([
                f'0/3 hosts, placement offered none: 2 not asked for, 1 no '
                f'candidate from placement{why}'
                for why in (' and is disabled', '')
            ], self.explains('ERROR', **body))

    def test_unknown(self):
        """None of the hosts was asked for."""
        sentence, _ = self.explains('ERROR', availability_zone='nova:cmp-9')
        self.assertTrue(sentence.endswith('): 3 not asked for'), sentence)


class SiblingsTest(base.CloudTestCase):
    """Servers of one request that fill two hosts, the first one first."""

    hosts = ('cmp-1', 'cmp-2')
    enabled_filters = ('ComputeFilter',)

    def configure(self):
        """Fill hosts up, in place of spreading."""
        self.flags(
            group='filter_scheduler', shuffle_best_same_weighed_hosts=False,
            weight_classes=['nova.scheduler.weights.ram.RAMWeigher'],
            ram_weight_multiplier=-1.0,
        )

    def boot_big(self, count, **expected):
        """Boot servers of which a host holds one."""
        flavor = self._create_flavor(memory_mb=5000, vcpu=1, disk=1)
        return self.boot_many(
            count, flavorRef=f'{self.api_fixture.base_url}/flavors/{flavor}',
            **expected,
        )

    def test_placed(self):
        """The first took the host; nobody else did meanwhile."""
        first, second = (self.host_of(each) for each in self.boot_big(2))
        decision = self.decisions()[-1]
        explanation = explain(decision, decision.servers[1])
        self.assertEqual(
            f'server 2 of 2: {second} chosen from 2 of 2 hosts that placement '
            f'offered; no room on {first} after earlier servers of the '
            f'request', explanation.sentence,
        )
        self.assertIn(
            ([first], 'request', 'rejected', FULL),
            [
                (r.hosts, r.stage, r.verdict, r.reason)
                for r in explanation.rows
            ],
        )

    @testcase.attr('slow')
    def test_failed(self):
        """The third finds both full."""
        self.boot_big(3, expected_state='ERROR')
        sentence = explain(self.decisions()[-1]).sentence
        self.assertTrue(sentence.endswith(f'0/2 hosts: 2 {FULL}'), sentence)
