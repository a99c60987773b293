"""Ask Nova's plugins, and others."""

from unittest import mock

import numpy as np
from nova import objects
from nova.scheduler import filters, host_manager, weights
from nova.scheduler.filters import (
    compute_filter,
    image_props_filter,
    numa_topology_filter,
)
from nova.servicegroup.drivers import db, mc

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.engine.filtering import (
    AskOfClasses,
    AskOfEach,
    AskOnce,
    ask_marked,
)
from nova_ext.engine.host_columns import Readers
from nova_ext.engine.host_table import HostTable
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.mirror.plugins import nova_plugins, service_state
from tests.unit.scheduler import configured


class PluginTest(configured.ConfiguredTestCase):
    """Ask about two hosts."""

    def setUp(self):
        """Make a request and two hosts."""
        super().setUp()
        objects.register_all()
        table = HostTable(Readers(host_key))
        for host in ('h1', 'h2'):
            table.put(host_manager.HostState(host, host, 'cell'))
        self.columns = table.freeze()
        self.spec = objects.RequestSpec(
            flavor=objects.Flavor(extra_specs={}), numa_topology=None,
            scheduler_hints={},
            image=objects.ImageMeta(properties=objects.ImageMetaProps()),
        )

    def test_filter_that_changes_hosts(self):
        """A filter of another package that writes to hosts is named."""
        (asked,) = nova_plugins.make_filters([_Spoiler()], self.spec, 0)
        self.assert_named('_Spoiler', asked.judge)

    def test_weigher_that_changes_hosts(self):
        """A weigher of another package that writes to hosts is named."""
        (asked,) = nova_plugins.make_weighers([_SpoilingWeigher()], self.spec)
        self.assert_named('_SpoilingWeigher', asked.weigh)

    def test_writable(self):
        """Nova's own filters write limits and candidates; others may."""
        class Limiting(filters.BaseHostFilter):
            def host_passes(self, host, spec):
                host.limits['vcpu'] = 1
                host.allocation_candidates = []
                return host.host == 'h2'

        mask = self.make(Limiting()).judge(self.columns, np.arange(2))
        self.assertEqual([False, True], mask.tolist())
        self.assert_unspoiled()

    def test_request_that_is_changed(self):
        """A filter that writes a hint or an extra spec is named."""
        for write in (
            lambda spec: spec.scheduler_hints.update(rack=['1']),
            lambda spec: spec.flavor.extra_specs.update(rack='1'),
            lambda spec: setattr(spec, 'scheduler_hints', {'rack': ['1']}),
        ):
            class Writing(filters.BaseHostFilter):
                def host_passes(self, host, spec, write=write):
                    write(spec)
                    return True

            self.assert_named('Writing', self.make(Writing()).judge)
            self.assertEqual({}, self.spec.scheduler_hints)
            self.assertEqual({}, self.spec.flavor.extra_specs)

    def test_irregular_filter(self):
        """A filter that returns a host twice, or one of its own, is named."""
        for add in (
            lambda hosts: hosts[:1],
            lambda hosts: [host_manager.HostState('h3', 'h3', 'cell')],
        ):
            class Irregular(filters.BaseHostFilter):
                def filter_all(self, hosts, spec, add=add):
                    return [*hosts, *add(list(hosts))]

            self.assert_named(
                'Irregular', self.make(Irregular()).judge,
                Fallback.IRREGULAR_FILTER,
            )

    def assert_named(self, name, ask, fallback=Fallback.WRITING_PLUGIN):
        """A plugin that writes is named, and nothing that is shared has it."""
        error = self.assertRaises(
            FallbackError, ask, self.columns, np.arange(2)
        )
        self.assertEqual(
            (fallback, name), (error.fallback, error.detail)
        )
        self.assert_unspoiled()

    def test_in_novas_folder(self):
        """One that was put beside Nova's own gets hosts of its own, too."""
        _Spoiler.__module__ = 'nova.scheduler.filters.spoiler'
        self.addCleanup(setattr, _Spoiler, '__module__', __name__)
        self.test_filter_that_changes_hosts()

    def test_unfit(self):
        """A filter of others that chooses among candidates is named."""
        class Choosy(filters.CandidateFilterMixin, filters.BaseHostFilter):
            pass

        own = [cls() for cls in filters.all_filters()]
        nova_plugins.check_filters(own)
        error = self.assertRaises(
            FallbackError, nova_plugins.check_filters, [*own, Choosy()]
        )
        self.assertEqual(
            (Fallback.CANDIDATE_FILTER, 'Choosy'),
            (error.fallback, error.detail),
        )

    def test_heartbeats(self):
        """Services that report elsewhere are asked about each by itself."""
        # The drivers have connections, which deciding how to ask needs not.
        for driver, expected in (
            (db.DbDriver, service_state.ServiceFilter),
            (mc.MemcachedDriver, AskOfEach),
        ):
            asked = object.__new__(compute_filter.ComputeFilter)
            asked.servicegroup_api = mock.Mock(_driver=object.__new__(driver))
            (made,) = nova_plugins.make_filters([asked], self.spec, 0)
            self.assertIs(expected, type(made))

    def test_server_that_comes(self):
        """The host that is asked about for others may get a server."""
        marks = iter([False, False, True, False])
        asked = []

        def ask(state):
            asked.append(state.host)
            return state.host == 'h2'

        passed = ask_marked(
            ask, lambda state: next(marks), self.columns, np.arange(2)
        )
        self.assertEqual([False, True], passed.tolist())
        self.assertEqual(['h1', 'h2', 'h1'], asked)

    def assert_unspoiled(self):
        """The shared states are as they were."""
        for state in self.columns.states:
            self.assertEqual(0, state.free_ram_mb)
            self.assertEqual({}, state.instances)

    def test_policy_of_the_image(self):
        """An image that asks for processors is judged host by host."""
        self.assertIsInstance(self.ask_of_topology(), AskOnce)
        self.spec.image.properties.hw_cpu_policy = 'dedicated'
        self.assertIsInstance(self.ask_of_topology(), AskOfEach)

    def test_policy_of_the_flavor(self):
        """A flavor is, for a policy, and not for the processor's looks."""
        self.spec.flavor.extra_specs = {'hw:cpu_sockets': '2'}
        self.assertIsInstance(self.ask_of_topology(), AskOnce)
        for policy in 'hw:cpu_policy', 'hw:cpu_thread_policy':
            self.spec.flavor.extra_specs = {policy: 'require'}
            self.assertIsInstance(self.ask_of_topology(), AskOfEach)

    def test_image(self):
        """What hosts support is read where image or options want some."""
        for name, value in (
            ('hw_architecture', 'x86_64'), ('img_hv_type', 'kvm'),
            ('hw_vm_mode', 'hvm'),
        ):
            self.spec.image.properties = objects.ImageMetaProps()
            self.assertIsInstance(self.ask_of_image(), AskOnce)
            setattr(self.spec.image.properties, name, value)
            self.assertIsInstance(self.ask_of_image(), AskOfClasses)
        self.spec.image = None
        self.assertIsInstance(self.ask_of_image(), AskOnce)
        self.flags(
            'filter_scheduler', image_properties_default_architecture='x86_64'
        )
        self.assertIsInstance(self.ask_of_image(), AskOfClasses)

    def ask_of_image(self):
        """Return how Nova's filter of images is asked."""
        return self.make(image_props_filter.ImagePropertiesFilter())

    def ask_of_topology(self):
        """Return how Nova's filter of topologies is asked."""
        return self.make(numa_topology_filter.NUMATopologyFilter())

    def make(self, filter_):
        """Return how a filter is asked for this request."""
        (asked,) = nova_plugins.make_filters([filter_], self.spec, 0)
        return asked


class _Spoiler(filters.BaseHostFilter):
    """Change the hosts that are asked about; pass h2."""

    def host_passes(self, host, spec):
        host.free_ram_mb = 1
        host.instances['x'] = 1
        return host.host == 'h2'


class _SpoilingWeigher(weights.BaseHostWeigher):
    """Change the hosts that are asked about."""

    def _weigh_object(self, host, spec):
        host.free_ram_mb = 7
        return host.free_ram_mb
