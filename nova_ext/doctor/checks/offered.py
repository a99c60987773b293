"""Check that placement withholds the disabled computes, and only these."""

from nova_ext.core.base.finding import Severity
from nova_ext.core.explanation.text_format import format_hosts, pluralize
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.facts import CloudFacts
from nova_ext.doctor.model import COMPUTE


def check(facts: CloudFacts) -> Results:
    """Compare each service's status with its providers' trait."""
    status = {s.host: s.status for s in facts.services if s.binary == COMPUTE}
    offered, withheld = [], []
    for node in facts.hypervisors:
        if node.id not in facts.providers:
            continue
        if status.get(node.host) == 'disabled':
            if node.id not in facts.withheld:
                offered.append(node.name)
        elif node.id in facts.withheld:
            withheld.append(node.name)
    if offered:
        yield DoctorFinding(
            'disabled-but-offered', Severity.WARNING,
            f'{pluralize(len(offered), "disabled compute")} offered by '
            f'placement',
            'They lack the trait COMPUTE_STATUS_DISABLED, which nova-compute '
            'sets when it is up. Each takes one of the '
            'max_placement_results hosts that a request gets.',
            'Start nova-compute there, which sets the trait within a minute. '
            'Or set it by hand: "openstack resource provider trait set" '
            'replaces all traits, so name those, too, that "openstack '
            'resource provider trait list" shows.',
            format_hosts(sorted(offered)),
        )
    if withheld:
        yield DoctorFinding(
            'enabled-but-withheld', Severity.ERROR,
            f'{pluralize(len(withheld), "enabled compute")} withheld by '
            f'placement',
            'They bear the trait COMPUTE_STATUS_DISABLED: no server is ever '
            'scheduled to them.',
            'See nova-compute\'s log there: once a minute it takes the trait '
            'away, if it is up and can reach placement.',
            format_hosts(sorted(withheld)),
        )
