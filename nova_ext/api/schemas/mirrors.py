"""Define the schemas of the mirrors of the schedulers' workers."""

from nova_ext.api.schemas.parts import (
    COUNT,
    NUMBER,
    TEXT,
    answer,
    list_of,
    map_of,
    or_null,
)

#: A worker without a mirror has these alone.
_MIRROR = answer(host=TEXT, worker=COUNT, mode=TEXT, state=TEXT)
_MIRROR['properties'] |= {
    'reason': TEXT, 'age_s': or_null(NUMBER), 'hosts': or_null(COUNT),
    'providers': or_null(COUNT), 'providers_read': or_null(COUNT),
    'refusing': list_of(TEXT),
    'decided': COUNT, 'verified': COUNT, 'differing': COUNT,
    'fallbacks': map_of(COUNT),
}
MIRRORS = answer(mirrors=list_of(_MIRROR))
