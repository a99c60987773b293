"""Check that each compute node has its provider, and vice versa."""

import collections

from nova_ext.core.base.finding import Severity
from nova_ext.core.explanation.text_format import format_hosts, pluralize
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.facts import CloudFacts
from nova_ext.doctor.model import COMPUTE, strip_domain


def check(facts: CloudFacts) -> Results:
    """Compare hypervisors and providers by UUID and by name."""
    nodes = facts.hypervisors
    providers = facts.providers
    lacking = [node for node in nodes if node.id not in providers]
    taken = set(providers.values())
    missing = sorted(n.name for n in lacking if n.name not in taken)
    others = sorted(n.name for n in lacking if n.name in taken)
    if missing:
        yield DoctorFinding(
            'provider-missing', Severity.ERROR,
            f'{pluralize(len(missing), "compute node")} without a provider in '
            f'placement',
            'No server is ever scheduled to them.',
            'See nova-compute\'s log there: it makes the provider when it '
            'can reach placement. Without the trait COMPUTE_NODE a provider '
            'counts as missing here.',
            format_hosts(missing),
        )
    if others:
        yield DoctorFinding(
            'provider-duplicate', Severity.ERROR,
            f'{pluralize(len(others), "compute node")} whose name another '
            f'provider has taken',
            'The compute node was created anew with another UUID. Names of '
            'providers are unique, so nova-compute can\'t create one for the '
            'node. No server is scheduled to the node.',
            'Move or delete the servers with allocations against the old '
            'provider, delete it with "openstack resource provider delete", '
            'and restart nova-compute.',
            format_hosts(others),
        )
    yield from _twice(facts)
    yield from _stale(facts)


def _twice(facts: CloudFacts) -> Results:
    count = collections.Counter(node.name for node in facts.hypervisors)
    twice = sorted(name for name, many in count.items() if many > 1)
    if twice:
        yield DoctorFinding(
            'node-duplicate', Severity.ERROR,
            f'{pluralize(len(twice), "name")} of more than one compute node',
            'Only one of each can have the provider of that name; the '
            'others get no servers. A changed [DEFAULT] host, or one name in '
            'two cells, leads to this.',
            'Delete the service of the host that is no more: openstack '
            'compute service delete ID.',
            format_hosts(twice),
        )


def _stale(facts: CloudFacts) -> Results:
    ids = {node.id for node in facts.hypervisors}
    names = {node.name for node in facts.hypervisors}
    # The check cells finds hosts without a node.
    hosts = {
        strip_domain(service.host) for service in facts.services
        if service.binary == COMPUTE
    }
    stale = sorted(
        name for uuid, name in facts.providers.items()
        if uuid not in ids and name not in names
        and strip_domain(name) not in hosts
    )
    if stale:
        yield DoctorFinding(
            'provider-stale', Severity.WARNING,
            f'{pluralize(len(stale), "provider")} in placement of no compute',
            'Placement offers them and Nova ignores them. Each takes one of '
            'the max_placement_results hosts of a request. Deleted services '
            'left them behind, or their cell is not mapped.',
            'If the cell is there, nova-manage cell_v2 list_cells shows it. '
            'Otherwise: openstack resource provider delete, which refuses '
            'while there are allocations.',
            format_hosts(stale),
        )
