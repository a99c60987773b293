"""Find computes that are down, and cells that don't answer."""

from nova_ext.core.base.finding import Severity
from nova_ext.core.explanation.text_format import format_hosts, pluralize
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.facts import CloudFacts
from nova_ext.doctor.model import COMPUTE


def check(facts: CloudFacts) -> Results:
    """Look at the state of each nova-compute."""
    computes = [s for s in facts.services if s.binary == COMPUTE]
    down = sorted(
        s.host for s in computes if s.status == 'enabled' and s.state != 'up'
    )
    if down:
        yield DoctorFinding(
            'compute-down', Severity.WARNING,
            f'{len(down)} of {pluralize(len(computes), "compute")} down and '
            f'not disabled',
            'Placement still offers them. Each takes one of the '
            'max_placement_results hosts of a request, before ComputeFilter '
            'rejects it.',
            'Start nova-compute there. Disabling the service has no effect '
            'on placement until nova-compute runs again. If a host is gone '
            'for good: openstack compute service delete ID. A clock that is '
            'behind looks the same; --watch 15 tells them apart.',
            format_hosts(down),
        )
    silent = sorted(s.host for s in computes if s.status == 'UNKNOWN')
    if silent:
        yield DoctorFinding(
            'cell-silent', Severity.ERROR,
            f'{pluralize(len(silent), "compute")} in a cell whose database '
            f'does not answer',
            'No server can be scheduled to them or managed there, and what '
            'is said here of other things may lack them.',
            'See nova-api\'s log for the cell, and "nova-manage cell_v2 '
            'list_cells" for the address of its database.',
            format_hosts(silent),
        )
