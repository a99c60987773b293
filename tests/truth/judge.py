"""Hold an explanation against the truth: right, vague, wrong or silent."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.truth import causes
from tests.truth.explained import Explained
from tests.truth.model import PLACEMENT, REQUEST, HOSTS, Left, Truth, hosts

RIGHT, VAGUE, WRONG, SILENT = 'right', 'vague', 'wrong', 'silent'
VERDICTS = (RIGHT, VAGUE, WRONG, SILENT)

#: What to do where something can't be seen; one of them has to be named.
REMEDY = re.compile(r'--log|simulate|nova-ext-scheduler|scheduler mode')

#: Verdicts of rows of hosts that passed.
_PASSED = ('chosen', 'alternate', 'passed')
#: Outcomes of requests that got a host, as far as the filters know.
_SUCCESSES = ('placed', 'passed')
#: Stages in front of the filters: a row may name either.
_EARLY = (PLACEMENT, REQUEST)


@dataclass(frozen=True)
class Judgement:
    """Hold a verdict, and why it is not right."""

    verdict: str
    why: str = ''


class _Finding(Exception):
    """Carry a judgement that is final."""

    def __init__(self, verdict: str, why: str) -> None:
        super().__init__(why)
        self.judgement = Judgement(verdict, why)


def judge(
    explained: Explained, truth: Truth, request_id: str, *, plugin: bool
) -> Judgement:
    """Judge an explanation.

    :param request_id: of the request that is to be explained.
    :param plugin: whether a stock nova-scheduler decided. Hosts that did not
        reach its filters may stand as unknown beside those that did.
    """
    try:
        return _judge(explained, truth, request_id, plugin=plugin)
    except _Finding as finding:
        return finding.judgement


def _judge(
    explained: Explained, truth: Truth, request_id: str, *, plugin: bool
) -> Judgement:
    document = explained.document
    if not document:
        return _judge_silence(explained, truth)
    if document['request_id'] != request_id:
        # It may say that the newest operation left nothing, and why.
        if REMEDY.search(explained.notes + explained.sentence) and (
            request_id in explained.notes + explained.sentence
        ):
            return Judgement(SILENT)
        raise _Finding(WRONG, 'tells of another request')
    if (document['outcome'] in _SUCCESSES) != bool(truth.passed):
        raise _Finding(WRONG, f'says {document["outcome"] or "no end"}')
    _check_causes(explained, truth)
    judgements = [
        *_judge_end(explained, truth),
        *(_judge_hosts(document, explained.sentence, truth)
          if truth.left or truth.passed else ()),
    ]
    return _sum_up(judgements, explained, plugin=plugin)


def _sum_up(
    judgements: Collection[Judgement], explained: Explained, *, plugin: bool
) -> Judgement:
    verdicts = {judgement.verdict for judgement in judgements}
    for verdict in (WRONG, VAGUE, SILENT):
        if verdict not in verdicts:
            continue
        why = '; '.join(dict.fromkeys(
            j.why for j in judgements if j.verdict == verdict
        ))
        if verdict == SILENT and plugin and RIGHT in verdicts:
            continue
        if verdict == SILENT and not REMEDY.search(
            explained.sentence + explained.notes
        ):
            why += ', and not what to do'
        return Judgement(verdict, why)
    return Judgement(RIGHT)


def _judge_silence(explained: Explained, truth: Truth) -> Judgement:
    """Judge an answer that has no decision."""
    if REMEDY.search(explained.message):
        return Judgement(SILENT)
    return Judgement(SILENT, f'{explained.message}, and not what to do')


def _check_causes(explained: Explained, truth: Truth) -> None:
    """Refuse a sentence that names a cause of nothing."""
    wanted = [
        _strip(cause) for part in truth.left
        for cause in (*part.causes, *part.also)
    ] + [_strip(end) for end in truth.end]
    extra = causes.find(explained.sentence) - causes.find_all(wanted)
    if extra:
        raise _Finding(WRONG, f'names {", ".join(sorted(extra))}')


def _strip(pattern: str) -> str:
    """Return a regular expression as the words that it matches."""
    return re.sub(r'\\b|[\\()?:|]', ' ', pattern)


def _judge_end(explained: Explained, truth: Truth) -> Iterator[Judgement]:
    for pattern in truth.end:
        if re.search(pattern, explained.sentence, re.IGNORECASE):
            yield Judgement(RIGHT)
        else:
            yield Judgement(VAGUE, f'lacks {pattern}')
    for pattern in truth.notes:
        if not re.search(pattern, explained.notes, re.IGNORECASE):
            yield Judgement(VAGUE, f'no note has {pattern}')


def _judge_hosts(
    document: Mapping[str, Any], sentence: str, truth: Truth
) -> Iterator[Judgement]:
    rows = document['rows']
    total = sum(row['count'] for row in rows)
    if total > len(HOSTS):
        raise _Finding(WRONG, f'counts {total} hosts')
    yield from _judge_passed(rows, truth)
    told = _name_hosts(rows)
    early = [part for part in truth.left if part.stage in _EARLY]
    for part in truth.left:
        # Where all hosts lack the same, the sentence may tell what.
        more = sentence if early == [part] else ''
        if part in early and total < len(HOSTS):
            # Counted are only those that reached the filters.
            yield Judgement(SILENT, 'does not count all hosts')
        elif part.is_number:
            yield from _judge_number(rows, part, more)
        else:
            for host in sorted(hosts(part.names)):
                row = told.get(host)
                reason = _get_reason(document, row, host) if row else ''
                yield _judge_host(host, part, row, reason, more)


def _judge_number(
    rows: Collection[Mapping[str, Any]], part: Left, more: str
) -> Iterator[Judgement]:
    """Judge how many hosts left at a stage."""
    there = [row for row in rows if _is_at(row, part.stage)]
    unknown = sum(row['count'] for row in rows if _is_unknown(row))
    count = sum(row['count'] for row in there)
    if count > part.count or count + unknown < part.count:
        raise _Finding(WRONG, f'{count} left at {part.stage}')
    if count < part.count:
        yield Judgement(SILENT, 'unknown')
    for row in there:
        yield _judge_reason(row['reason'], part, more)


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
    """Judge which hosts were left, and which of them was chosen."""
    if not truth.passed:
        return
    passed = [row for row in rows if row['verdict'] in _PASSED]
    named = {host for row in passed for host in row['hosts']}
    count = sum(row['count'] for row in passed)
    any_ = truth.passed.isdecimal()
    right = frozenset(HOSTS) if any_ else hosts(truth.passed)
    wanted = int(truth.passed) if any_ else len(right)
    if not named <= right or count != wanted:
        raise _Finding(WRONG, f'says that {count} passed: {sorted(named)}')
    chosen = {
        host for row in passed if row['verdict'] == 'chosen'
        for host in row['hosts']
    }
    if not chosen <= (hosts(truth.chosen) or right):
        raise _Finding(WRONG, f'says that {sorted(chosen)} was chosen')
    yield Judgement(RIGHT)


def _judge_host(
    host: str, part: Left, row: Mapping[str, Any] | None, reason: str,
    more: str,
) -> Judgement:
    """Judge what is told of one host.

    :param more: words that stand beside the reason.
    """
    if row is None:
        return Judgement(VAGUE, f'{host} is not told')
    if _is_unknown(row):
        return Judgement(SILENT, f'{row["reason"] or "unknown"}')
    if not _is_at(row, part.stage):
        return Judgement(WRONG, (
            f'{host} left at {row["stage"] or row["verdict"]}, not at '
            f'{part.stage}'
        ))
    judgement = _judge_reason(reason, part, more)
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


def _judge_reason(reason: str, part: Left, more: str) -> Judgement:
    words = _strip(' '.join((*part.causes, *part.also)))
    if extra := causes.find(reason) - causes.find(words):
        return Judgement(WRONG, ', '.join(sorted(extra)))
    missing = [
        cause for cause in part.causes
        if not re.search(cause, f'{reason} {more}', re.IGNORECASE)
    ]
    if missing:
        return Judgement(VAGUE, f'{part.stage}: lacks {", ".join(missing)}')
    return Judgement(RIGHT)


def _is_at(row: Mapping[str, Any], stage: str) -> bool:
    """Say whether a row's hosts left at a stage."""
    return row['stage'] == stage or (
        row['stage'] in _EARLY and stage in _EARLY
    )


def _is_unknown(row: Mapping[str, Any]) -> bool:
    return row['verdict'] in ('unknown', 'untried') and not row['stage']
