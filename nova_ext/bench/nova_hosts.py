"""Make Nova's own hosts, request, filters and weighers for a bench."""

import datetime
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import nova.conf
from nova import context as nova_context
from nova import objects
from nova.scheduler import filters as nova_filters
from nova.scheduler import host_manager
from nova.scheduler import weights as nova_weights
from oslo_utils import uuidutils

from nova_ext.bench.plugin import Plugin
from nova_ext.bench.timing import Ask, Contender
from nova_ext.core.base import errors
from nova_ext.core.extension import Extension
from nova_ext.scheduler.plugins import traced
from nova_ext.scheduler.plugins.adapter import Adapter
from nova_ext.scheduler.plugins.filter_adapter import FilterAdapter
from nova_ext.scheduler.plugins.weigher_adapter import WeigherAdapter

_CELL = '00000000-0000-0000-0000-00000000ce11'


def prepare() -> None:
    """Configure Nova with its defaults, in this process."""
    nova.conf.CONF([], project='nova', default_config_files=[])
    objects.register_all()


def make_hosts(count: int) -> list[Any]:
    """Return Nova's host states of compute nodes that differ."""
    dice = random.Random(0)  # noqa: S311  no secret
    aggregates = [
        objects.Aggregate(
            id=n, name=f'aggregate-{n}', metadata={'rack': str(n)}, hosts=[]
        )
        for n in range(10)
    ]
    return [_make_host(f'cmp-{n}', dice, aggregates) for n in range(count)]


def make_request(
    hints: Mapping[str, list[str]], extra_specs: Mapping[str, str]
) -> Any:
    """Return a request spec to boot one small server, as nova-api makes it."""
    spec = objects.RequestSpec.from_components(
        make_context(), uuidutils.generate_uuid(),
        objects.ImageMeta(properties=objects.ImageMetaProps()),
        objects.Flavor(
            name='m1.small', flavorid='2', vcpus=1, memory_mb=2048,
            root_gb=20, ephemeral_gb=0, swap=0,
            extra_specs=dict(extra_specs),
        ),
        None, None, {'scheduler_hints': dict(hints)}, None, None,
    )
    spec.request_id = None
    return spec


def make_context() -> Any:
    """Return a request's context."""
    return nova_context.RequestContext('user', 'project')


def as_loaded(plugin: Plugin, spec: Any) -> Contender:
    """Return a filter or weigher as nova-scheduler loads and calls it."""
    adapter: type[Adapter]
    if plugin.kind == 'filter':
        adapter, trace_class = FilterAdapter, traced.trace_filter_class
    else:
        adapter, trace_class = WeigherAdapter, traced.trace_weigher_class
    adapted = trace_class(adapter.adapt(plugin.cls))()
    if issubclass(plugin.cls, Extension):
        # Its facts come from no database.
        adapted.plugin = plugin.start()
    return _contender(plugin.kind, adapted, spec)


def load_rivals(
    kind: str, names: Sequence[str], spec: Any
) -> list[Contender]:
    """Return Nova's own filters or weighers, to measure against.

    They are traced as ours are, which costs little where nothing is recorded.

    :param kind: ``filter``; weighers are compared with weighers and drivers.
    :param names: class names; none: those that Nova uses by default.
    :raises NovaExtError: for a name that Nova does not have.
    """
    if kind == 'filter':
        every = {c.__name__: c for c in nova_filters.all_filters()}
        usual = nova.conf.CONF.filter_scheduler.enabled_filters
        adapt: Callable[[Any], Any] = traced.trace_filter_class
    else:
        kind = 'weigher'
        every = {c.__name__: c for c in nova_weights.all_weighers()}
        usual = list(every)
        adapt = traced.trace_weigher_class
    for name in names:
        if name not in every:
            raise errors.NovaExtError(
                f'--against {name}: Nova has no such {kind}; '
                f'{errors.suggest_names(name, every)}'
            )
    return [
        _contender(kind, adapt(every[name])(), spec)
        for name in names or usual
    ]


def _contender(kind: str, plugin: Any, spec: Any) -> Contender:
    def asking(hosts: list[Any]) -> Ask:
        if kind == 'filter':
            return lambda: list(plugin.filter_all(hosts, spec))
        weighed = [nova_weights.WeighedHost(host, 0.0) for host in hosts]
        return lambda: plugin.weigh_objects(weighed, spec)

    return Contender(type(plugin).__name__, asking)


def _make_host(
    name: str, dice: random.Random, aggregates: Sequence[Any]
) -> Any:
    now = datetime.datetime.now(datetime.UTC)
    servers, ram_mb, disk_gb = (
        dice.randrange(50), dice.randrange(16384), dice.randrange(100)
    )
    node = objects.ComputeNode(
        uuid=uuidutils.generate_uuid(), host=name, hypervisor_hostname=name,
        hypervisor_type='QEMU', hypervisor_version=8000000,
        host_ip='127.0.0.1', cpu_info='{}', supported_hv_specs=[
            objects.HVSpec.from_list(['x86_64', 'kvm', 'hvm'])
        ],
        numa_topology=None, pci_device_pools=None, metrics='[]',
        stats={
            'num_instances': str(servers),
            'io_workload': str(dice.randrange(8)), 'failed_builds': '0',
        },
        memory_mb=16384, memory_mb_used=16384 - ram_mb, free_ram_mb=ram_mb,
        local_gb=100, local_gb_used=100 - disk_gb, free_disk_gb=disk_gb,
        disk_available_least=None, vcpus=8, vcpus_used=dice.randrange(8),
        cpu_allocation_ratio=4.0, ram_allocation_ratio=1.0,
        disk_allocation_ratio=1.0, current_workload=0, running_vms=servers,
        updated_at=now,
    )
    service = {
        'host': name, 'binary': 'nova-compute', 'topic': 'compute',
        'disabled': False, 'last_seen_up': now, 'created_at': now,
    }
    state = host_manager.HostState(name, name, _CELL)
    state.update(
        compute=node, service=service, inst_dict={},
        aggregates=dice.sample(aggregates, 2),
    )
    return state
