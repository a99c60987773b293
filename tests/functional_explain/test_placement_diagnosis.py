"""What hosts lacked that placement left out; it is a real one."""

import copy
import time
import uuid

import requests
from nova import context as nova_context
from nova import exception, objects
from nova.scheduler.client import query, report
from testtools import testcase

from nova_ext.core.base.errors import RecordError
from nova_ext.core.decision import left_out_probe, placement_diagnosis
from nova_ext.core.explanation.explain import explain
from nova_ext.record import diagnoses, reader
from nova_ext.scheduler.completion import placement_probe, recorder
from tests.functional import base

PATIENCE_S = 120


class DiagnosisTestCase(base.CloudTestCase):
    """Three hosts of 10 VCPU, 8 GB of memory and 1 TB of disk."""

    ask_again_every_s = 1

    def configure(self):
        """Have quotas stop nobody."""
        self.flags(group='quota', instances=-1, cores=-1, ram=-1)

    def find(self, wanted):
        """The newest decision of a server or request, when it is asked."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            recorder.get().flush(60)
            try:
                found = reader.find(self.record, wanted).decisions[0]
            except RecordError:
                found = None
            if found and found.asked_again:
                return found
            time.sleep(0.05)
        raise AssertionError('nothing was found out')

    def fail_boot(self, **body):
        """Have a boot fail; return the decision with its diagnosis."""
        server = self.boot(expected_state='ERROR', **body)
        return self.find(server['id'])

    def assert_lacks(self, expected, decision, *examples):
        """Check groups of hosts by what they lack, and the sentence."""
        told = decision.asked_again
        self.assertFalse(told.changed)
        self.assertEqual(expected, {
            ' and '.join(group.lacks): set(group.hosts)
            for group in told.left_out
        })
        self.assertEqual(
            [len(group.hosts) for group in told.left_out],
            [group.count for group in told.left_out],
        )
        absent = [decision.absent, *decision.kept_out]
        self.assertEqual(
            sum(group.count for group in absent),
            sum(group.count for group in told.left_out),
        )
        self.assertGreaterEqual(told.after_s, 0)
        count = len(set().union(*expected.values()))
        hosts = f'of {count} hosts'
        if len(expected) == 1:
            hosts = 'the one host' if count == 1 else f'all {count} hosts'
        self.assertIn(
            f's after the decision, {hosts} that it left out',
            explain(decision).sentence,
        )
        self.assertEqual(list(examples), told.examples)

    def flavor(self, **fields):
        """A reference to a new flavor."""
        flavor = self._create_flavor(**fields)
        return {'flavorRef': f'{self.api_fixture.base_url}/flavors/{flavor}'}

    def add_aggregate(self, name, *hosts, zone=None):
        """Make an aggregate with these hosts."""
        aggregate = self.admin_api.post_aggregate({'aggregate': {
            'name': name, **({'availability_zone': zone} if zone else {}),
        }})
        for host in hosts:
            self.add_to_aggregate(aggregate['id'], host)
        return aggregate

    def set_inventory(self, host, name, **fields):
        """Change a host's inventory of a resource class in placement."""
        url = f'/resource_providers/{self._get_provider_uuid_by_host(host)}'
        (inventory,) = [
            self._get_provider_inventory(url.rsplit('/', 1)[1])[name]
        ]
        generation = self.placement.get(url).body['generation']
        answer = self.placement.put(
            f'{url}/inventories/{name}',
            inventory | fields | {'resource_provider_generation': generation},
        )
        self.assertEqual(200, answer.status)

    def add_child(self, host, traits=(), **inventories):
        """Give a host's provider a child with inventories and traits."""
        child = str(uuid.uuid4())
        self.placement.post('/resource_providers', {
            'uuid': child, 'name': child,
            'parent_provider_uuid': self._get_provider_uuid_by_host(host),
        }, version='1.20')
        url = f'/resource_providers/{child}/inventories'
        answer = self.placement.put(url, {
            'resource_provider_generation': 0, 'inventories': {
                name: {'total': total} for name, total in inventories.items()
            },
        })
        self.assertEqual(200, answer.status, answer.body)
        self._set_provider_traits(child, list(traits))


class PastTest(DiagnosisTestCase):
    """What hosts lacked that placement left out of a success."""

    def diagnose(self, decision):
        """Ask as explain does; return the note and the sentence."""
        worker = recorder.get().diagnosis_worker
        note = placement_diagnosis.diagnose_past(
            decision, lambda placement, ended: worker.diagnose_past(
                placement.query, placement.offered, ended, PATIENCE_S
            )
        )
        return note, explain(decision).sentence

    def test_success(self):
        """Tell it of a success; and where placement offers others since."""
        self.disable('cmp-1')
        self.set_inventory('cmp-2', 'MEMORY_MB', max_unit=256)
        server = self.boot()
        (decision,) = self.decisions()
        self.assertIsNone(decision.asked_again)
        again = copy.deepcopy(decision)
        note, sentence = self.diagnose(decision)
        self.assertEqual('', note)
        self.assertIn(
            'cmp-3 chosen from 1 of 3 hosts: 2 no candidate from placement; '
            'as placement stood ', sentence,
        )
        self.assertIn(
            's after the decision, of 2 hosts that it left out 1 is disabled, '
            '1 lacks MEMORY_MB', sentence,
        )
        self.api.delete_server(server['id'])
        self._wait_until_deleted(server)
        self.set_inventory('cmp-2', 'MEMORY_MB', max_unit=8192)
        again.placement.query += '&group_policy=none'  # another worker's
        self.assertTrue(self.diagnose(again)[1].endswith(
            '; placement has changed since'
        ))

    def test_own_group(self):
        """The server itself took all that a granular group asks for."""
        self.add_child('cmp-1', VGPU=1)
        self.boot(**self.flavor(extra_spec={'resources1:VGPU': '1'}))
        (decision,) = self.decisions()
        note, sentence = self.diagnose(decision)
        self.assertEqual('', note)
        self.assertIn('all 2 hosts that it left out lack a provider with 1 of '
                      'VGPU', sentence)


class LackTest(DiagnosisTestCase):
    """What hosts lack, where placement offers none."""

    def test_resources(self):
        """More memory than any host has; more of two."""
        self.assert_lacks(
            {'lacks MEMORY_MB': set(self.hosts)},
            self.fail_boot(**self.flavor(memory_mb=30000)),
            'cmp-1: MEMORY_MB 30000, at most 8192 a server there',
        )
        self.assert_lacks(
            {'lacks DISK_GB and lacks MEMORY_MB': set(self.hosts)},
            self.fail_boot(**self.flavor(memory_mb=30000, disk=9000)),
            'cmp-1: DISK_GB 9010, at most 1028 a server there, MEMORY_MB '
            '30000, at most 8192 a server there',
        )

    def test_full(self):
        """Hosts that servers have used up, full ones as well."""
        big = self.flavor(memory_mb=7000)
        used = {self.host_of(self.boot(**big)) for _ in self.hosts}
        self.assertEqual(set(self.hosts), used)
        self.assert_lacks(
            {'lacks MEMORY_MB': used}, self.fail_boot(**big),
            'cmp-1: MEMORY_MB 7000, too much of 7680 is used there',
        )

    def test_max_unit(self):
        """A server may have less than the host."""
        for host in self.hosts:
            self.set_inventory(host, 'VCPU', max_unit=4)
        self.assert_lacks(
            {'lacks VCPU': set(self.hosts)},
            self.fail_boot(**self.flavor(vcpu=5)),
            'cmp-1: VCPU 5, at most 4 a server there',
        )

    def test_traits(self):
        """One that no host has; one that one host must not have."""
        trait = 'HW_CPU_X86_AVX512F'
        self.assert_lacks(
            {f'lacks trait {trait}': set(self.hosts)}, self.fail_boot(
                **self.flavor(extra_spec={f'trait:{trait}': 'required'})
            ),
        )
        for host in self.hosts:
            self._set_provider_traits(
                self._get_provider_uuid_by_host(host), [trait]
            )
        self.assert_lacks(
            {f'has forbidden trait {trait}': set(self.hosts)}, self.fail_boot(
                **self.flavor(extra_spec={f'trait:{trait}': 'forbidden'})
            ),
        )

    def test_disabled(self):
        """One is disabled, and all lack memory."""
        self.disable('cmp-2')
        self.assert_lacks(
            {
                'lacks MEMORY_MB': {'cmp-1', 'cmp-3'},
                'lacks MEMORY_MB and is disabled': {'cmp-2'},
            }, self.fail_boot(**self.flavor(memory_mb=30000)),
            'cmp-1: MEMORY_MB 30000, at most 8192 a server there',
        )

    def test_zone(self):
        """The only host of a zone is full; others are not in it."""
        self.add_aggregate('rack-7', 'cmp-2', zone='rare')
        big = self.flavor(memory_mb=7000) | {'availability_zone': 'rare'}
        self.assertEqual('cmp-2', self.host_of(self.boot(**big)))
        self.assert_lacks({
            'lacks MEMORY_MB': {'cmp-2'},
            'is not in aggregate rack-7 (availability zone rare)':
                {'cmp-1', 'cmp-3'},
        }, self.fail_boot(**big),
            'cmp-2: MEMORY_MB 7000, too much of 7680 is used there')

    def test_requested_host(self):
        """The one that an operator asks for is disabled."""
        self.disable('cmp-2')
        self.admin_api.microversion = '2.74'
        self.assert_lacks({
            'is disabled': {'cmp-2'},
            'is not the host that was asked for': {'cmp-1', 'cmp-3'},
        }, self.fail_boot(api=self.admin_api, host='cmp-2'))


    def test_forbidden_aggregate(self):
        """One is kept for others, and all lack memory."""
        self.flags(enable_isolated_aggregate_filtering=True, group='scheduler')
        made = self.add_aggregate('gpu', 'cmp-2')
        self.admin_api.api_post(f'/os-aggregates/{made["id"]}/action', {
            'set_metadata': {'metadata': {'trait:CUSTOM_GPU': 'required'}},
        })
        self.assert_lacks(
            {
                'lacks MEMORY_MB': {'cmp-1', 'cmp-3'},
                'lacks MEMORY_MB and is in forbidden aggregate gpu': {'cmp-2'},
            }, self.fail_boot(**self.flavor(memory_mb=30000)),
            'cmp-1: MEMORY_MB 30000, at most 8192 a server there',
        )

    def test_no_provider(self):
        """An operator has deleted a host's provider."""
        self.placement.delete(
            f'/resource_providers/{self._get_provider_uuid_by_host("cmp-3")}'
        )
        self.assert_lacks(
            {
                'lacks MEMORY_MB': {'cmp-1', 'cmp-2'},
                'has no resource provider': {'cmp-3'},
            }, self.fail_boot(**self.flavor(memory_mb=30000)),
            'cmp-1: MEMORY_MB 30000, at most 8192 a server there',
        )

    def test_shared(self):
        """What another provider shares may be a host's, so it is not told."""
        pool, aggregate = str(uuid.uuid4()), str(uuid.uuid4())
        self.placement.post(
            '/resource_providers', {'name': 'pool', 'uuid': pool}
        )
        self._update_inventory(pool, {
            'resource_provider_generation': 0,
            'inventories': {'DISK_GB': {'total': 90000}},
        })
        self._set_provider_traits(pool, ['MISC_SHARES_VIA_AGGREGATE'])
        for provider in (pool, self._get_provider_uuid_by_host('cmp-1')):
            self._set_aggregate(provider, aggregate)
        decision = self.fail_boot(**self.flavor(memory_mb=30000, disk=9000))
        self.assert_lacks(
            {'lacks MEMORY_MB': set(self.hosts)}, decision,
            'cmp-1: MEMORY_MB 30000, at most 8192 a server there',
        )
        self.assertEqual(
            ['DISK_GB:9010 (shared by a provider)'],
            decision.asked_again.untold,
        )

    def test_disk(self):
        """Of what the disk is, that placement counts as one resource."""
        flavor = self.flavor(
            disk=800, ephemeral=300, swap=1500, id='disk', name='disk'
        )
        decision = self.fail_boot(**flavor)
        text = 'needs 1102 GB of disk: 800 root, 300 ephemeral, swap 1500 MB'
        self.assertIn(f'; {text}; as placement', explain(decision).sentence)
        self.assertIn(text, explain(decision, hosts=False).sentence)

    def test_granular(self):
        """What one provider has to have is asked for as a whole."""
        vulkan, sriov = 'HW_GPU_API_VULKAN', 'HW_NIC_SRIOV'
        self.add_child('cmp-1', VGPU=1)
        self.add_child('cmp-1', [vulkan], FPGA=1)
        self.add_child('cmp-2', [vulkan], VGPU=2)
        gpu = 'lacks a provider with 1 of VGPU'
        self.assert_lacks({
            f'{gpu} and trait {vulkan}': {'cmp-1', 'cmp-3'},
            'is disabled': {'cmp-2'},
        }, self.fail_disabled('cmp-2', **{
            'resources1:VGPU': '1', 'trait1:' + vulkan: 'required',
        }))
        # Each alone is there; both want a provider of their own.
        self.assert_lacks({
            gpu: {'cmp-3'},
            'lacks room for all granular groups at once': {'cmp-2'},
            'is disabled': {'cmp-1'},
        }, self.fail_disabled('cmp-1', **{
            'resources1:VGPU': '1', 'resources2:VGPU': '1',
            'group_policy': 'isolate',
        }))
        # Of a child, a trait counts where it gives some of the resources.
        self.add_child('cmp-3', [sriov], FPGA=1)
        self.assert_lacks({
            f'lacks trait {sriov}': {'cmp-1', 'cmp-2'},
            f'has trait {sriov} only on providers that give none of its '
            f'other resources': {'cmp-3'},
        }, self.fail_boot(
            **self.flavor(extra_spec={f'trait:{sriov}': 'required'})
        ))

    def fail_disabled(self, host, **extra_spec):
        """Have a boot fail while a host is disabled."""
        self.disable(host)
        decision = self.fail_boot(**self.flavor(extra_spec=extra_spec))
        self.disable(host, disabled=False)
        return decision


class PartTest(DiagnosisTestCase):
    """Placement offers some, whom filters reject."""

    def test_beside_filters(self):
        """One is disabled, and two are not what was asked for."""
        self.disable('cmp-2')
        server = self.boot(
            {'requested_host': 'no-such-host'}, expected_state='ERROR'
        )
        decision = self.find(server['id'])
        self.assert_lacks({'is disabled': {'cmp-2'}}, decision)
        sentence = explain(decision).sentence
        self.assertRegex(sentence, (
            r'^0/3 hosts: 1 no candidate from placement[^;]*, 2 '
            r'requested_host is no-such-host \(SpecifiedHostFilter\); as '
            r'placement stood [\d.]+ s after the decision, the one host that '
            r'it left out is disabled$'
        ))
        # A member reads no count, and not what operators have disabled.
        self.assertNotIn('disabled', explain(decision, hosts=False).sentence)

    def test_limit(self):
        """One is disabled, one cut off, and one is not what was asked for."""
        self.disable('cmp-2')
        self.flags(max_placement_results=1, group='scheduler')
        server = self.boot(
            {'requested_host': 'no-such-host'}, expected_state='ERROR'
        )
        decision = self.find(server['id'])
        (offered,) = decision.attempts[0].steps[-1].rejections[0].hosts
        self.assert_lacks({
            'is disabled': {'cmp-2'},
            'is cut off by max_placement_results 1':
                {'cmp-1', 'cmp-3'} - {offered},
        }, decision)

    def test_outage(self):
        """Nothing is told where placement stops to answer."""
        get = report.SchedulerReportClient.get
        answered = []

        def get_once(client, url, *args, **kwargs):
            if url.startswith('/allocation_candidates') and not answered:
                answered.append(url)
                return get(client, url, *args, **kwargs)
            if url.startswith(('/allocation_candidates', '/resource_prov')):
                answer = requests.Response()
                answer.status_code = 503
                answered.append(url)
                return answer
            return get(client, url, *args, **kwargs)

        self.stub_out(
            'nova.scheduler.client.report.SchedulerReportClient.get', get_once
        )
        self.boot(expected_state='ERROR', **self.flavor(memory_mb=30000))
        deadline = time.monotonic() + PATIENCE_S
        while len(answered) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        recorder.get().flush(60)
        (decision,) = self.decisions()
        self.assertIsNone(decision.asked_again)
        self.assertEqual(
            '0/3 hosts, placement offered none: 3 no candidate from '
            'placement', explain(decision).sentence,
        )


class ChangeTest(DiagnosisTestCase):
    """Placement changes between a decision and what it is asked later."""

    ask_again_every_s = 60

    def setUp(self):
        """Count queries; before the first, something may happen."""
        super().setUp()
        self.queries = []
        self.before = lambda: None
        get = placement_probe.NovaCloud.get

        def counting(probe, url):
            if not self.queries:
                self.before()
            self.queries.append((time.monotonic(), url))
            return get(probe, url)

        self.stub_out(
            f'{placement_probe.__name__}.NovaCloud.get', counting
        )

    @testcase.attr('slow')
    def test_changed(self):
        """Memory is freed before placement is asked."""
        big = self.flavor(memory_mb=7000)
        servers = [self.boot(**big) for _ in self.hosts]
        self.before = lambda: self._delete_server(servers[0])
        decision = self.fail_boot(**big)
        self.assertTrue(decision.asked_again.changed)
        self.assertEqual(
            '0/3 hosts, placement offered none: 3 no candidate from '
            'placement; placement has changed since',
            explain(decision).sentence,
        )
        self.assertEqual(1, len(self.queries))

    def test_many_demands(self):
        """Those beyond the tenth query are said to be not told."""
        traits = [
            f'HW_CPU_X86_{name}' for name in
            ('AVX', 'AVX2', 'SSE', 'SSE2', 'SSE3', 'SSE41', 'SSE42', 'MMX')
        ]
        told = self.fail_boot(**self.flavor(
            extra_spec=dict.fromkeys(
                (f'trait:{trait}' for trait in traits), 'required'
            ), memory_mb=30000,
        )).asked_again
        self.assertLessEqual(len(self.queries), left_out_probe.MAX_QUERIES)
        lacked = ' '.join(told.left_out[0].lacks)
        self.assertIn('MEMORY_MB', lacked)
        self.assertNotEqual([], told.untold)
        for trait in traits:
            self.assertNotEqual(
                trait in told.untold, f'lacks trait {trait}' in
                told.left_out[0].lacks, trait,
            )

    @testcase.attr('slow')
    def test_storm(self):
        """200 boots fail; placement is asked 10 times a minute at most."""
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
        self.assertEqual(200, len(self.decisions()))
        minutes = 1 + (self.queries[-1][0] - self.queries[0][0]) // 60
        self.assertLessEqual(
            len(self.queries), minutes * left_out_probe.MAX_QUERIES
        )
        lines = self.record.read_bytes().splitlines(keepends=True)
        told = [*filter(None, map(diagnoses.parse, filter(
            diagnoses.is_diagnosis, lines
        )))]
        self.assertIn(len(told), range(1, int(minutes) + 1))
        self.assertEqual(
            [['lacks MEMORY_MB']], [group.lacks for group in told[0].left_out]
        )
        # Or it asks of the rest amid another test.
        recorder.get().diagnosis_worker._waiting.clear()


class RefusalTest(DiagnosisTestCase):
    """Queries that placement refuses with 400."""

    def assert_refused(self, words, **body):
        """Check the sentence of a boot whose query is refused."""
        self.boot(expected_state='ERROR', **body)
        decision = self.decisions()[-1]
        self.assertFalse(decision.placement.offers_none)
        for hosts in (True, False):
            self.assertEqual(
                f'0/3 hosts, placement refused the query (400: {words}): 3 '
                f'not offered', explain(decision, hosts=hosts).sentence,
            )

    def test_trait(self):
        """One that placement does not know."""
        self.assert_refused(
            'No such trait(s): CUSTOM_NO_SUCH.',
            **self.flavor(extra_spec={'trait:CUSTOM_NO_SUCH': 'required'}),
        )

    def test_resource_class(self):
        """One that placement does not know."""
        self.assert_refused(
            'Invalid resource class in resources parameter: No such resource '
            'class CUSTOM_NO_SUCH.',
            **self.flavor(extra_spec={'resources:CUSTOM_NO_SUCH': '1'}),
        )

    def test_contradiction(self):
        """A trait that the image requires and the flavor forbids."""
        trait = 'trait:HW_CPU_X86_AVX512F'
        image = self.glance.create(None, {
            'name': 'traited', 'min_disk': 0, 'min_ram': 0, 'size': 1,
            'status': 'active', 'container_format': 'raw',
            'disk_format': 'raw', 'properties': {trait: 'required'},
        })
        self.assert_refused(
            'Conflicting required and forbidden traits found in the following '
            'traits keys: required: (HW_CPU_X86_AVX512F)',
            imageRef=image['id'],
            **self.flavor(extra_spec={trait: 'forbidden'}),
        )
