"""Find allocations of servers that don't exist, and delete none."""

from collections.abc import Mapping

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import format_hosts, pluralize
from nova_ext.doctor.check import DoctorFinding, Results
from nova_ext.doctor.facts import PLACEMENT, SERVERS, CloudFacts

#: Maximum number of suspects to confirm, with two requests each.
CONFIRMED = 50
#: Pages of migrations to search for a suspect, the newest first.
_MIGRATION_PAGES = 5
_MIGRATIONS = '2.59'

#: The statuses that end a migration for Nova (nova.db.main.api,
#: migration_get_in_progress_and_error_by_host_and_node).
_OVER = frozenset({
    'confirmed', 'reverted', 'error', 'failed', 'completed',
    'cancelled', 'done',
})


def check(facts: CloudFacts) -> Results:
    """Look for consumers that are neither a server nor a migration."""
    # Read the servers after the allocations: a new server is no suspect
    # then, and one that was deleted meanwhile is not confirmed.
    consumers = {
        consumer: uuid for uuid, held in facts.holdings.items()
        for consumer in held.consumers
    }
    yield from facts.left_out
    suspects = sorted(consumers.keys() - facts.servers) if consumers else []
    if not suspects:
        return
    left = _left_behind(facts, suspects[:CONFIRMED])
    if left:
        where = [
            f'{consumer} on {facts.providers[consumers[consumer]]}'
            for consumer in left
        ]
        yield DoctorFinding(
            'allocation-orphaned', Severity.WARNING,
            f'{pluralize(len(left), "allocation")} of no server and of no '
            f'migration that goes on',
            'They occupy capacity of their hosts without using it.',
            'Look at each with "openstack resource provider allocation show '
            'ID": something other than Nova may have created it. Then '
            '"nova-manage placement audit" lists leaked allocations, and '
            'deletes them with --delete.',
            format_hosts(where),
        )
    if len(suspects) > CONFIRMED:
        yield Unchecked(
            f'{len(suspects) - CONFIRMED} more allocations without a server '
            f'were not confirmed', 'nova-manage placement audit --verbose',
        )


def _left_behind(facts: CloudFacts, suspects: list[str]) -> list[str]:
    with facts.progress.step('suspicious allocations'):
        left = [each for each in suspects if _is_left(facts, each)]
        if not left:
            return []
        migrations = _migrations(facts)
    return [each for each in left if migrations.get(each, 'done') in _OVER]


def _is_left(facts: CloudFacts, consumer: str) -> bool:
    """Say whether a consumer has an allocation, and is no server."""
    body = facts.cloud.get('placement', f'/allocations/{consumer}', PLACEMENT)
    return bool(body['allocations']) and facts.cloud.find(
        'compute', f'/servers/{consumer}', SERVERS
    ) is None


def _migrations(facts: CloudFacts) -> Mapping[str, str]:
    """Return the status of recent migrations, which may be consumers."""
    statuses: dict[str, str] = {}
    pages = facts.cloud.pages(
        '/os-migrations', 'migrations', _MIGRATIONS, id_key='uuid'
    )
    for page, _ in zip(pages, range(_MIGRATION_PAGES), strict=False):
        statuses |= {each['uuid']: each['status'] for each in page}
    return statuses
