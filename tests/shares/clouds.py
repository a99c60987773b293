"""Ask a cloud on Nova's fixtures for a mix of requests."""

import json
import sys
from collections import Counter
from pathlib import Path

import fixtures
import yaml
from nova import objects
from nova.virt import fake
from prometheus_client import CollectorRegistry

from nova_ext.core.decision.fallback import format_fallback
from nova_ext.core.explanation.explain import explain
from nova_ext.metrics.exporter import DecisionMetrics
from nova_ext.record import reader
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.mirror.hosts import servers as mirror_servers
from tests.functional import base
from tests.functional.mirrored import RefreshedByTests
from tests.shares.deployers import Deployer

#: Of each deployer's requests, so many percent may be left to Nova.
MOST_PERCENT = 20
MIX = yaml.safe_load(Path(__file__).with_name('mix.yaml').read_text())

_GPU = {'vendor_id': '10de', 'product_id': '1eb8'}
_NODES = (0, 1)


class HostDriver(fake.FakeDriver):
    """Have two NUMA nodes, processors to pin, and GPUs."""

    def get_available_resource(self, nodename):
        """Return them beside the rest."""
        return {
            **super().get_available_resource(nodename),
            'numa_topology': objects.NUMATopology(cells=[
                objects.NUMACell(
                    id=node, memory=self.memory_mb // 2, socket=0,
                    cpuset=set(range(32 * node, 32 * node + 24)),
                    pcpuset=set(range(32 * node + 24, 32 * node + 32)),
                    cpu_usage=0, memory_usage=0, pinned_cpus=set(),
                    siblings=[
                        {cpu} for cpu in range(32 * node, 32 * node + 32)
                    ], mempages=[objects.NUMAPagesTopology(
                        size_kb=4, total=self.memory_mb // 2 * 256, used=0,
                    )],
                ) for node in _NODES
            ])._to_json(),
            'pci_passthrough_devices': json.dumps([
                {
                    **_GPU, 'address': f'0000:81:0{number}.0',
                    'status': 'available', 'dev_type': 'type-PCI',
                    'parent_addr': None, 'numa_node': 0, 'label': 'gpu',
                } for number in range(8)
            ]),
        }

    def update_provider_tree(self, provider_tree, nodename, allocations=None):
        """Tell placement of the processors."""
        super().update_provider_tree(provider_tree, nodename, allocations)
        inventory = dict(provider_tree.data(nodename).inventory)
        inventory['PCPU'] = {
            'total': 16, 'min_unit': 1, 'max_unit': 16, 'step_size': 1,
            'reserved': 0, 'allocation_ratio': 1.0,
        }
        provider_tree.update_inventory(nodename, inventory)
        # An image's metadata may ask for it.
        provider_tree.add_traits(nodename, 'HW_ARCH_X86_64')


class ShareCase(base.CloudTestCase):
    """Boot and move servers, and count what the mirror left to Nova."""

    hosts = ('cmp-1', 'cmp-2', 'cmp-3', 'cmp-4')
    compute_driver = 'fake.HostDriver'
    weight_classes = (base.STOCK_WEIGHERS,)
    microversion = '2.96'
    deployer: Deployer

    def configure(self):
        """Configure as the deployer does."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova.virt.fake.HostDriver', HostDriver
        ))
        # The mirror is refreshed before each request.
        self.useFixture(RefreshedByTests())
        if not self.deployer.filter_options.get(
            'track_instance_changes', True
        ):
            # As in a large cloud; few hosts' servers the mirror would read.
            self.useFixture(fixtures.MockPatchObject(
                mirror_servers, 'MAX_READ', 0
            ))
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
        )
        self.flags(group='quota', instances=-1, cores=-1, ram=-1)
        self.flags(
            group='pci', device_spec=[json.dumps(_GPU)],
            alias=[json.dumps(
                {**_GPU, 'name': 'gpu', 'device_type': 'type-PCI'}
            )],
        )
        self.flags(group='filter_scheduler', **{
            'available_filters': [base.STOCK_FILTERS],
            'enabled_filters': list(self.deployer.enabled_filters),
            **self.deployer.filter_options,
        })
        self.flags(group='scheduler', **self.deployer.scheduler_options)
        for group, options in self.deployer.other_options.items():
            self.flags(group=group, **options)

    def runTest(self):  # noqa: N802  unittest's name
        """Ask, count, and compare metrics and explain with it."""
        self.make_aggregates()
        answers = [
            (kind, request['percent'], self.ask(request))
            for kind, requests in MIX.items() for request in requests
        ]
        left = Counter()
        for kind, percent, decision in answers:
            if decision.mirror.fallback:
                left[kind, decision.mirror.fallback] += percent
        print(f'{self.deployer.name}: {left.total()} % of requests left to '
              'Nova')
        for (kind, reason), percent in left.items():
            print(f'{percent:4} %, {kind}: {reason}')
        sys.stdout.flush()
        self.check_record([decision for _, _, decision in answers])
        self.assertLessEqual(left.total(), MOST_PERCENT)

    def check_record(self, decisions):
        """Check that each fallback is counted, and explained."""
        registry = CollectorRegistry()
        exporter = DecisionMetrics(registry)
        asked = {decision.request_id for decision in decisions}
        for line in self.record.read_bytes().splitlines():
            if json.loads(line).get('request_id') in asked:
                exporter.add(line)
        reasons = Counter(
            decision.mirror.fallback for decision in decisions
            if decision.mirror.fallback
        )
        self.assertEqual(reasons, {
            reason: registry.get_sample_value(
                'nova_ext_mirror_fallbacks_total', {'reason': reason}
            ) for reason in reasons
        })
        for decision in decisions:
            check = decision.mirror
            reason = check.fallback and format_fallback(
                check.fallback, check.detail
            )
            self.assertIn(
                f'decided by Nova, and not from the mirror: {reason}'
                if reason else 'decided from the mirror, ',
                '\n'.join(explain(decision).notes),
            )

    def make_aggregates(self):
        """Make a zone, hosts with SSD, and the deployer's own aggregates."""
        for name, (metadata, hosts) in {
            'east': ({'availability_zone': 'east'}, ('cmp-1', 'cmp-2')),
            'fast': ({'ssd': 'true'}, self.hosts[:3]),
            **self.deployer.aggregates,
        }.items():
            aggregate = self.admin_api.post_aggregate({'aggregate': {
                'name': name,
                'availability_zone': metadata.get('availability_zone'),
            }})
            values = {
                key: self.api.project_id if value == 'PROJECT' else value
                for key, value in metadata.items()
                if key != 'availability_zone'
            }
            if values:
                self.admin_api.post_aggregate_action(aggregate['id'], {
                    'set_metadata': {'metadata': values},
                })
            for host in hosts:
                self.add_to_aggregate(aggregate['id'], host)

    def ask(self, request):
        """Make a request, and return the decision on it."""
        body = self.from_volume() if request.get('volume') else {}
        body['flavorRef'] = self.make_flavor(request.get('extra_specs', {}))
        for key, name in (('zone', 'availability_zone'), ('host', 'host')):
            if key in request:
                body[name] = request[key]
        hints = {}
        if 'group' in request:
            hints['group'] = self.api.post_server_groups({
                'name': 'group', 'policy': request['group'],
            })['id']
        move = request.get('move')
        if move:
            server = self.boot(hints, self.admin_api, **body)
            self.scheduler._mirror.refresh()
            if move == 'resize':
                self._resize_server(server, self.make_flavor({}, vcpus=2))
            else:
                self._migrate_server(server)
        else:
            self.scheduler._mirror.refresh()
            server = self.boot_many(
                request.get('servers', 1), hints, self.admin_api, **body
            )[0]
        self.assertTrue(recorder.get().flush(60))
        decision = reader.find(self.record, server['id']).decisions[0]
        if request.get('volume'):  # there is but one
            self._delete_server(server)
        return decision

    def make_flavor(self, extra_specs, vcpus=1):
        """Return the id of a new flavor."""
        return self._create_flavor(
            memory_mb=1024, vcpu=vcpus * 2, disk=10,
            extra_spec=extra_specs,
        )
