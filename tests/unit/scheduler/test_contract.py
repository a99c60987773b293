"""Compare Nova's objects and our doubles with the plugin contract."""

import functools
import inspect
import json

from nova import context as nova_context
from nova import objects
from nova.scheduler import host_manager, manager

from nova_ext import plugin, testing
from nova_ext.core.request import model
from nova_ext.core.stats import stats
from nova_ext.scheduler.base import missing_names
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.manager import SchedulerManager
from tests.unit import forked
from tests.unit.scheduler import configured, overridden


def names(protocol):
    """Return the names that a protocol declares."""
    return {
        name for name, value in vars(protocol).items()
        if (isinstance(value, property) or inspect.isfunction(value))
        and not name.startswith('_')
    }


class ContractTest(configured.ConfiguredTestCase):
    """Test that real objects and our doubles have every name."""

    def setUp(self):
        """Register Nova's objects."""
        super().setUp()
        objects.register_all()

    def assert_carries(self, thing, protocol):
        """Read every name."""
        promised = names(protocol)
        self.assertTrue(promised)
        for name in promised:
            getattr(thing, name)

    def test_host_state(self):
        """Make a host state from a compute node."""
        node = objects.ComputeNode(
            uuid='00000000-0000-0000-0000-000000000001', host='cmp-1',
            hypervisor_hostname='cmp-1', hypervisor_type='fake',
            hypervisor_version=1, host_ip='127.0.0.1', cpu_info='{}',
            supported_hv_specs=[], numa_topology=None, stats={},
            pci_device_pools=None, metrics='[]', memory_mb=1024,
            memory_mb_used=512, free_ram_mb=512, local_gb=10,
            local_gb_used=0, free_disk_gb=10, disk_available_least=None,
            vcpus=4, vcpus_used=0, cpu_allocation_ratio=4.0,
            ram_allocation_ratio=1.0, disk_allocation_ratio=1.0,
            current_workload=0, running_vms=0, updated_at=None,
        )
        state = host_manager.HostState(node.host, node.hypervisor_hostname,
                                       '00000000-0000-0000-0000-00000000ce11')
        state.update(compute=node)
        self.assert_carries(state, model.HostState)
        self.assertEqual(node.free_ram_mb, state.free_ram_mb)
        self.assert_carries(testing.make_host(), model.HostState)

    def test_columns(self):
        """There is a column of each name of a host state, and of no other."""
        self.assertEqual(
            names(model.HostState), set(model.Columns.__annotations__)
        )

    def test_request_spec(self):
        """Make a request spec as nova-api does."""
        context = nova_context.RequestContext('u', 'p')
        spec = objects.RequestSpec.from_components(
            context, '00000000-0000-0000-0000-0000000000aa',
            objects.ImageMeta(properties=objects.ImageMetaProps()),
            objects.Flavor(
                name='m1.tiny', vcpus=1, memory_mb=512, root_gb=1,
                ephemeral_gb=0, swap=0, extra_specs={},
            ),
            None, None, {'scheduler_hints': {'h': ['x']}}, None, None,
            project_id='p', user_id='u',
        )
        spec.num_instances = 1
        self.assert_carries(spec, model.RequestSpec)
        self.assertEqual('x', spec.get_scheduler_hint('h'))
        self.assertIn('scheduler_hints', spec)
        self.assertNotIn('no_such_field', spec)
        self.assert_carries(spec.flavor, model.Flavor)
        request = testing.make_request()
        self.assert_carries(request, model.RequestSpec)
        self.assert_carries(request.flavor, model.Flavor)

    def test_destination(self):
        """Test unset fields with ``in``."""
        for destination in (
            objects.Destination(), testing.FakeDestination()
        ):
            self.assertNotIn('host', destination)
        for destination in (
            objects.Destination(host='h', cell=None),
            testing.FakeDestination(host='h'),
        ):
            self.assertIn('host', destination)
            self.assert_carries(destination, model.Destination)

    def test_context(self):
        """Make a request's context."""
        self.assert_carries(
            nova_context.RequestContext('u', 'p'), model.RequestContext
        )
        self.assert_carries(testing.make_context(), model.RequestContext)


    def test_facts(self):
        """Compare the methods of facts, and their parameters."""
        promised = names(plugin.Facts)
        self.assertTrue(promised)
        for cls in (nova_facts.NovaFacts, testing.FakeFacts):
            for name in promised:
                self.assertEqual(
                    list(inspect.signature(
                        getattr(plugin.Facts, name)).parameters),
                    list(inspect.signature(getattr(cls, name)).parameters),
                )


    def test_stats(self):
        """Find every field that may be pushed in a compute node."""
        self.assertEqual(
            set(), stats.FIELDS - set(objects.ComputeNode.fields)
        )


@functools.cache
def list_overridden():
    """Return the names of Nova's manager that each class overrides."""
    printed = forked.run(forked.module(overridden.__name__), check=True).stdout
    return {path: set(names) for path, names in json.loads(printed).items()}


class ManagerTest(configured.ConfiguredTestCase):
    """Test that few of Nova's methods are overridden."""

    def test_overrides(self):
        """Override exactly these names, in exactly these classes."""
        later = {'graceful_shutdown'} - set(dir(manager.SchedulerManager))
        found = dict(list_overridden())
        found['nova_ext.scheduler.manager.SchedulerManager'] |= later
        self.assertEqual({
            'nova_ext.scheduler.cycle.nova_decider.NovaDecider': {
                '__init__', 'placement_client', 'select_destinations',
                '_select_destinations', '_schedule', '_get_all_host_states',
                '_get_sorted_hosts', '_ensure_sufficient_hosts',
                '_cleanup_allocations',
            },
            'nova_ext.scheduler.manager.SchedulerManager': {
                '__init__', 'init_host', 'select_destinations',
                'update_aggregates', 'delete_aggregate', 'post_start_hook',
                'graceful_shutdown',  # came with Nova 33
                'cleanup_host', 'update_instance_info',
                'delete_instance_info', 'sync_instance_info',
            },
        }, found)

    def test_select_destinations_takes_novas_arguments(self):
        """Take the same parameters in the same order."""
        ours, novas = (
            missing_names.list_parameters(cls.select_destinations)
            for cls in (SchedulerManager, manager.SchedulerManager)
        )
        self.assertIn('spec_obj', novas)
        self.assertEqual(novas, ours)
