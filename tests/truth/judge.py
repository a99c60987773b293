"""Compare an explanation with the truth: right, vague, wrong or silent."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tests.truth import causes, judge_hosts
from tests.truth.explained import Explained
from tests.truth.model import REQUEST, Situation, Truth
from tests.truth.verdict import RIGHT, SILENT, VAGUE, WRONG, Finding, Judgement

#: What to do where something can't be seen; one of them has to be named.
REMEDY = re.compile(r'--log|simulate|nova-ext-scheduler|scheduler mode')

#: Outcomes of requests that got a host, as far as the filters know.
_SUCCESSES = ('placed', 'passed')
#: The verdict on a host that was refused after the decision.
_REFUSED_LATER = 'refused later'
#: What stands in a sentence on a request that was made again.
_OF_NOW = 'asked again now'


def judge(
    explained: Explained, situation: Situation, request_id: str, *,
    plugin: bool,
) -> Judgement:
    """Judge an explanation.

    :param request_id: of the request that is to be explained.
    :param plugin: whether a stock nova-scheduler decided. Hosts that did not
        reach its filters may stand as unknown beside those that did.
    """
    try:
        return _judge(explained, situation, request_id, plugin=plugin)
    except Finding as finding:
        return finding.judgement


def _judge(
    explained: Explained, situation: Situation, request_id: str, *,
    plugin: bool,
) -> Judgement:
    document, truth = explained.document, situation.truth
    if document.get('decision') is None:
        return _judge_message(explained, truth)
    if _OF_NOW in explained.sentence:
        situation = situation.now
    document = _read_refusals(document)
    if document['request_id'] != request_id:
        # It may say that the newest operation left nothing, and why.
        if REMEDY.search(explained.notes + explained.sentence) and (
            request_id in explained.notes + explained.sentence
        ):
            return Judgement(SILENT)
        raise Finding(WRONG, 'tells of another request')
    if _has_host(document) != bool(truth.passed):
        raise Finding(WRONG, f'says {document["outcome"] or "no end"}')
    _check_causes(explained, situation)
    judgements = [
        *_judge_end(explained, truth, plugin=plugin),
        *(judge_hosts.judge_hosts(document, situation)
          if truth.left or truth.passed else ()),
    ]
    return _sum_up(judgements, explained, plugin=plugin)


def _read_refusals(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a document in which a host refused later is none that passed."""
    return {**document, 'rows': [
        {**row, 'stage': REQUEST, 'reason': _REFUSED_LATER}
        if row['verdict'] == _REFUSED_LATER else row
        for row in document['rows']
    ]}


def _has_host(document: Mapping[str, Any]) -> bool:
    """Say whether a request got a host, as it is explained."""
    return document['outcome'] in _SUCCESSES and all(
        row['verdict'] != _REFUSED_LATER for row in document['rows']
    )


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
        if verdict == SILENT:
            if REMEDY.search(explained.sentence + explained.notes):
                return Judgement(SILENT)
            why += ', and not what to do'
        return Judgement(verdict, why)
    return Judgement(RIGHT)


def _judge_message(explained: Explained, truth: Truth) -> Judgement:
    """Judge an answer that has no decision: it may be a refusal."""
    text = f'{explained.sentence}\n{explained.notes}'
    if truth.end and all(
        re.search(end, text, re.IGNORECASE) for end in truth.end
    ):
        return Judgement(RIGHT)
    if f'forced its host, {truth.chosen}: no filter was asked' in text:
        return Judgement(RIGHT)
    if REMEDY.search(text):
        return Judgement(SILENT)
    return Judgement(SILENT, f'{explained.sentence}, and not what to do')


def _check_causes(explained: Explained, situation: Situation) -> None:
    """Refuse a sentence that names a cause of nothing."""
    truth = situation.truth
    true = [
        *(cause for part in truth.left for cause in part.causes),
        *truth.end, *situation.list_facts(),
    ]
    extra = causes.find(explained.sentence) - causes.find_all(
        map(causes.strip, true)
    )
    if extra:
        raise Finding(WRONG, f'names {", ".join(sorted(extra))}')


def _judge_end(
    explained: Explained, truth: Truth, *, plugin: bool
) -> Iterator[Judgement]:
    # What happened before the filters, and to hosts that passed them, is not
    # seen there.
    lacking = SILENT if plugin and truth.passed else VAGUE
    for patterns, text in (
        (truth.end, explained.sentence), (truth.notes, explained.notes),
    ):
        for pattern in patterns:
            if re.search(pattern, text, re.IGNORECASE):
                yield Judgement(RIGHT)
            else:
                yield Judgement(lacking, f'lacks {pattern}')
