"""Whether placement knows the hosts of each aggregate."""

from collections.abc import Iterable, Iterator

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import clean, host_names, many
from nova_ext.doctor.check import Finding
from nova_ext.doctor.facts import Facts


def check(facts: Facts) -> Iterator[Finding | Unchecked]:
    """Compare each aggregate's hosts with its providers."""
    differing = []
    for aggregate in facts.aggregates:
        members = facts.members[aggregate.uuid] & facts.providers.keys()
        expected = {
            node.id for node in facts.hypervisors
            if node.host in aggregate.hosts and node.id in facts.providers
        }
        missing = _names(facts, expected - members)
        surplus = _names(facts, members - expected)
        if missing or surplus:
            differing.append(clean(aggregate.name) + _clause(missing, surplus))
    if differing:
        yield Finding(
            'aggregate-differs', Severity.WARNING,
            f'{many(len(differing), "aggregate")} with other members in '
            f'placement than in Nova',
            'Availability zones and tenants\' aggregates are asked of '
            'placement: it never offers a host that it misses there, and '
            'offers in vain one that it has too many.',
            'nova-manage placement sync_aggregates adds what is missing; '
            'surplus members are removed with "openstack resource provider '
            'aggregate set".',
            '; '.join(differing),
        )


def _names(facts: Facts, uuids: Iterable[str]) -> list[str]:
    return sorted(facts.providers[uuid] for uuid in uuids)


def _clause(missing: list[str], surplus: list[str]) -> str:
    parts = []
    if missing:
        parts.append(f'placement lacks {host_names(missing)}')
    if surplus:
        parts.append(f'has too many: {host_names(surplus)}')
    return f': {", ".join(parts)}'
