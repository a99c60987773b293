"""Compare what is told of each host with the truth."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tests.truth import causes
from tests.truth.model import (
    CLAIM,
    HOSTS,
    PLACEMENT,
    REQUEST,
    Left,
    Situation,
    Truth,
    hosts,
)
from tests.truth.verdict import RIGHT, SILENT, VAGUE, WRONG, Finding, Judgement

#: Verdicts of rows of hosts that passed.
_PASSED = ('chosen', 'alternate', 'passed')
#: Stages in front of the filters: a row may name either.
_EARLY = {PLACEMENT, REQUEST}


def judge_hosts(
    document: Mapping[str, Any], situation: Situation
) -> Iterator[Judgement]:
    """Yield a judgement for each host, or for hosts that are only counted.

    :param document: as explain prints it.
    :raises Finding: for what no other host can make up for.
    """
    sentence, rows = document['sentence'], document['rows']
    truth = situation.truth
    total = sum(row['count'] for row in rows)
    if total > len(HOSTS):
        raise Finding(WRONG, f'counts {total} hosts')
    _check_left_out(document, truth)
    yield from _judge_passed(rows, truth)
    told = _name_hosts(rows)
    early = [part for part in truth.left if part.stages & _EARLY]
    for part in truth.left:
        # Where all hosts lack the same, the sentence may tell what.
        more = sentence if early == [part] and part.count == total else ''
        if part in early and total < len(HOSTS):
            # Counted are only those that reached the filters.
            yield Judgement(SILENT, 'does not count all hosts')
        elif part.is_number:
            yield from _judge_number(
                rows, part, more, [*situation.list_facts(), *(
                    cause for other in _list_beside(part, truth)
                    for cause in other.causes
                )], sum(other.count for other in _list_beside(part, truth)),
                _find_group(document, part),
            )
        else:
            for host in sorted(hosts(part.names)):
                row = told.get(host)
                reason = _get_reason(document, row, host) if row else ''
                if part in early:
                    reason += _find_lacks(document, host)
                also = situation.list_facts(host)
                yield _judge_host(host, part, row, reason, more, also)


def _list_beside(part: Left, truth: Truth) -> list[Left]:
    """Return what else is only counted at the same stage."""
    return [
        other for other in truth.left
        if other.is_number and other.stage == part.stage and other != part
    ]


def _judge_number(
    rows: Collection[Mapping[str, Any]], part: Left, more: str,
    also: Collection[str], beside: int, group: str,
) -> Iterator[Judgement]:
    """Judge how many hosts left at a stage.

    :param also: what is true of these or of the hosts beside them.
    :param beside: how many other hosts are counted at the stage.
    :param group: what placement answered later of as many hosts.
    """
    there = [row for row in rows if _is_at(row, part)]
    unknown = sum(row['count'] for row in rows if _is_unknown(row))
    count, expected = sum(row['count'] for row in there), part.count + beside
    if count > expected or count + unknown < expected:
        raise Finding(WRONG, f'{count} left at {part.stage}')
    if count < expected:
        yield Judgement(SILENT, 'unknown')
    for row in there:
        # Two groups have one reason; only what was asked later divides them.
        reason = group if beside else row['reason']
        yield _judge_reason(reason, part, more, also)


def _find_group(document: Mapping[str, Any], part: Left) -> str:
    """Return what placement answered later of as many hosts."""
    diagnosis = document['decision'].get('asked_again') or {}
    return '; '.join(
        clause for group in diagnosis.get('left_out', ())
        if group['count'] == part.count for clause in group['lacks']
    )


def _name_hosts(rows: Collection[Mapping[str, Any]]) -> dict[str, Any]:
    """Return each host's row.

    A row may name fewer hosts than it counts: what no row names belongs to
    the only row that lacks names.
    """
    told = {host: row for row in rows for host in row['hosts']}
    short = [row for row in rows if len(row['hosts']) < row['count']]
    if len(short) == 1:
        told |= {host: short[0] for host in HOSTS if host not in told}
    return told


def _judge_passed(
    rows: Collection[Mapping[str, Any]], truth: Truth
) -> Iterator[Judgement]:
    """Judge which hosts were left, and which of them was chosen.

    A host whose claim is refused had passed. Plugin mode sees no more of it.
    """
    if not truth.passed:
        return
    passed = [row for row in rows if row['verdict'] in _PASSED or (
        row['stage'] == CLAIM
        and not any(CLAIM in part.stages for part in truth.left)
    )]
    named = {host for row in passed for host in row['hosts']}
    count = sum(row['count'] for row in passed)
    any_ = truth.passed.isdecimal()
    right = frozenset(HOSTS) if any_ else hosts(truth.passed)
    wanted = int(truth.passed) if any_ else len(right)
    if not named <= right or count != wanted:
        raise Finding(WRONG, f'says that {count} passed: {sorted(named)}')
    chosen = {
        host for row in passed if row['verdict'] == 'chosen'
        for host in row['hosts']
    }
    if not chosen <= (hosts(truth.chosen) or right):
        raise Finding(WRONG, f'says that {sorted(chosen)} was chosen')
    yield Judgement(RIGHT)


def _judge_host(
    host: str, part: Left, row: Mapping[str, Any] | None, reason: str,
    more: str, also: Collection[str],
) -> Judgement:
    """Judge what is told of one host.

    :param more: words that stand beside the reason.
    :param also: what is true of the host as well.
    """
    if row is None:
        return Judgement(VAGUE, f'{host} is not told')
    if _is_unknown(row):
        return Judgement(SILENT, f'{row["reason"] or "unknown"}')
    if not _is_at(row, part):
        return Judgement(WRONG, (
            f'{host} left at {row["stage"] or row["verdict"]}, not at '
            f'{part.stage}'
        ))
    judgement = _judge_reason(reason, part, more, also)
    if judgement.verdict == WRONG:
        return Judgement(WRONG, f'{host}: {judgement.why}')
    return judgement


def _get_reason(
    document: Mapping[str, Any], row: Mapping[str, Any], host: str
) -> str:
    """Return the reason of one host of a row.

    The row's own names hosts behind what concerns them alone; the decision
    has the reason without that.
    """
    if not row['reasons'] or host in row['reasons']:
        return str(row['reasons'].get(host, row['reason']))
    decision = document['decision']
    rejections = [
        *filter(None, [decision['absent']]), *decision['kept_out'], *(
            rejection for attempt in decision['attempts']
            for step in attempt['steps'] for rejection in step['rejections']
        ),
    ]
    shared = [
        rejection['reason'] for rejection in rejections
        if row['reason'].startswith(rejection['reason'])
    ]
    return max(shared, key=len, default='')


def _find_lacks(document: Mapping[str, Any], host: str) -> str:
    """Return what placement answered later that a host lacked."""
    diagnosis = document['decision'].get('asked_again') or {}
    lacks = [
        clause for group in diagnosis.get('left_out', ())
        if host in group['hosts'] for clause in group['lacks']
    ]
    examples = [
        example for example in diagnosis.get('examples', ())
        if example.startswith(f'{host}:')
    ]
    return ' '.join(['', *lacks, *examples])


def _check_left_out(document: Mapping[str, Any], truth: Truth) -> None:
    """Refuse to be told that placement left out what it did not."""
    if any(part.is_number for part in truth.left):
        return
    diagnosis = document['decision'].get('asked_again') or {}
    told = {
        host for group in diagnosis.get('left_out', ())
        for host in group['hosts']
    }
    early = {
        host for part in truth.left if part.stages & _EARLY
        for host in hosts(part.names)
    }
    if told - early:
        raise Finding(WRONG, (
            f'says that placement left out {sorted(told - early)}'
        ))


def _judge_reason(
    reason: str, part: Left, more: str, also: Collection[str]
) -> Judgement:
    words = causes.strip(' '.join((*part.causes, *also)))
    if extra := causes.find(reason) - causes.find(words):
        return Judgement(WRONG, ', '.join(sorted(extra)))
    missing = [
        cause for cause in part.causes
        if not re.search(cause, f'{reason} {more}', re.IGNORECASE)
    ]
    if missing:
        return Judgement(VAGUE, f'{part.stage}: lacks {", ".join(missing)}')
    return Judgement(RIGHT)


def _is_at(row: Mapping[str, Any], part: Left) -> bool:
    """Say whether a row's hosts left where they did."""
    return row['stage'] in part.stages or (
        row['stage'] in _EARLY and bool(part.stages & _EARLY)
    )


def _is_unknown(row: Mapping[str, Any]) -> bool:
    return row['verdict'] in ('unknown', 'untried') and not row['stage']
