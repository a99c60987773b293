"""Define the schemas of what shadows say of the schedulers' journals."""

from nova_ext.api.schemas.parts import (
    COUNT,
    NUMBER,
    TEXT,
    WORD,
    answer,
    extend,
    list_of,
    map_of,
)
from nova_ext.core.explanation.shadow_report import ShadowState

LISTING = {'host': WORD}
_GROUP = answer(count=COUNT, examples=list_of(TEXT))
_HOST = answer(lost=COUNT, left=COUNT, reached=COUNT, examples=list_of(TEXT))
_HOST['properties'] |= {'used': NUMBER, 'of': TEXT}
_REPORT = answer(
    host=TEXT, file=TEXT, age_s=COUNT,
    state={'enum': [str(state) for state in ShadowState]},
    verification=TEXT, sentence=TEXT, name=TEXT, since=NUMBER, updated=TEXT,
    end=TEXT, requests=COUNT, transitions=map_of(COUNT),
    exactness=map_of(COUNT), verified=map_of(COUNT), unverified=TEXT,
    skipped=list_of(extend(_GROUP, plugin=TEXT, why=TEXT)),
    left_out=list_of(answer(plugin=TEXT, why=TEXT, at=TEXT)),
    causes=list_of(extend(_GROUP, transition=TEXT, cause=TEXT)),
    hosts=map_of(_HOST), decisions=map_of(list_of({'type': 'object'})),
)
SHADOW_REPORTS = answer(shadow_reports=list_of(_REPORT))
