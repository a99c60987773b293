"""Reasons for the rejections of Nova's own filters, out of the record."""


from nova import context as nova_context
from nova import objects
from nova.scheduler import filters as nova_filters
from nova.scheduler.filters import BaseHostFilter, affinity_filter
from oslo_utils import timeutils

from nova_ext.core.decision.decision import Audience
from nova_ext.core.explanation import explain
from nova_ext.scheduler import explainers, manager
from nova_ext.scheduler.completion import recorder
from tests.functional import base, managers, novas

AN_HOUR_AGO = timeutils.utcnow().replace(
    2026, 11, 21, 12, 0, 5, microsecond=0
)
#: It rejects none.
UNEXPLAINED = {'AllHostsFilter'}


class ExplainersTest(managers.ManagerTestCase):
    """Nova's filters on Nova's host states, through our manager."""

    def setUp(self):
        """A request that changes from test to test."""
        super().setUp()
        self.request = novas.request_spec(
            nova_context.RequestContext('user', novas.PROJECT)
        )

    def decide(self, filter_name, *hosts):
        """Ask one filter about hosts, and read its decision back."""
        self.flags(group='filter_scheduler', enabled_filters=[filter_name])
        ours = manager.SchedulerManager().decider
        request = self.request
        with managers.recording(request):
            passed = ours._get_sorted_hosts(request, list(hosts), 0)
        self.assertTrue(recorder.get().flush(60))
        decision = base.read_decisions(self.record)[-1]
        self.assertEqual(len(passed), decision.attempts[0].ranked_count)
        return decision

    def why(self, filter_name, *hosts):
        """What explain says of the hosts that the filter rejected."""
        (step,) = self.decide(filter_name, *hosts).attempts[0].steps
        for rejection in step.rejections:
            for host in rejection.hosts:
                self.assertNotRegex(rejection.reason, rf'\b{host}\b')
        return [
            (f'{rejection.reason} {rejection.details.get(host, "")}'.strip(),
             host)
            for rejection in step.rejections for host in rejection.hosts
        ]

    def rejects(self, why, filter_name, host, *others):
        """Assert on why the filter rejects the first host alone."""
        self.assertEqual(
            [(why, host.host)], self.why(filter_name, host, *others)
        )

    def test_every_filter_of_novas(self):
        """None is without an explainer."""
        self.assertEqual(
            {cls.__name__ for cls in nova_filters.all_filters()},
            UNEXPLAINED | set(explainers._EXPLAINERS)
            | set(explainers.affinity.AMONG_HOSTS),
        )

    def test_members_read_them(self):
        """Of every filter that is explained; of one, its user alone."""
        audiences = {
            cls.__name__: explainers.get_audience(cls())
            for cls in nova_filters.all_filters()
        }
        self.assertEqual(UNEXPLAINED, {
            name for name, audience in audiences.items()
            if audience is Audience.OPERATORS
        })
        self.assertEqual(['SimpleCIDRAffinityFilter'], [
            name for name, audience in audiences.items()
            if audience is Audience.USER
        ])

    def test_members_read_no_words_of_others(self):
        """A filter of another package may stand under a name of Nova's."""
        other = type('ComputeFilter', (BaseHostFilter,), {})
        self.assertEqual(
            Audience.OPERATORS, explainers.get_audience(other())
        )
        self.assertEqual(Audience.MEMBERS, self.decide(
            'ComputeFilter', novas.host_state('up')
        ).attempts[0].steps[0].reasons_for)

    def test_compute(self):
        """Disabled by whom and why; down since when."""
        decision = self.decide(
            'ComputeFilter', novas.host_state('up'),
            *(
                novas.host_state(name, service=service)
                for name, service in {
                    'a': {'disabled': True},
                    'b': {'disabled': True, 'disabled_reason': 'disk swap'},
                    'c': {'disabled': True,
                          'disabled_reason': 'AUTO: no libvirt'},
                    'd': {'forced_down': True},
                    'e': {'last_seen_up': AN_HOUR_AGO},
                    'f': {'last_seen_up': None, 'created_at': AN_HOUR_AGO},
                    'g': {'disabled': True, 'forced_down': True},
                    'h': {'disabled': True, 'disabled_reason': 'disk swap',
                          'last_seen_up': AN_HOUR_AGO},
                }.items()
            ),
        )
        explained = explain.explain(decision)
        self.assertIn(
            '3 disabled (ComputeFilter), 3 down (ComputeFilter), 2 disabled '
            'and down (ComputeFilter)', explained.sentence,
        )
        self.assertEqual(
            ['disabled by an operator: disk swap (b); by nova-compute '
             'itself: no libvirt (c)',
             'down as forced_down is set (d); since 2026-11-21 12:00:05 UTC '
             '(e); since it was created (f)',
             'disabled and down as forced_down is set (g); since 2026-11-21 '
             '12:00:05 UTC; disabled by an operator: disk swap (h)'],
            [row.reason for row in explained.rows[-3:]],
        )

    def test_capabilities(self):
        """The key, what was wanted, and what was found."""
        self.request.flavor.extra_specs = {
            'capabilities:hypervisor_type': 'fake',
            'capabilities:hypervisor_version': '>= 2000',
        }
        self.rejects(
            'capabilities:hypervisor_version must be >= 2000 and is 1000',
            'ComputeCapabilitiesFilter', novas.host_state('old'),
            novas.host_state('new', hypervisor_version=3000),
        )
        self.request.flavor.extra_specs = {'capabilities:cpu_info:x': 'y'}
        self.rejects(
            'capabilities:cpu_info:x must be y and is not reported',
            'ComputeCapabilitiesFilter', novas.host_state('old'),
        )

    def image(self, **properties):
        """Ask for an image with properties."""
        self.request.image.properties = objects.ImageMetaProps(**properties)

    def test_image_properties(self):
        """What the image wants, and what the host runs."""
        def runs(name, *kind, version=1000):
            return novas.host_state(
                name, hypervisor_version=version,
                supported_hv_specs=[objects.HVSpec.from_list(list(kind))],
            )

        intel = runs('intel', 'x86_64', 'kvm', 'hvm')
        arm = runs('arm', 'aarch64', 'qemu', 'hvm')
        for properties, wants in (
            ({'hw_architecture': 'aarch64'}, 'hw_architecture=aarch64'),
            ({'hw_architecture': 'aarch64', 'img_hv_type': 'qemu'},
             'hw_architecture=aarch64 and img_hv_type=qemu'),
            ({'hw_architecture': 'aarch64', 'hw_vm_mode': 'hvm'},
             'hw_architecture=aarch64'),
        ):
            self.image(**properties)
            self.rejects(
                f'image wants {wants} and the host runs x86_64/kvm/hvm',
                'ImagePropertiesFilter', intel, arm,
            )
        self.image(hw_vm_mode='hvm', img_hv_requested_version='>=2.0')
        self.rejects(
            'image wants img_hv_requested_version=>=2.0 and the hypervisor '
            'is 1.0', 'ImagePropertiesFilter', intel,
            runs('new', 'x86_64', 'kvm', 'hvm', version=2001000),
        )
        self.image(hw_architecture='aarch64', hw_vm_mode='xen')
        self.rejects(
            'image wants hw_architecture=aarch64 and hw_vm_mode=xen together '
            'and the host runs aarch64/qemu/hvm, x86_64/xen/xen',
            'ImagePropertiesFilter',
            novas.host_state('both', supported_hv_specs=[
                objects.HVSpec.from_list(['aarch64', 'qemu', 'hvm']),
                objects.HVSpec.from_list(['x86_64', 'xen', 'xen']),
            ]),
        )
        self.image(hw_vm_mode='hvm', hw_maxphysaddr_bits=46)
        narrow = runs('narrow', 'x86_64', 'kvm', 'hvm')
        narrow.cpu_info = {'maxphysaddr': {'bits': 40}}
        wide = runs('wide', 'x86_64', 'kvm', 'hvm')
        wide.cpu_info = {'maxphysaddr': {'bits': 46}}
        self.rejects('image wants hw_maxphysaddr_bits=46 and the host has 40',
                     'ImagePropertiesFilter', narrow, wide)
        self.image()
        self.flags(
            group='filter_scheduler',
            image_properties_default_architecture='aarch64',
        )
        self.rejects(
            'image_properties_default_architecture is aarch64 and the host '
            'runs x86_64/kvm/hvm', 'ImagePropertiesFilter', intel, arm,
        )
        self.image(img_hv_type='xen')
        self.rejects(
            'image_properties_default_architecture is aarch64 and image wants '
            'img_hv_type=xen and the host runs x86_64/kvm/hvm',
            'ImagePropertiesFilter', intel, runs('b', 'aarch64', 'xen', 'xen'),
        )
        self.image(hw_architecture='x86_64', hw_vm_mode='xen')
        self.rejects(
            'image wants hw_vm_mode=xen and the host runs x86_64/kvm/hvm',
            'ImagePropertiesFilter', intel, runs('b', 'x86_64', 'xen', 'xen'),
        )

    def test_all_image_properties(self):
        """Each property that keeps a host out, and no other."""
        def host(name, *kind, bits):
            state = novas.host_state(
                name, hypervisor_version=1000,
                supported_hv_specs=[objects.HVSpec.from_list(list(kind))],
            )
            state.cpu_info = {'maxphysaddr': {'bits': bits}}
            return state

        self.image(
            hw_architecture='aarch64', img_hv_type='qemu', hw_vm_mode='hvm',
            img_hv_requested_version='>=2.0', hw_maxphysaddr_bits=46,
        )
        wants = 'image wants hw_architecture=aarch64 and img_hv_type=qemu and '
        version = 'img_hv_requested_version=>=2.0'
        runs = 'and the host runs x86_64/kvm/'
        for kind, bits, reason in (
            (('x86_64', 'kvm', 'xen'), 40,
             f'{wants}hw_vm_mode=hvm and {version} and hw_maxphysaddr_bits=46 '
             f'{runs}xen, and the hypervisor is 1.0, and the host has 40'),
            (('x86_64', 'kvm', 'hvm'), 48,
             f'{wants}{version} {runs}hvm, and the hypervisor is 1.0'),
            (('aarch64', 'qemu', 'hvm'), 48,
             f'image wants {version} and the hypervisor is 1.0'),
        ):
            self.rejects(
                reason, 'ImagePropertiesFilter', host('a', *kind, bits=bits)
            )
        self.rejects(
            f'{wants}hw_vm_mode=hvm and the host runs none',
            'ImagePropertiesFilter', novas.host_state('nothing'),
        )

    def test_unread_properties(self):
        """A property that the filter does not read is no reason."""
        self.image(
            os_distro='debian', hw_vm_mode='hvm', hw_disk_bus='virtio',
            img_hv_requested_version='>=2.0', img_hv_type='kvm',
        )
        self.rejects(
            'image wants img_hv_requested_version=>=2.0 and the hypervisor '
            'is 1.0', 'ImagePropertiesFilter', novas.host_state(
                'old', supported_hv_specs=[
                    objects.HVSpec.from_list(['x86_64', 'kvm', 'hvm']),
                ],
            ),
        )

    def test_unread_extra_specs(self):
        """One of another scope, or that no host has, is no reason."""
        unread = {
            'aggregate_instance_extra_specs:hypervisor_type': 'other',
            'hw:hypervisor_type': 'other', 'no_such': 'x',
            'trait:HW_CPU_X86_AVX': 'required',
        }
        old, new = (
            novas.host_state(name, hypervisor_version=version)
            for name, version in (('old', 1000), ('new', 3000))
        )
        self.request.flavor.extra_specs = {
            **unread, 'hypervisor_version': '>= 2000',
        }
        self.rejects('hypervisor_version must be >= 2000 and is 1000',
                     'ComputeCapabilitiesFilter', old, new)
        old.cpu_info = {'maxphysaddr': {'bits': 40}}
        new.cpu_info = {'maxphysaddr': {'bits': 46}}
        self.request.flavor.extra_specs = {
            **unread, 'capabilities:cpu_info:maxphysaddr:bits': '>= 64',
            'hw:maxphysaddr_bits': '46',
        }
        self.rejects('hw:maxphysaddr_bits must be 46 and is 40',
                     'ComputeCapabilitiesFilter', old, new)
        self.request.flavor.extra_specs = {
            'capabilities:cpu_arch': 'other', 'hw:ssd': 'maybe',
            'hide_hypervisor_id': 'true',
            'aggregate_instance_extra_specs:ssd': 'true',
        }
        fast = novas.host_state('fast', aggregates=[novas.aggregate(
            'a', ssd='true', hide_hypervisor_id='true',
        )])
        slow = novas.host_state('slow', aggregates=[novas.aggregate(
            'b', ssd='no', hide_hypervisor_id='true', cpu_arch='none',
        )])
        self.rejects('ssd must be true in an aggregate and is no',
                     'AggregateInstanceExtraSpecsFilter', slow, fast)

    def test_isolated_hosts(self):
        """Hosts for isolated images, and the others."""
        kept, free = novas.host_state('kept'), novas.host_state('free')
        self.flags(
            group='filter_scheduler', isolated_hosts=['kept'],
            isolated_images=['other'],
        )
        self.rejects('in isolated_hosts, and the image is not isolated',
                     'IsolatedHostsFilter', kept, free)
        self.flags(
            group='filter_scheduler', isolated_images=[self.request.image.id]
        )
        self.rejects('not in isolated_hosts, and the image is isolated',
                     'IsolatedHostsFilter', free, kept)

    def test_aggregates(self):
        """Which aggregate keeps a host for others, and what it says."""
        def host(name, **metadata):
            return novas.host_state(
                name, aggregates=[novas.aggregate(f'agg-{name}', **metadata)]
            )

        free = novas.host_state('free')
        self.rejects(
            'kept for other projects by aggregate agg-a '
            '(filter_tenant_id2=else)', 'AggregateMultiTenancyIsolation',
            host('a', filter_tenant_id2='else'), free,
        )
        self.rejects(
            'kept for other flavors by aggregate agg-a (instance_type=big)',
            'AggregateTypeAffinityFilter', host('a', instance_type='big'),
            free,
        )
        self.image(hw_vm_mode='hvm', hw_cpu_cores=2)
        self.rejects(
            'image has hw_vm_mode=hvm, kept for others by aggregate agg-a '
            '(hw_vm_mode=xen)', 'AggregateImagePropertiesIsolation',
            host('a', hw_vm_mode='xen', hw_cpu_cores='2'), free,
        )
        self.request.flavor.extra_specs = {
            'aggregate_instance_extra_specs:ssd': 'true',
        }
        wants = 'ssd must be true in an aggregate'
        fast = host('fast', ssd='true')
        self.rejects(f'{wants} and is in none',
                     'AggregateInstanceExtraSpecsFilter', free, fast)
        self.rejects(f'{wants} and is no, old',
                     'AggregateInstanceExtraSpecsFilter',
                     host('a', ssd='old, no'), fast)

    def test_several_reasons(self):
        """A filter that rejects a host for two parts of the request."""
        slow = novas.host_state('slow', aggregates=[
            novas.aggregate('a', ssd='no', gpu='false')
        ])
        fast = novas.host_state('fast', aggregates=[
            novas.aggregate('b', ssd='true', gpu='true')
        ])
        half = novas.host_state('half', aggregates=[
            novas.aggregate('c', ssd='true')
        ])
        scope = 'aggregate_instance_extra_specs:'
        self.request.flavor.extra_specs = {
            f'{scope}ssd': 'true', f'{scope}gpu': 'true',
        }
        self.assertEqual({
            ('ssd must be true in an aggregate and gpu must be true in an '
             'aggregate (and is no; and is false)', 'slow'),
            ('gpu must be true in an aggregate and is in none', 'half'),
        }, set(self.why(
            'AggregateInstanceExtraSpecsFilter', slow, half, fast
        )))

    def test_longer_names(self):
        """Metadata whose name is longer is a reason for projects alone."""
        def host(*aggregates):
            return novas.host_state('a', aggregates=[
                novas.aggregate(f'agg-{number}', **metadata)
                for number, metadata in enumerate(aggregates)
            ])

        free = novas.host_state('free')
        self.image(os_distro='debian')
        self.request.flavor.extra_specs = {
            'aggregate_instance_extra_specs:ssd': 'true',
        }
        fast = novas.host_state(
            'fast', aggregates=[novas.aggregate('fast', ssd='true')]
        )
        for filter_name, others, rejecting, longer, why in (
            ('AggregateTypeAffinityFilter', free,
             {'instance_type': 'big'}, {'instance_type_doc': 'big ones'},
             'kept for other flavors by aggregate agg-1 (instance_type=big)'),
            ('AggregateImagePropertiesIsolation', free,
             {'os_distro': 'rhel'}, {'os_distro_note': 'paid for'},
             'image has os_distro=debian, kept for others by aggregate agg-1 '
             '(os_distro=rhel)'),
            ('AggregateInstanceExtraSpecsFilter', fast,
             {'ssd': 'no'}, {'ssd_note': 'true', 'old_ssd': 'true'},
             'ssd must be true in an aggregate and is no'),
            ('AggregateMultiTenancyIsolation', free,
             {'filter_tenant_id': 'else'}, {'filter_tenant_id_note': 'more'},
             'kept for other projects by aggregate agg-0 '
             '(filter_tenant_id_note=more), agg-1 (filter_tenant_id=else)'),
        ):
            self.rejects(
                why, filter_name, host(longer, rejecting, longer)
                if filter_name != 'AggregateMultiTenancyIsolation'
                else host(longer, rejecting), others,
            )

    def group(self, policy, members=(), hosts=(), **rules):
        """Ask for a server of a group."""
        self.request.instance_group = objects.InstanceGroup(
            uuid=novas.uuid_of('group'), policy=policy, policies=[policy],
            members=[novas.uuid_of(member) for member in members],
            hosts=list(hosts), rules=rules,
        )

    def test_server_groups(self):
        """Which member is where."""
        busy = novas.host_state('busy', servers=['a', 'b', 'x'])
        free = novas.host_state('free', servers=['y'])
        self.group('anti-affinity', ['a', 'b', 'c'], max_server_per_host=2)
        a, b = sorted(map(novas.uuid_of, 'ab'))
        self.rejects(
            f'anti-affinity group may have 2 there and has {a}, {b}',
            'ServerGroupAntiAffinityFilter', busy, free,
        )
        self.group('affinity', ['a', 'b', 'c'], ['busy', 'unseen'])
        self.rejects(
            f'affinity group is not there but on busy ({a} and 1 more), '
            f'unseen', 'ServerGroupAffinityFilter', free, busy,
        )

    def test_hints(self):
        """Servers, an address or a query that a hint names."""
        busy = novas.host_state('busy', servers=['a'], host_ip='192.0.2.1')
        free = novas.host_state('free', host_ip='198.51.100.1')
        a = novas.uuid_of('a')
        for hints, filter_name, why, host, other in (
            ({'different_host': [a]}, 'DifferentHostFilter',
             f'has a server of different_host {a}', busy, free),
            ({'same_host': [a]}, 'SameHostFilter',
             f'same_host: has none of {a}', free, busy),
            ({'build_near_host_ip': ['192.0.2.9'], 'cidr': ['/25']},
             'SimpleCIDRAffinityFilter',
             'address must be in 192.0.2.9/25 and is 198.51.100.1',
             free, busy),
            ({'query': ['["=", "$host", "busy"]']}, 'JsonFilter',
             'hint query does not match in ["=", "$host", "busy"]: $host is '
             'free', free, busy),
            ({'query': ['["and", [">=", "$total_usable_ram_mb", 1], '
                        '["in", "$host", "busy", "none"], '
                        '["or", ["=", "$host_ip", "x"], [">", 2, 1]]]']},
             'JsonFilter',
             'hint query does not match in ["in", "$host", "busy", "none"]: '
             '$host is free', free, busy),
        ):
            self.request.scheduler_hints = hints
            self.rejects(why, filter_name, host, other)

    def test_limits(self):
        """How many there may be, and how many there are."""
        self.flags(
            group='filter_scheduler', max_io_ops_per_host=3,
            max_instances_per_host=9,
        )
        full = novas.host_state(
            'full', stats={'io_workload': '3', 'num_instances': '9'}
        )
        for prefix in ('', 'Aggregate'):
            self.rejects('may have less than 3 I/O operations and has 3',
                         f'{prefix}IoOpsFilter', full,
                         novas.host_state('free'))
            self.rejects('may have 9 servers and has 9',
                         f'{prefix}NumInstancesFilter', full,
                         novas.host_state('free'))
        for name, key, wants in (
            ('NumInstances', 'max_instances_per_host', 'may have 5 servers'),
            ('IoOps', 'max_io_ops_per_host',
             'may have less than 5 I/O operations'),
        ):
            limits = [{key: '7'}, {key: '5'}, {f'{key}_note': '1'}]
            strict, lax = (
                novas.host_state(
                    host,
                    stats={'io_workload': '6', 'num_instances': '6'},
                    aggregates=[
                        novas.aggregate(f'a{n}', **limit)
                        for n, limit in enumerate(aggregates)
                    ],
                ) for host, aggregates in (
                    ('strict', limits), ('lax', [{key: '7'}, limits[2]]),
                )
            )
            self.rejects(f'{wants} and has 6', f'Aggregate{name}Filter',
                         strict, lax)
            # Without "Aggregate" no metadata is read.
            self.flags(group='filter_scheduler', **{key: 5})
            self.rejects(f'{wants} and has 6', f'{name}Filter', lax)

    def test_metrics(self):
        """The metric that the host lacks."""
        self.flags(weight_setting=['heat=1.0', 'noise=1.0'], group='metrics')
        self.rejects('reports no metric heat, noise', 'MetricsFilter',
                     novas.host_state('dumb'))
        decision = self.decide('MetricsFilter', novas.host_state('dumb'))
        self.assertIn(
            ': 1 reports no metric (MetricsFilter)',
            explain.explain(decision, hosts=False).sentence,
        )

    def test_numa(self):
        """No topology, no threads, or cells that are too small."""
        self.request.numa_topology = objects.InstanceNUMATopology(cells=[
            objects.InstanceNUMACell(
                id=0, cpuset=set(), pcpuset={0, 1}, memory=512,
                cpu_policy='dedicated',
            ),
        ])
        self.rejects('reports no NUMA topology', 'NUMATopologyFilter',
                     novas.host_state('flat'))
        small = self.with_cell('small', cpus=1)
        self.rejects(
            'NUMA cells do not fit: 2 CPUs with 512 MB into cells 0: 1 free '
            'of 1 for pinning, 1024 MB', 'NUMATopologyFilter', small,
        )
        self.request.flavor.extra_specs = {
            'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require',
        }
        self.rejects('has no hardware threads, which are required',
                     'NUMATopologyFilter', self.with_cell('old', cpus=4))

    def test_page_sizes(self):
        """Pages of a size that no cell has, or of which too few are free."""
        self.request.numa_topology = objects.InstanceNUMATopology(cells=[
            objects.InstanceNUMACell(
                id=0, cpuset={0}, pcpuset=set(), memory=512, pagesize=2048,
            ),
        ])
        small = self.with_cell('small', cpus=4)
        (cell,) = small.numa_topology.cells
        cell.cpuset = cell.pcpuset
        cell.mempages = [objects.NUMAPagesTopology(
            size_kb=4, total=262144, used=0, reserved=0,
        )]
        self.rejects('has no memory pages of 2048 KiB', 'NUMATopologyFilter',
                     small)
        cell.mempages.append(objects.NUMAPagesTopology(
            size_kb=2048, total=300, used=100, reserved=50,
        ))
        self.rejects(
            'NUMA cells do not fit: 1 CPUs with 512 MB in pages of 2048 KiB '
            'into cells 0: 4 free of 4 for pinning, 1024 MB, 300 MB in free '
            'pages of 2048 KiB', 'NUMATopologyFilter', small,
        )

    def with_cell(self, name, cpus):
        """A host with one NUMA cell, and a candidate of placement's."""
        host = novas.host_state(name)
        host.numa_topology = objects.NUMATopology(cells=[objects.NUMACell(
            id=0, socket=0, cpuset=set(), pcpuset=set(range(cpus)),
            memory=1024, cpu_usage=0, memory_usage=0, pinned_cpus=set(),
            siblings=[{cpu} for cpu in range(cpus)], mempages=[],
        )])
        host.allocation_candidates = [{'mappings': {}}]
        return host

    def test_pci(self):
        """What was wanted and what is left."""
        self.request.pci_requests = objects.InstancePCIRequests(requests=[
            objects.InstancePCIRequest(
                alias_name='gpu', count=2,
                spec=[{'vendor_id': '10de', 'product_id': '1eb8'}],
            ),
        ])
        host = novas.host_state('host')
        host.allocation_candidates = [{'mappings': {}}]
        self.rejects('PCI devices wanted: 2 of gpu and has none free',
                     'PciPassthroughFilter', host)
        host.pci_stats.pools = [{
            'vendor_id': '10de', 'product_id': '1eb8', 'numa_node': 0,
            'dev_type': 'type-PCI', 'count': 1,
        }]
        self.rejects('PCI devices wanted: 2 of gpu and has 1 of 10de:1eb8 '
                     'free', 'PciPassthroughFilter', host)

    def test_raising(self):
        """One that raises is logged once, and decides nothing."""
        hosts = [
            novas.host_state(f'h{n}', service={'disabled': True})
            for n in range(5)
        ] + [novas.host_state('up')]
        for host in hosts:
            host.service.data['disabled_reason'] = 7
        decision = self.decide('ComputeFilter', *hosts)
        (step,) = decision.attempts[0].steps
        self.assertEqual((6, 1), (step.hosts_in, step.hosts_out))
        self.assertEqual(
            [('', 5)], [(r.reason, r.count) for r in step.rejections]
        )
        self.assertEqual(
            1, self.stdlog.logger.output.count('its decision stands')
        )

    def test_many_hosts(self):
        """However many were rejected, each has its reason."""
        service = {'disabled': True}
        self.request.scheduler_hints = {'different_host': [novas.uuid_of('a')]}
        hosts = [
            novas.host_state(f'h{n}', service=service, servers=['a'])
            for n in range(1200)
        ]
        for filter_name, reason in (
            ('ComputeFilter', 'disabled'),
            ('DifferentHostFilter', 'has a server of different_host'),
        ):
            (step,) = self.decide(filter_name, *hosts).attempts[0].steps
            self.assertEqual(
                [(reason, len(hosts))],
                [(each.reason, each.count) for each in step.rejections],
            )

    def test_as_the_filter_saw_it(self):
        """What requests share is looked at before it changes."""
        host = novas.host_state('a', servers=['a', 'b'])
        self.group('anti-affinity', ['a', 'c'])
        filter_ = affinity_filter.ServerGroupAntiAffinityFilter()
        tell = explainers.find_explainer(filter_, self.request, [host])([host])
        host.instances.clear()
        self.assertEqual([(
            'anti-affinity group may have 1 there',
            f'and has {novas.uuid_of("a")}',
        )], list(tell()))


class SeveralServersTest(base.CloudTestCase):
    """Servers of one request, which fill hosts up."""

    hosts = ('cmp-1', 'cmp-2')
    enabled_filters = ('NumInstancesFilter',)

    def configure(self):
        """One server a host."""
        self.flags(group='filter_scheduler', max_instances_per_host=1)

    def test_told_later(self):
        """Each host's reason is that of the server for which it went."""
        self.boot_many(3, expected_state='ERROR')
        (decision,) = self.decisions()
        self.assertEqual([0, 1, 1], [
            sum(rejection.count for rejection in step.rejections)
            for attempt in decision.attempts for step in attempt.steps
        ])
        for attempt in decision.attempts:
            for step in attempt.steps:
                for rejection in step.rejections:
                    self.assertEqual(
                        {'and has 1'}, set(rejection.details.values())
                    )
