"""Define the schemas of decisions and explanations."""

from nova_ext.api.schemas.parts import (
    COUNT,
    ID,
    LIMIT,
    LINK,
    NUMBER,
    ROW_ID,
    TEXT,
    UUID,
    answer,
    extend,
    list_of,
)

DECISION_ID = ROW_ID
LISTING = {
    'server': UUID, 'request': ID, 'project': ID,
    'outcome': {'enum': ['placed', 'passed', 'no valid host', 'failed']},
    'limit': LIMIT,
    'marker': DECISION_ID,
}
PAGE = {'server': UUID}
REQUEST = {'request': ID}
_ROW = answer(
    count=COUNT, hosts=list_of(TEXT), stage=TEXT, verdict=TEXT, reason=TEXT,
)
_WEIGHT = answer(
    host=TEXT, weigher=TEXT, raw=NUMBER, normalised=NUMBER,
    multiplier=NUMBER, contribution=NUMBER,
)
EXPLANATION = answer(
    sentence=TEXT, outcome=TEXT, server=TEXT, request_id=TEXT,
    rows=list_of(_ROW), notes=list_of(TEXT), weights=list_of(_WEIGHT),
    older=COUNT, decision={'type': 'object'},
)
_SUMMARY = answer(
    id=DECISION_ID, at=TEXT, request_id=TEXT, project_id=TEXT,
    servers=list_of(TEXT), topic=TEXT, operation=TEXT, outcome=TEXT,
    scheduler=TEXT, sentence=TEXT,
)
DECISIONS = answer(decisions=list_of(_SUMMARY))
DECISIONS['properties'] |= {
    'decisions_links': list_of(LINK),
    # Of lists about a server or a request.
    'matches': COUNT, 'notes': list_of(TEXT),
}
DECISION = answer(decision=extend(_SUMMARY, explanation=EXPLANATION))
SERVER_EXPLANATION = answer(
    explanation=extend(EXPLANATION, decision_id=DECISION_ID)
)
