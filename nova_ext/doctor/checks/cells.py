"""Find computes that are mapped to no cell."""

from nova_ext.core.base.finding import Severity
from nova_ext.core.explanation.text_format import format_hosts, pluralize
from nova_ext.doctor.check import Finding, Results
from nova_ext.doctor.facts import Facts
from nova_ext.doctor.model import COMPUTE, strip_domain


def check(facts: Facts) -> Results:
    """Compare services, which need no host mapping, with hypervisors.

    os-services asks every cell for its services; os-hypervisors leaves out
    each host that is mapped to no cell.
    """
    shown = {node.host for node in facts.hypervisors}
    registered = {strip_domain(name) for name in facts.providers.values()}
    hidden = sorted(
        service.host for service in facts.services
        if service.binary == COMPUTE and service.status != 'UNKNOWN'
        and service.host not in shown
    )
    unmapped = [host for host in hidden if strip_domain(host) in registered]
    empty = [host for host in hidden if strip_domain(host) not in registered]
    if unmapped:
        yield Finding(
            'host-unmapped', Severity.ERROR,
            f'{pluralize(len(unmapped), "compute")} mapped to no cell',
            'Their services are there and placement offers them, so servers '
            'are scheduled to them and end in ERROR: nova-conductor does not '
            'find the cell.',
            'nova-manage cell_v2 discover_hosts; [scheduler] '
            'discover_hosts_in_cells_interval has nova-scheduler do it.',
            format_hosts(unmapped),
        )
    if empty:
        yield Finding(
            'compute-without-node', Severity.WARNING,
            f'{pluralize(len(empty), "compute")} with neither a hypervisor '
            f'nor a provider of that name',
            'nova-compute reports itself, but nothing that could be '
            'scheduled to. A nova-compute for ironic that has no node yet '
            'looks so, too.',
            'See nova-compute\'s log for why its driver reports no node; '
            'then nova-manage cell_v2 discover_hosts.',
            format_hosts(empty),
        )
