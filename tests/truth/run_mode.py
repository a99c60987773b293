"""Make situations in a lab of one mode, one after another."""

import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.truth import explained, judge, lab, nova_words
from tests.truth.ask import Asked
from tests.truth.explained import Explained
from tests.truth.lab import Lab
from tests.truth.model import Situation
from tests.truth.stage import Stage
from tests.truth.verdict import RIGHT, Judgement

#: Seconds within which an explanation has to be right. Placement is asked
#: after the answer, and a record is closed a second after the request.
PATIENCE_S = 30.0
_PAUSE_S = 0.25
#: Seconds in which it is explained, at least once, what can't be seen.
_SILENCE_S = 5.0

#: The verdict on a situation that could not be made.
BROKEN = 'broken'

SCHEDULER, MIRROR, PLUGIN = 'scheduler', 'mirror', 'plugin'
MODES = (SCHEDULER, MIRROR, PLUGIN)


@dataclass(frozen=True)
class Result:
    """Hold what became of one situation in one mode.

    :param nova: verdicts on Nova's own words, by where they stand.
    :param rows: what became of the hosts, as it was explained.
    """

    name: str
    mode: str
    verdict: str
    why: str = ''
    sentence: str = ''
    seconds: float = 0.0
    nova: dict[str, str] = field(default_factory=dict)
    rows: list[Any] = field(default_factory=list)


def run(situations: Iterable[Situation], mode: str) -> Iterator[Result]:
    """Make each situation, those of one configuration together."""
    ordered = sorted(situations, key=lambda each: (
        each.configuration != 'usual', each.configuration
    ))
    with lab.run(mode) as running:
        for situation in ordered:
            started = time.monotonic()
            try:
                result = _make(situation, mode, running)
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)
                lines = ' '.join(
                    f'{frame.name}:{frame.lineno}' for frame in where
                    if 'tests/truth' in frame.filename
                )
                answer = getattr(error, 'response', None)
                why = getattr(answer, 'text', '') or repr(error)
                result = Result(
                    situation.name, mode, BROKEN, f'{why} at {lines}'
                )
            yield Result(**{
                **vars(result), 'seconds': time.monotonic() - started
            })


def _make(situation: Situation, mode: str, running: Lab) -> Result:
    plugin = mode == PLUGIN
    stage = Stage(running.configure(situation.configuration), running)
    try:
        if mode == MIRROR and situation.at_once:
            # What the one before left is read, at least.
            stage.wait_for_mirror()
        for arrangement in situation.arrange:
            arrangement.arrange(stage)
        if mode == MIRROR and not situation.at_once:
            stage.wait_for_mirror()
        log = nova_words.Log(running.folder.log('nova'))
        body = situation.ask.ask(stage)
        told, judgement = _explain(body, situation, plugin=plugin)
        nova = {} if situation.truth.passed or body.explained else {
            'fault': nova_words.judge(body.fault, situation.truth),
            **{
                level: nova_words.judge(
                    log.read(body.request_id, debug=level == 'DEBUG'),
                    situation.truth,
                ) for level in ('INFO', 'DEBUG')
            },
        }
    finally:
        try:
            stage.close()
        except Exception:
            running.discard()
            raise
    return Result(
        situation.name, mode, judgement.verdict, judgement.why,
        told.sentence, nova=nova, rows=told.document.get('rows', []),
    )


def _explain(
    asked: Asked, situation: Situation, *, plugin: bool
) -> tuple[Explained, Judgement]:
    """Explain until that is right, or the time is over."""
    deadline = time.monotonic() + (
        _SILENCE_S if plugin and situation.unseen else PATIENCE_S
    )
    while True:
        told = asked.explained or explained.explain(
            asked.name or asked.server, apart=plugin
        )
        judgement = judge.judge(
            told, situation, asked.request_id, plugin=plugin
        )
        if judgement.verdict == RIGHT or asked.explained or (
            time.monotonic() > deadline
        ):
            return told, judgement
        time.sleep(_PAUSE_S)
