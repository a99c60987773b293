"""Whether each compute node has its provider, and each provider its node."""

import collections
from collections.abc import Iterator

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import host_names, many
from nova_ext.doctor.check import Finding
from nova_ext.doctor.facts import Facts
from nova_ext.doctor.model import COMPUTE, short


def check(facts: Facts) -> Iterator[Finding | Unchecked]:
    """Compare hypervisors and providers by UUID and by name."""
    nodes = facts.hypervisors
    providers = facts.providers
    lacking = [node for node in nodes if node.id not in providers]
    taken = set(providers.values())
    missing = sorted(n.name for n in lacking if n.name not in taken)
    others = sorted(n.name for n in lacking if n.name in taken)
    if missing:
        yield Finding(
            'provider-missing', Severity.ERROR,
            f'{many(len(missing), "compute node")} without a provider in '
            f'placement',
            'No server is ever scheduled to them.',
            'See nova-compute\'s log there: it makes the provider when it '
            'can reach placement. Without the trait COMPUTE_NODE a provider '
            'counts as missing here.',
            host_names(missing),
        )
    if others:
        yield Finding(
            'provider-duplicate', Severity.ERROR,
            f'{many(len(others), "compute node")} whose name another provider '
            f'has taken',
            'Placement takes a name only once, so nova-compute can\'t make '
            'the node\'s own provider; it was made anew under another UUID. '
            'No server is scheduled to the node.',
            'Move or delete what has allocations against the old provider, '
            'delete it with "openstack resource provider delete", and '
            'restart nova-compute.',
            host_names(others),
        )
    yield from _twice(facts)
    yield from _stale(facts)


def _twice(facts: Facts) -> Iterator[Finding]:
    count = collections.Counter(node.name for node in facts.hypervisors)
    twice = sorted(name for name, many in count.items() if many > 1)
    if twice:
        yield Finding(
            'node-duplicate', Severity.ERROR,
            f'{many(len(twice), "name")} of more than one compute node',
            'Only one of each can have the provider of that name; the '
            'others get no servers. A changed [DEFAULT] host, or one name in '
            'two cells, leads to this.',
            'Delete the service of the host that is no more: openstack '
            'compute service delete ID.',
            host_names(twice),
        )


def _stale(facts: Facts) -> Iterator[Finding]:
    ids = {node.id for node in facts.hypervisors}
    names = {node.name for node in facts.hypervisors}
    # Those of hosts without a node in the API are the check cells' business.
    hosts = {short(s.host) for s in facts.services if s.binary == COMPUTE}
    stale = sorted(
        name for uuid, name in facts.providers.items()
        if uuid not in ids and name not in names and short(name) not in hosts
    )
    if stale:
        yield Finding(
            'provider-stale', Severity.WARNING,
            f'{many(len(stale), "provider")} in placement of no compute',
            'Placement offers them and Nova ignores them; each takes one of '
            'the max_placement_results hosts that a request gets. They are '
            'left behind by deleted services, or of a cell that is not '
            'mapped.',
            'If the cell is there, nova-manage cell_v2 list_cells shows it. '
            'Otherwise: openstack resource provider delete, which refuses '
            'while there are allocations.',
            host_names(stale),
        )
