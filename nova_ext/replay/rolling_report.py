"""Write down what a rolling replay found: a sentence, a table, a document."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from nova_ext.core.decision.decision import FAILED, PLACED
from nova_ext.core.decision.transition import LOST, UNVERIFIED, Transition
from nova_ext.core.explanation.text_format import pluralize, sanitize
from nova_ext.journal.contents import format_time
from nova_ext.journal.replayed import Exactness
from nova_ext.replay import report
from nova_ext.replay.comparison import Change
from nova_ext.replay.rolling import RollingDay, RollingResult

#: Causes that a note names.
CAUSES = 3
_UNITS = {'VCPU': '', 'MEMORY_MB': ' MiB', 'DISK_GB': ' GiB'}


def describe(result: RollingResult) -> str:
    """Return the first sentence."""
    verified = '' if result.verification is None else (
        f'{report.describe_verification(result.verification)}: '
    )
    requests = len(result.journals.originals)
    return (
        f'{verified}{pluralize(requests, "request")} for '
        f'{pluralize(result.servers, "server")}, each decided from what the '
        f'ones before it left.'
    )


def build_table(
    result: RollingResult
) -> tuple[Sequence[str], list[Sequence[Any]]]:
    """Return columns and rows: one column for each configuration.

    Where nothing was changed, they are what verifying found.
    """
    if result.verification is not None and len(result.days) == 1:
        return report.build_differences(result.verification)
    figures = [_list_figures(result, day) for day in result.days]
    return ('Figure', *(day.name for day in result.days)), [
        [name, *(each[name] for each in figures)] for name in figures[0]
    ]


def _list_figures(result: RollingResult, day: RollingDay) -> dict[str, Any]:
    cloud = day.cloud
    counts = Counter(change.transition for change in day.changes)
    unknown = day.unknown if result.verification else frozenset()
    results = [
        each for key, each in day.results.items() if key not in unknown
    ]
    figures: dict[str, Any] = {
        'servers placed': day.placed,
        'servers without a host': result.servers - day.placed - sum(
            len(result.journals.originals[key].servers) for key in unknown
        ),
        'requests without a host': sum(
            each.outcome != PLACED for each in results
        ),
        'of these, failed': sum(each.outcome == FAILED for each in results),
    }
    if result.verification is not None:
        figures['requests that can\'t be replayed'] = len(unknown)
    if len(result.days) > 1:
        figures |= {
            str(transition): counts[transition] if day.changes else ''
            for transition in Transition if transition is not Transition.SAME
        }
    figures |= {
        'decided by Nova\'s filters and weighers':
            sum(bool(each.fallback) for each in results),
        'drawn among equal hosts': sum(bool(each.best) for each in results),
        'not exact': sum(bool(each.gaps) for each in results),
        'servers at the end': cloud.servers,
        'empty hosts': f'{cloud.empty} of {cloud.hosts}',
        'largest flavor still placed': sanitize(cloud.largest) or 'none',
    }
    for name, free in cloud.free.items():
        figures[f'stranded {name}'] = (
            f'{cloud.stranded[name]} of {free}{_UNITS.get(name, "")} free'
        )
    return figures


def summarize(result: RollingResult) -> Iterator[str]:
    """Yield a line or two for each configuration after the first."""
    first = result.days[0]
    for day in result.days[1:]:
        change = day.first_change
        if change is None:
            yield f'{day.name}: all requests come out as with {first.name}'
            continue
        yield f'{day.name}: the first divergence is {_describe(change)}'
        later = list(day.changes)[list(day.changes).index(change) + 1:]
        counts = Counter(
            each.transition for each in later
            if each.transition is not Transition.SAME
        )
        yield (
            f'{day.name}: of {pluralize(len(later), "request")} after it '
            f'{sum(counts.values())} come out otherwise: ' + '; '.join(
                f'{counts[transition]} {transition}'
                for transition in Transition
                if transition is not Transition.SAME
            )
        )
        for transition, text, count in _list_causes(day)[:CAUSES]:
            yield f'{day.name}: {count} {transition}: {text}'
    yield from _list_errors(result)
    yield from _list_gaps(result)


def _list_errors(result: RollingResult) -> Iterator[str]:
    """Yield what ended requests, with the number of them."""
    for day in result.days:
        counts = Counter(
            each.error for each in day.results.values()
            if each.outcome == FAILED
        )
        for error, count in counts.most_common(CAUSES):
            yield (
                f'{day.name}: {pluralize(count, "request")} failed: '
                f'{sanitize(error, 200)}'
            )


def _describe(change: Change) -> str:
    """Describe a changed decision."""
    cause = change.cause
    return sanitize(
        f'{change.original.request_id} at '
        f'{format_time(change.original.time)}: '
        f'{change.before or "none"} → {change.after or "none"}'
        f'{f", {cause.text}" if cause else ""}'
        f'{f" ({cause.detail})" if cause and cause.detail else ""}', 400,
    )


def _list_causes(day: RollingDay) -> list[tuple[Transition, str, int]]:
    """Return transitions, causes and their numbers, the commonest first."""
    counts = Counter(
        (change.transition, change.cause.text)
        for change in day.changes if change.cause is not None
    )
    return [
        (transition, sanitize(text), count)
        for (transition, text), count in counts.most_common()
    ]


def _list_gaps(result: RollingResult) -> list[str]:
    """Return what is missing, with the number of decisions, as lines."""
    lines = []
    for day in result.days:
        counts = Counter(
            gap for each in day.results.values()
            for gap in dict.fromkeys(each.gaps)
        )
        lines += [
            f'{day.name}: missing for {pluralize(count, "decision")}: '
            f'{sanitize(gap)}' for gap, count in counts.most_common()
        ]
    return lines


def get_exit_status(result: RollingResult) -> int:
    """Return LOST where a later day loses what the first placed.

    UNVERIFIED where the journal's own configuration makes an exact decision
    otherwise, or no decision of a day could be made again.
    """
    if result.verification is not None and result.verification.differences:
        return UNVERIFIED
    if any(report.is_unanswered(day.changes) for day in result.days):
        return UNVERIFIED
    lost = any(
        change.transition is Transition.PLACED_NONE
        and change.exactness is not Exactness.NOT_REPLAYABLE
        for day in result.days for change in day.changes
    )
    return LOST if lost else 0


def to_dict(result: RollingResult) -> dict[str, Any]:
    """Return the whole as JSON-ready data."""
    return {
        'sentence': describe(result),
        'verification': result.verification and report.verification_to_dict(
            result.verification
        ),
        'requests': len(result.journals.originals),
        'servers': result.servers,
        'configurations': [_day_to_dict(result, day) for day in result.days],
        'notes': [*summarize(result), *result.journals.notes],
    }


def _day_to_dict(result: RollingResult, day: RollingDay) -> dict[str, Any]:
    cloud, first = day.cloud, day.first_change
    changes = [
        change for change in day.changes
        if change.transition is not Transition.SAME
    ]
    return {
        'name': day.name, 'placed': day.placed,
        'refused': result.servers - day.placed,
        'by_nova': dict(Counter(
            each.fallback for each in day.results.values() if each.fallback
        )),
        'drawn': sum(bool(each.best) for each in day.results.values()),
        'transitions': dict(Counter(
            change.transition.name.lower() for change in day.changes
        )),
        'first_divergence': first and report.change_to_dict(first),
        'causes': [
            {'transition': transition.name.lower(), 'cause': text,
             'decisions': count}
            for transition, text, count in _list_causes(day)
        ],
        'cloud': {
            'hosts': cloud.hosts, 'empty_hosts': cloud.empty,
            'servers': cloud.servers, 'free': dict(cloud.free),
            'stranded': dict(cloud.stranded),
            'largest_flavor': cloud.largest or None,
        },
        'decisions': [
            {
                'request_id': result.journals.originals[key].request_id,
                'outcome': each.outcome,
                'hosts': [host for host, _ in each.first_hosts],
            } for key, each in day.results.items()
        ],
        'changes': [
            report.change_to_dict(change)
            for change in changes[:report.MAX_CHANGES]
        ],
        'unlisted': max(0, len(changes) - report.MAX_CHANGES),
    }
