"""Allocations of servers that don't exist; they are never deleted here."""

from collections.abc import Iterator, Mapping

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.core.explanation.text_format import host_names, many
from nova_ext.doctor.check import Finding
from nova_ext.doctor.facts import PLACEMENT, SERVERS, Facts

#: Suspects that are asked about one by one; two requests each.
CONFIRMED = 50
#: Pages of migrations, the newest first, among which a suspect is sought.
_MIGRATION_PAGES = 5
_MIGRATIONS = '2.59'

#: What Nova itself takes for the end of a migration.
_OVER = frozenset({
    'accepted', 'confirmed', 'reverted', 'error', 'failed', 'completed',
    'cancelled', 'done',
})


def check(facts: Facts) -> Iterator[Finding | Unchecked]:
    """Look for consumers that are neither a server nor a migration."""
    # The servers are read after the allocations: one that is new by then
    # is no suspect, and one that is gone is asked about again.
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
            f'{one} on {facts.providers[consumers[one]]}' for one in left
        ]
        yield Finding(
            'allocation-orphaned', Severity.WARNING,
            f'{many(len(left), "allocation")} of no server and of no '
            f'migration that goes on',
            'They take room on their hosts for nothing.',
            'Look at each with "openstack resource provider allocation show '
            'ID", as something other than Nova may have made it; then '
            '"nova-manage placement audit" shows, and with --delete removes, '
            'what is left behind.',
            host_names(where),
        )
    if len(suspects) > CONFIRMED:
        yield Unchecked(
            f'{len(suspects) - CONFIRMED} more allocations without a server '
            f'were not confirmed', 'nova-manage placement audit --verbose',
        )


def _left_behind(facts: Facts, suspects: list[str]) -> list[str]:
    with facts.progress.step('suspicious allocations'):
        left = [one for one in suspects if _is_left(facts, one)]
        if not left:
            return []
        migrations = _migrations(facts)
    return [one for one in left if migrations.get(one, 'done') in _OVER]


def _is_left(facts: Facts, consumer: str) -> bool:
    """Whether it holds something still, and is no server's."""
    held = facts.cloud.get('placement', f'/allocations/{consumer}', PLACEMENT)
    return bool(held['allocations']) and facts.cloud.find(
        'compute', f'/servers/{consumer}', SERVERS
    ) is None


def _migrations(facts: Facts) -> Mapping[str, str]:
    """The status of recent migrations, each of which may be a consumer."""
    found: dict[str, str] = {}
    pages = facts.cloud.pages(
        '/os-migrations', 'migrations', _MIGRATIONS, id_key='uuid'
    )
    for page, _ in zip(pages, range(_MIGRATION_PAGES), strict=False):
        found |= {each['uuid']: each['status'] for each in page}
    return found
