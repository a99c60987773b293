"""Asking placement again what keeps all hosts out."""

import threading
import time

import fixtures
from nova import context as nova_context
from nova import exception, objects
from nova.scheduler.client import query

from nova_ext.core.base.errors import RecordError
from nova_ext.core.decision.placement_diagnosis import MAX_QUERIES, summarize
from nova_ext.core.explanation.explain import explain
from nova_ext.record import diagnoses, reader
from nova_ext.scheduler.completion import placement_probe, recorder
from tests.functional import base

PATIENCE_S = 60


class AskedAgainTest(base.CloudTestCase):
    """With a real placement."""

    ask_again_every_s = 60

    def configure(self):
        """Have quotas stop nobody."""
        self.flags(group='quota', instances=-1, cores=-1, ram=-1)

    def told(self, server):
        """What was found out about a server's request, when it was."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            recorder.get().flush(60)
            try:
                found = reader.find(self.record, server['id']).decisions[0]
            except RecordError:
                found = None
            if found and found.asked_again:
                return found
            time.sleep(0.05)
        raise AssertionError('nothing was found out')

    def fails(self, **body):
        """Have a boot fail, and tell what would have let it pass."""
        decision = self.told(self.boot(expected_state='ERROR', **body))
        self.assertIn(summarize(decision.asked_again, decision.at),
                      explain(decision).sentence)
        return decision.asked_again

    def flavor(self, **fields):
        """A reference to a new flavor."""
        flavor = self._create_flavor(**fields)
        return {'flavorRef': f'{self.api_fixture.base_url}/flavors/{flavor}'}

    def test_resource(self):
        """More memory than any host has; more of everything."""
        told = self.fails(**self.flavor(memory_mb=30000))
        self.assertEqual(['MEMORY_MB:30000'], told.without)
        told = self.fails(**self.flavor(memory_mb=30000, vcpu=500))
        self.assertEqual([], told.without)
        self.assertEqual({'MEMORY_MB:30000', 'VCPU:500'}, set(told.alone))

    def test_trait(self):
        """One that no host has."""
        told = self.fails(**self.flavor(
            extra_spec={'trait:HW_CPU_X86_AVX512F': 'required'}
        ))
        self.assertEqual(['trait HW_CPU_X86_AVX512F required'], told.without)

    def test_aggregate(self):
        """The only host of a zone is full: either is in the way."""
        made = self.admin_api.post_aggregate({'aggregate': {
            'name': 'rack-7', 'availability_zone': 'rare',
        }})
        self.admin_api.add_host_to_aggregate(made['id'], 'cmp-2')
        big = self.flavor(memory_mb=7000) | {'availability_zone': 'rare'}
        self.assertEqual('cmp-2', self.host_of(self.boot(**big)))
        told = self.fails(**big)
        self.assertEqual(
            {'a host of aggregate rack-7', 'MEMORY_MB:7000'},
            set(told.without),
        )

    def test_host(self):
        """The one that an operator asks for is disabled."""
        self.disable('cmp-2')
        self.admin_api.microversion = '2.74'
        told = self.fails(api=self.admin_api, host='cmp-2')
        self.assertIn('provider cmp-2', told.without)

    def test_disabled(self):
        """All of the hosts are."""
        for host in self.hosts:
            self.disable(host)
        self.assertEqual(
            ['trait COMPUTE_STATUS_DISABLED forbidden (disabled hosts have '
             'it)'], self.fails().without,
        )

    def test_limit(self):
        """One is disabled, one cut off, and one is not what was asked for."""
        self.disable('cmp-2')
        self.flags(max_placement_results=1, group='scheduler')
        decision = self.told(self.boot(
            {'requested_host': 'no-such-host'}, expected_state='ERROR'
        ))
        (offered,) = decision.attempts[0].steps[-1].rejections[0].hosts
        (cut,) = {'cmp-1', 'cmp-3'} - {offered}
        self.assertEqual([('cut off by max_placement_results 1', [cut])], [
            (kept.reason, kept.hosts) for kept in decision.kept_out
        ])
        self.assertEqual(['cmp-2'], decision.absent.hosts)
        for hosts in (True, False):
            sentence = explain(decision, hosts=hosts).sentence
            self.assertTrue(sentence.startswith(
                '0/3 hosts: 1 cut off by max_placement_results 1, 1 no '
                'candidate from placement'
            ), sentence)
            self.assertTrue(sentence.endswith(
                ' for more, placement offers 2 hosts'
            ), sentence)

    def test_storm(self):
        """200 boots fail, and placement is asked about one of them."""
        ask = placement_probe._has_candidates
        lock, count = threading.Lock(), [0]

        def counting(text):
            self.assertTrue(lock.acquire(blocking=False), 'two at a time')
            try:
                count[0] += 1
                return ask(text)
            finally:
                lock.release()

        self.useFixture(fixtures.MonkeyPatch(
            f'{placement_probe.__name__}._has_candidates', counting
        ))
        began = time.monotonic()
        server = self.boot(
            expected_state='ERROR', **self.flavor(memory_mb=30000)
        )
        context = nova_context.get_admin_context()
        spec = objects.RequestSpec.get_by_instance_uuid(context, server['id'])
        for _ in range(199):
            # As nova-conductor does for each boot.
            self.assertRaises(
                exception.NoValidHost,
                query.SchedulerQueryClient().select_destinations,
                context, spec.obj_clone(), [server['id']],
                return_objects=True, return_alternates=True,
            )
        decision = self.told(server)
        self.assertEqual(200, len(self.decisions()))
        minutes = 1 + (time.monotonic() - began) // self.ask_again_every_s
        self.assertEqual(['MEMORY_MB:30000'], decision.asked_again.without)
        told = sum(map(
            diagnoses.is_diagnosis, self.record.read_bytes().splitlines()
        ))
        self.assertLessEqual(told, minutes)
        self.assertLessEqual(count[0], minutes * MAX_QUERIES)
