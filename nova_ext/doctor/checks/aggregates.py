"""Check that placement knows the hosts of each aggregate."""

from collections.abc import Iterable

from nova_ext.core.base.finding import Severity
from nova_ext.core.explanation.text_format import (
    format_hosts,
    pluralize,
    sanitize,
)
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.facts import CloudFacts


def check(facts: CloudFacts) -> Results:
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
            name = sanitize(aggregate.name)
            differing.append(f'{name}: {_clause(missing, surplus)}')
    if differing:
        yield DoctorFinding(
            'aggregate-differs', Severity.WARNING,
            f'{pluralize(len(differing), "aggregate")} with other members in '
            f'placement than in Nova',
            'Nova asks placement for the hosts of an availability zone or of '
            'a tenant\'s aggregate. Placement never offers a member that it '
            'lacks, and offers surplus members in vain.',
            'nova-manage placement sync_aggregates adds missing members. '
            '"openstack resource provider aggregate set" removes surplus '
            'ones: it replaces all aggregates of a provider, so name the '
            'ones to keep.',
            '; '.join(differing),
        )


def _names(facts: CloudFacts, uuids: Iterable[str]) -> list[str]:
    return sorted(facts.providers[uuid] for uuid in uuids)


def _clause(missing: list[str], surplus: list[str]) -> str:
    return ', '.join(
        f'{what} {format_hosts(names)}' for what, names in (
            ('placement lacks', missing), ('has too many:', surplus),
        ) if names
    )
