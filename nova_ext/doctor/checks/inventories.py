"""Check that placement knows the size that each compute node reports."""

from nova_ext.core.base.finding import Severity
from nova_ext.core.explanation.text_format import format_hosts, pluralize
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.facts import CloudFacts
from nova_ext.doctor.model import Holding, Hypervisor

#: Hypervisors whose sizes are in resource classes of their own.
_OTHERS = ('ironic',)


def check(facts: CloudFacts) -> Results:
    """Compare inventories with hypervisors."""
    empty, different = [], []
    for node in facts.hypervisors:
        held = facts.holdings.get(node.id)
        if held is None or node.kind in _OTHERS:
            continue
        if not held.inventories:
            empty.append(node.name)
        elif unlike := _differences(node, held):
            different.append(f'{node.name} ({unlike})')
    if empty:
        yield DoctorFinding(
            'inventory-missing', Severity.ERROR,
            f'{pluralize(len(empty), "compute node")} without an inventory in '
            f'placement',
            'No server is ever scheduled to them.',
            'See nova-compute\'s log there: it reports the inventory once a '
            'minute.',
            format_hosts(sorted(empty)),
        )
    if different:
        yield DoctorFinding(
            'inventory-differs', Severity.WARNING,
            f'{pluralize(len(different), "compute node")} with another size '
            f'in placement than in Nova',
            'Placement decides by its own figures: it offers a host that is '
            'full, or withholds one that has room.',
            'See nova-compute\'s log there: it writes the inventory once a '
            'minute unless [DEFAULT] update_resources_interval forbids it or '
            'placement refuses, as for an inventory below what is in use.',
            format_hosts(sorted(different)),
        )
    yield from facts.left_out


def _differences(node: Hypervisor, held: Holding) -> str:
    totals = {
        name: inventory['total'] for name, inventory in
        held.inventories.items()
    }
    # Nova counts no dedicated processors, which placement has as PCPU
    # (nova.virt.libvirt.driver, _get_vcpu_available).
    return ', '.join(
        f'{name} {totals[name]}, not {size}'
        for name, size in node.sizes.items()
        # A shared disk, for one, is another provider's.
        if name in totals and totals[name] != size
    )
