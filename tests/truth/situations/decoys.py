"""Metadata of longer names, which filters do not read, beside what they do."""

from tests.truth.arrangements import Aggregate, Down, Image, Server, Trait
from tests.truth.ask import Boot, Flavor
from tests.truth.model import (
    ALL,
    PLACEMENT,
    Arrangement,
    Left,
    Situation,
    failed,
    others,
    placed,
)

#: Nothing of a decoy's name is said.
NO_DECOY = r'^(?!.*(?:decoy|_doc))'
SSD = {'aggregate_instance_extra_specs:ssd': 'true'}
DEBIAN = Image('debian', {'os_distro': 'debian', 'os_distro_doc': 'x'})


def _decoy(key: str, value: str, names: str = ALL) -> Arrangement:
    """Return an aggregate whose metadata has a longer name."""
    return Aggregate('decoy', names, {f'{key}_doc': value})


def _left(filter_: str, names: str, *causes: str) -> Left:
    return Left(filter_, names, (*causes, NO_DECOY))


SITUATIONS = [
    Situation(
        'other flavors\' aggregate', Boot(), placed(
            _left('AggregateTypeAffinityFilter', 'c1 c9', 'big')
        ), (
            Aggregate('big', 'c1 c9', {'instance_type': 'big.only'}),
            _decoy('instance_type', 'all'),
        ),
    ),
    Situation(
        'other flavors\' aggregate has all', Boot(), failed(
            _left('AggregateTypeAffinityFilter', ALL, 'big')
        ), (
            Aggregate('big', ALL, {'instance_type': 'big.only'}),
            _decoy('instance_type', 'all'),
        ),
    ),
    Situation('only a longer name of flavors', Boot(), placed(),
              (_decoy('instance_type', 'big.only'),)),
    Situation(
        'other images\' aggregate', Boot(image='debian'), placed(
            _left('AggregateImagePropertiesIsolation', 'c7', 'windows')
        ), (
            DEBIAN, Aggregate('windows', 'c7', {'os_distro': 'windows'}),
            _decoy('os_distro', 'windows'),
        ),
    ),
    Situation('only a longer name of images', Boot(image='debian'), placed(),
              (DEBIAN, _decoy('os_distro', 'windows'))),
    Situation(
        'an extra spec', Boot(Flavor(extra=SSD)), placed(
            _left('AggregateInstanceExtraSpecsFilter', others('c3'), 'ssd')
        ), (
            Aggregate('fast', 'c3', {'ssd': 'true'}),
            _decoy('ssd', 'true', others('c3')),
        ),
    ),
    Situation(
        'an extra spec of another value', Boot(Flavor(extra=SSD)), failed(
            _left('AggregateInstanceExtraSpecsFilter', 'c1', 'ssd', 'false'),
            _left('AggregateInstanceExtraSpecsFilter', others('c1'), 'ssd'),
        ), (
            Aggregate('slow', 'c1', {'ssd': 'false'}), _decoy('ssd', 'true'),
        ),
    ),
    Situation(
        # AggregateMultiTenancyIsolation reads all that begin with the name.
        'a longer name of projects, which is read', Boot(), placed(
            Left('AggregateMultiTenancyIsolation', 'c3 c4',
                 ('filter_tenant_id_doc',))
        ), (_decoy('filter_tenant_id', 'f' * 32, 'c3 c4'),),
    ),
    Situation(
        'servers of an aggregate\'s hosts', Boot(), placed(
            _left('AggregateNumInstancesFilter', 'c1', 'may have 1')
        ), (
            Server('first', 'c1'),
            Aggregate('few', 'c1 c2', {'max_instances_per_host': '1'}),
            _decoy('max_instances_per_host', '0'),
        ),
    ),
    Situation(
        'operations of an aggregate\'s hosts', Boot(), placed(
            _left('AggregateIoOpsFilter', 'c4 c5', 'I/O')
        ), (
            Aggregate('still', 'c4 c5', {'max_io_ops_per_host': '0'}),
            _decoy('max_io_ops_per_host', '0'),
        ),
    ),
    Situation(
        'a property of an image', Boot(image='arm'), failed(
            _left('ImagePropertiesFilter', ALL, 'hw_architecture=aarch64')
        ), (Image('arm', {
            'hw_architecture': 'aarch64', 'hw_architecture_doc': 'x86_64',
        }),),
    ),
    Situation(
        'a capability', Boot(Flavor(extra={
            'capabilities:hypervisor_type': 'kvm', 'hypervisor_type_doc': 'x',
        })), failed(_left('ComputeCapabilitiesFilter', ALL, 'kvm')),
    ),
    Situation(
        'an aggregate\'s trait, and a longer one', Boot(), placed(
            Left(PLACEMENT, 'c1 c2', ('aggregate gpus', NO_DECOY))
        ), (
            Trait('CUSTOM_GPU', 'c1 c2'),
            Aggregate('gpus', 'c1 c2', {'trait:CUSTOM_GPU': 'required'}),
            Aggregate('decoy', 'c3', {'note:trait:CUSTOM_GPU': 'required'}),
        ), configuration='prefilters',
    ),
    Situation(
        'the project\'s aggregate, by a longer name', Boot(), placed(
            Left(PLACEMENT, others('c1 c2'), ('aggregate',))
        ), (
            Aggregate('mine', 'c1 c2', {'filter_tenant_id_doc': '{project}'}),
        ), configuration='prefilters',
    ),
    Situation(
        'other flavors\', and down', Boot(), failed(
            Left('ComputeFilter', others('c1 c9'), ('down',)),
            _left('AggregateTypeAffinityFilter', 'c1 c9', 'big'),
        ), (
            Aggregate('big', 'c1 c9', {'instance_type': 'big.only'}),
            _decoy('instance_type', 'all'), Down(others('c1 c9')),
        ),
    ),
]
