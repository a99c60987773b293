"""Find computes that are mapped to no cell."""

from nova_ext.core.base.finding import Severity
from nova_ext.core.explanation.text_format import format_hosts, pluralize
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.facts import CloudFacts
from nova_ext.doctor.model import COMPUTE, strip_domain


def check(facts: CloudFacts) -> Results:
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
        yield DoctorFinding(
            'host-unmapped', Severity.ERROR,
            f'{pluralize(len(unmapped), "compute")} mapped to no cell',
            'Placement offers them, so servers are scheduled to them and end '
            'in ERROR: nova-conductor does not find their cell.',
            'Run nova-manage cell_v2 discover_hosts, or set [scheduler] '
            'discover_hosts_in_cells_interval.',
            format_hosts(unmapped),
        )
    if empty:
        yield DoctorFinding(
            'compute-without-node', Severity.WARNING,
            f'{pluralize(len(empty), "compute")} with neither a hypervisor '
            f'nor a provider of that name',
            'nova-compute runs but reports no node to schedule to. This is '
            'normal for a nova-compute with ironic that has no node yet.',
            'See nova-compute\'s log for why its driver reports no node. '
            'Then run nova-manage cell_v2 discover_hosts.',
            format_hosts(empty),
        )
