"""Tell what hosts lacked that placement left out, beside a decision."""

import math
from collections.abc import Iterator, Sequence

from nova_ext.core.decision import (
    placement_answer,
    placement_diagnosis,
    placement_query,
)
from nova_ext.core.decision.decision import PLACED, Decision, LeftOut
from nova_ext.core.explanation.text_format import format_hosts, pluralize

#: Groups that a sentence has; a note for each names the hosts.
MAX_GROUPS = 6

_PLURALS = {'lacks': 'lack', 'is': 'are', 'has': 'have'}


def summarize(decision: Decision) -> str:
    """Return what placement answered later as a clause, with its time.

    :returns: empty where it tells nothing.
    """
    diagnosis = decision.asked_again
    if diagnosis is None:
        return ''
    if diagnosis.changed:
        absent = decision.absent
        if decision.outcome == PLACED and not (absent and absent.count):
            return ''  # all hosts are explained without placement
        right_after = placement_diagnosis.RIGHT_AFTER
        if diagnosis.after_s <= right_after.total_seconds():
            return 'placement has changed since'
        return (
            f'placement has changed since, or may have: it was asked '
            f'{_format_seconds(diagnosis.after_s)} after the decision'
        )
    groups = diagnosis.left_out
    if not groups:
        return ''
    after = _format_seconds(diagnosis.after_s)
    when = f'as placement stood {after} after the decision'
    count = sum(group.count for group in groups)
    disk = _explain_disk(decision, groups)
    if not count:
        lacks = join_clauses(groups[0].lacks, 1)
        return '; '.join([
            *disk, f'{when}, every host that it left out {lacks}'
        ])
    listed = [format_left_out(group) for group in groups]
    if len(groups) > MAX_GROUPS:
        rest = sum(group.count for group in groups[MAX_GROUPS - 1:])
        listed[MAX_GROUPS - 1:] = [f'{rest} for other reasons']
    hosts = f'of {pluralize(count, "host")} that it left out'
    if len(groups) == 1:
        hosts = 'the one host that it left out'
        if count > 1:
            hosts = f'all {count} hosts that it left out'
        listed = [join_clauses(groups[0].lacks, count)]
    parts = [
        *disk, f'{when}, {hosts} {", ".join(listed)}', *diagnosis.examples,
    ]
    return '; '.join(parts)


def _explain_disk(
    decision: Decision, groups: Sequence[LeftOut]
) -> Iterator[str]:
    """Say what the disk of a request is made of, where hosts lack it.

    Placement counts swap as whole GB (nova.scheduler.utils).
    """
    flavor = decision.request.get('flavor', {})
    ephemeral_gb = int(flavor.get('ephemeral_gb') or 0)
    swap_mb = int(flavor.get('swap') or 0)
    # A stock scheduler's record has no query: the diagnosis repeats it.
    source = decision.placement or decision.asked_again
    if source is None or not (ephemeral_gb or swap_mb):
        return
    query = source.query.partition(' ')[0]
    demands = placement_query.list_demands(query)[0]
    for demand in demands:
        name, gb = demand.resource
        if name == 'DISK_GB' and any(
            'lacks DISK_GB' in group.lacks for group in groups
        ):
            root_gb = gb - ephemeral_gb - math.ceil(swap_mb / 1024)
            parts = [
                f'{root_gb} root' * (root_gb > 0),
                f'{ephemeral_gb} ephemeral' * bool(ephemeral_gb),
                f'swap {swap_mb} MB' * bool(swap_mb),
            ]
            yield f'needs {gb} GB of disk: {", ".join(filter(None, parts))}'


def list_notes(decision: Decision) -> Iterator[str]:
    """Yield which hosts lacked what, and what is not known."""
    diagnosis = decision.asked_again
    if diagnosis is None:
        if placement_answer.needs_diagnosis(decision):
            yield (
                'placement was not asked, or not yet, what the hosts lack '
                'that it left out'
            )
        return
    after = _format_seconds(diagnosis.after_s)
    for group in diagnosis.left_out:
        if group.hosts:
            names = format_hosts(group.hosts, group.count)
            clauses = join_clauses(group.lacks, group.count)
            yield f'{after} later, {names} {clauses}'
    if diagnosis.untold:
        yield (
            f'of what hosts lacked in placement is not told: '
            f'{", ".join(diagnosis.untold)}'
        )


def format_left_out(group: LeftOut) -> str:
    """Return a group as ``5 lack MEMORY_MB and are disabled``."""
    return f'{group.count} {join_clauses(group.lacks, group.count)}'


def join_clauses(clauses: Sequence[str], count: int) -> str:
    """Join clauses about hosts; those of one verb share it.

    :param count: number of hosts.
    """
    by_verb: dict[str, list[str]] = {}
    for clause in clauses:
        verb, _, rest = clause.partition(' ')
        by_verb.setdefault(verb, []).append(rest)
    return ' and '.join(
        f'{verb if count == 1 else _PLURALS.get(verb, verb)} '
        f'{" and ".join(rests)}' for verb, rests in by_verb.items()
    )


def _format_seconds(seconds: float) -> str:
    if seconds < 10:
        return f'{seconds:.1f} s'
    for unit, length in (('days', 86400), ('h', 3600), ('min', 60)):
        if seconds >= 2 * length:
            return f'{seconds / length:.0f} {unit}'
    return f'{seconds:.0f} s'
