"""Whether placement withholds the disabled computes, and only these."""

from collections.abc import Iterator

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import host_names, many
from nova_ext.doctor.check import Finding
from nova_ext.doctor.facts import Facts
from nova_ext.doctor.model import COMPUTE


def check(facts: Facts) -> Iterator[Finding | Unchecked]:
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
        yield Finding(
            'disabled-but-offered', Severity.WARNING,
            f'{many(len(offered), "disabled compute")} offered by placement',
            'They lack the trait COMPUTE_STATUS_DISABLED, which nova-compute '
            'sets when it is up. Each takes one of the '
            'max_placement_results hosts that a request gets.',
            'Start nova-compute there, which sets the trait within a minute, '
            'or set it: openstack resource provider trait set.',
            host_names(sorted(offered)),
        )
    if withheld:
        yield Finding(
            'enabled-but-withheld', Severity.ERROR,
            f'{many(len(withheld), "enabled compute")} withheld by placement',
            'They bear the trait COMPUTE_STATUS_DISABLED: no server is ever '
            'scheduled to them.',
            'See nova-compute\'s log there: once a minute it takes the trait '
            'away, if it is up and can reach placement.',
            host_names(sorted(withheld)),
        )
