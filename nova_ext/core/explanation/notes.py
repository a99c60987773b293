"""List what one should know about a decision besides its sentence."""

from collections.abc import Iterator
from urllib import parse

from nova_ext.core.decision import placement_answer, placement_query
from nova_ext.core.decision.decision import (
    COMPUTE,
    NO_VALID_HOST,
    PASSED,
    PLACED,
    VERSION,
    Decision,
)
from nova_ext.core.decision.fallback import format_fallback
from nova_ext.core.explanation import counterfactual, left_out, unseen
from nova_ext.core.explanation.group_text import format_reason
from nova_ext.core.explanation.host_counts import Group, HostCounts
from nova_ext.core.explanation.text_format import (
    format_hosts,
    pluralize,
    sanitize,
)
from nova_ext.core.request.operation import Operation

#: Key and sign of a placement query, by the field of a decision's
#: prefilters. A log has names of prefilters instead, with Nova's own words.
_DEMANDS = {
    'required_traits': ('required', ''),
    'forbidden_traits': ('required', '!'),
    'aggregates': ('member_of', ''),
    'forbidden_aggregates': ('member_of', '!'),
}
_AFFINITY = 'ServerGroupAffinityFilter'
#: Traits that Nova adds to every request.
_ALWAYS = ('COMPUTE_STATUS_DISABLED', 'OWNER_NOVA')
#: Words for what has metadata, by the key of ``unread_metadata``.
_METADATA = {
    'flavor': 'extra spec', 'image': 'image property',
    'aggregates': 'aggregate',
}
#: Words for what made the decision, by the key of ``by`` that follows them.
_ORIGIN = {
    'driver': 'decided by', 'host': 'on', 'configuration': 'configuration',
}


def list_notes(
    decision: Decision, counts: HostCounts, *, hosts: bool
) -> list[str]:
    """Return the notes on a decision, a line each.

    :param counts: the decision's hosts, with the attempt to explain.
    :param hosts: whether the reader is an operator, who may see hosts.
    """
    return [sanitize(note) for note in (
        _note_origin(decision),
        *_note_log(decision),
        *_note_simulation(decision),
        *_note_stages(decision),
        *_note_prefilters(decision),
        *_note_limit(decision, hosts=hosts),
        *left_out.list_notes(decision),
        *counterfactual.find_counterfactuals(decision, counts),
        *_note_absent_stats(counts),
        *_note_irregular_filters(counts),
        *_note_missing_weights(counts),
        *_note_resize(decision, counts),
        *(
            f'hint {hint} had no effect: nothing that is enabled reads it'
            for hint in decision.unread_hints or ()
        ),
        *(
            f'{_METADATA.get(name, name)} {text}'
            for name, texts in decision.unread_metadata.items()
            for text in texts
        ),
        *_note_zone(decision),
        *_note_query(decision),
        *_note_mirror(decision, hosts=hosts),
        *unseen.note_unseen(decision, counts, hosts=hosts),
        *_note_gaps(decision),
    )]


def _note_origin(decision: Decision) -> str:
    by = decision.by
    return ', '.join(filter(None, (
        decision.at, decision.request_id, decision.operation,
        '' if decision.topic == COMPUTE else f'topic {decision.topic}',
        *(f'{_ORIGIN[name]} {by[name]}' for name in _ORIGIN if by.get(name)),
    )))


def _note_log(decision: Decision) -> Iterator[str]:
    if not decision.is_from_log:
        return
    counts = 'it counts hosts by filter; weights' if (
        decision.attempts or not decision.message
    ) else 'how many hosts there were, weights'
    yield (
        f'read from a log: {counts}, claims, and most names and reasons are '
        f'not in it'
    )
    if not decision.outcome:
        yield (
            'how the request ended is not in the log: once it has placed '
            'several servers, Nova asks the filters again, for alternates'
        )


def _note_simulation(decision: Decision) -> Iterator[str]:
    if not decision.simulated:
        return
    changes = decision.by.get('changes', {})
    parts = []
    if 'filters' in changes:
        parts.append(f'filters {", ".join(changes["filters"]) or "none"}')
    parts += [
        f'{weigher} times {multiplier:g}'
        for weigher, multiplier in changes.get('multipliers', {}).items()
    ]
    changed = f', with {"; ".join(parts)}' if parts else ''
    yield f'simulated{changed}: nothing was claimed'


def _note_stages(decision: Decision) -> Iterator[str]:
    if decision.stages:
        stages = ', '.join(
            f'{stage} {seconds:.3f}'
            for stage, seconds in decision.stages.items()
        )
        yield f'{decision.seconds:.3f} s: {stages}'


def _note_prefilters(decision: Decision) -> Iterator[str]:
    demands = []
    for name, items in (decision.prefilters or {}).items():
        kind, sign = _DEMANDS.get(name, ('', ''))
        demands += [
            placement_query.describe_demand(kind, sign + item) if kind
            else f'{item} ({name})'
            for item in items
            if not any(trait in item for trait in _ALWAYS)
        ]
    if demands:
        yield f'prefilters added {", ".join(demands)}'


def _note_limit(
    decision: Decision, *, hosts: bool
) -> Iterator[str]:
    """Say that placement's limit may have cut hosts off, and what to do."""
    limit = placement_answer.get_reached_limit(decision.placement)
    if not limit:
        return
    remedy = (
        '; to tell which, ask placement the same without limit, or raise '
        '[scheduler] max_placement_results'
    ) if hosts and not left_out.summarize(decision) else ''
    yield (
        f'placement gave {limit} candidates, all that max_placement_results '
        f'lets through: hosts that are not among them were not considered'
        f'{remedy}'
    )


def _note_absent_stats(counts: HostCounts) -> Iterator[str]:
    """Name stats that were absent, unless hosts were rejected for it."""
    reasons = {group.reason for group in counts.groups}
    for absent in counts.attempt.absent_stats if counts.attempt else ():
        if absent.reason not in reasons:
            hosts = format_hosts(absent.hosts, absent.count) or (
                pluralize(absent.count, 'host')
            )
            reason = format_reason(Group(
                '', '', absent.reason, absent.count, absent.hosts,
                absent.details,
            ))
            yield f'{hosts}: {reason}'


def _note_irregular_filters(counts: HostCounts) -> Iterator[str]:
    """Name filters that returned hosts which they were not given, or twice."""
    for step in counts.attempt.steps if counts.attempt else ():
        if step.repeated:
            yield (
                f'{step.name} returned {format_hosts(step.repeated)} more '
                f'than once; each host is counted once'
            )
        if step.added:
            yield (
                f'{step.name} returned {format_hosts(step.added)} without '
                f'having been given it; such hosts are not counted'
            )


def _note_missing_weights(counts: HostCounts) -> Iterator[str]:
    """Name weighers that returned NaN or infinity, which is not recorded."""
    for weighing in counts.attempt.weighers if counts.attempt else ():
        missing = [
            host for host in weighing.multipliers
            if host not in weighing.weights
        ]
        if missing:
            yield (
                f'weigher {weighing.name} returned no finite number for '
                f'{format_hosts(missing)}: Nova can\'t order hosts by weight '
                f'then'
            )


def _note_resize(decision: Decision, counts: HostCounts) -> Iterator[str]:
    """Name the option that lets a resize stay on its affinity group's host.

    A cold migration leaves its host in any case. Nova's API alone shows which
    of the two it was.
    """
    action = decision.by.get('action', '')
    if (
        decision.operation == Operation.MOVE.value
        and decision.outcome == NO_VALID_HOST
        and action in ('', 'resize')
        and any(group.stage == _AFFINITY for group in counts.groups)
    ):
        which = 'a resize' if action else 'if it was a resize: it'
        yield (
            f'{which} leaves its host, and with it the affinity group, unless '
            f'allow_resize_to_same_host is set, an option of nova-api'
        )


def _note_mirror(decision: Decision, *, hosts: bool) -> Iterator[str]:
    """Say what the mirror had to do with it, to operators."""
    mirror = decision.mirror
    if mirror is None or not hosts:
        return
    if mirror.fallback:
        begin = (
            'decided by Nova, and not from the mirror' if mirror.decides
            else 'not compared with the mirror'
        )
        reason = format_fallback(mirror.fallback, mirror.detail)
        yield f'{begin}: {reason}'
    elif mirror.decides:
        yield f'decided from the mirror, {mirror.age_s:.1f} s old' + (
            f', without {pluralize(mirror.left_out, "provider")} that changed '
            f'and could not be read in time' if mirror.left_out else ''
        )
    elif mirror.differences:
        differences = '; '.join(mirror.differences)
        yield f'the mirror, {mirror.age_s:.1f} s old, differs: {differences}'
    elif mirror.compared:
        age = f'{mirror.age_s:.1f} s old'
        yield f'the mirror, {age}, came to the same decision'


def _note_zone(decision: Decision) -> Iterator[str]:
    """Say that placement was not asked for the zone, and why."""
    zone, prefilters = (
        decision.request.get('availability_zone'), decision.prefilters
    )
    if zone and prefilters is not None and 'aggregates' not in prefilters:
        forced = {'force_hosts', 'force_nodes'} & set(decision.request)
        why = 'the request forces its host' if forced else (
            'no aggregate has it, so hosts of any zone may be chosen'
        )
        yield f'availability zone {zone} had no effect: {why}'


def _note_query(decision: Decision) -> Iterator[str]:
    failed = decision.outcome not in (PLACED, PASSED)
    if failed and decision.placement and decision.placement.query:
        queries = list(map(parse.unquote, decision.placement.queries))
        if len(queries) == 1 and decision.placement.vcpu_requests is not None:
            queries.append('for VCPU in place of PCPU')
        yield f'placement was asked {", and then ".join(queries)}'


def _note_gaps(decision: Decision) -> Iterator[str]:
    if decision.left_out:
        yield (
            f'too long to be kept whole; left out: '
            f'{", ".join(decision.left_out)}'
        )
    if decision.version > VERSION:
        yield (
            'recorded by a later nova-ext; what this one does not know is '
            'left out'
        )
