"""Define the schemas of answers that everybody gets, and of errors."""

from nova_ext.api.schemas.parts import LINK, TEXT, answer, list_of

_VERSION = answer(
    id=TEXT, status=TEXT, version=TEXT, min_version=TEXT, max_version=TEXT,
    links=list_of(LINK),
)
VERSIONS = answer(versions=list_of(_VERSION))
VERSION = answer(version=_VERSION)
ERRORS = answer(errors=list_of(answer(
    status={'type': 'integer'}, code=TEXT, title=TEXT, detail=TEXT,
    request_id=TEXT,
)))
