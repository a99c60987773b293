"""Define the schemas of child zones, and of this one."""

import sys

from nova_ext.api.schemas.parts import (
    COUNT,
    END,
    FLAG,
    ID,
    INT32,
    NUMBER,
    ROW_ID,
    TEXT,
    UUID,
    Schema,
    answer,
    closed,
    list_of,
    map_of,
    or_null,
)

ZONE_ID = ROW_ID
#: A word that is no number alone: an ID can't be taken for a name.
_ZONE_NAME = {
    'type': 'string', 'maxLength': 255,
    'pattern': '^[0-9]*[A-Za-z._-][A-Za-z0-9._-]*' + END,
}
_ZONE_FIELDS: Schema = {
    'name': _ZONE_NAME,
    # Without a user, a password or a query, which may be secrets.
    'url': {
        'type': 'string', 'maxLength': 255,
        'pattern': '^https?://[A-Za-z0-9._:\\[\\]-]+(/[A-Za-z0-9._~/-]*)?'
        + END,
    },
    # The name of an entry in clouds.yaml: neither a path nor a secret.
    'cloud': {
        'type': 'string', 'maxLength': 255,
        'pattern': '^[A-Za-z0-9._-]+' + END,
    },
    'weight_scale': {'type': 'number', 'minimum': 0, 'maximum': INT32},
    'weight_offset': {
        'type': 'number', 'minimum': -INT32, 'maximum': INT32,
    },
    'disabled': {'type': 'boolean'},
    'shared': {'type': 'boolean'},
}
#: Names in clouds.yaml by project; null: no longer.
_PROJECTS = {
    'type': 'object', 'propertyNames': ID, 'maxProperties': 1000,
    'additionalProperties': or_null(_ZONE_FIELDS['cloud']),
}
NEW_ZONE = closed(['zone'], zone=closed(
    ['name', 'url', 'cloud'], **_ZONE_FIELDS
))
CHANGED_ZONE = closed(['zone'], zone={
    **closed(**_ZONE_FIELDS, projects=_PROJECTS), 'minProperties': 1,
})
LISTING = {'name': _ZONE_NAME}
#: With servers of builds.
DELETION = {'force': {'enum': ['true', 'false']}}
#: Neither blank nor with a separator of the text form. What a zone sends may
#: have a million letters: each is looked at once.
_CAPABILITY = {'type': 'string', 'pattern': r'^\s*[^=;,\s][^=;,]*$'}
_FINITE = {
    **NUMBER, 'minimum': -sys.float_info.max, 'maximum': sys.float_info.max,
}
_SUMMARIES = {**map_of({
    **closed(min=_FINITE, max=_FINITE, values={
        **list_of(_CAPABILITY), 'minItems': 1,
    }), 'minProperties': 1,
    'dependentRequired': {'min': ['max'], 'max': ['min']},
}), 'propertyNames': _CAPABILITY}
_CAPABILITIES = answer(general=_SUMMARIES, services={
    **map_of(_SUMMARIES), 'propertyNames': _CAPABILITY,
})
_ZONE = answer(
    id=ZONE_ID, name=TEXT, url=TEXT, is_active=FLAG, disabled=FLAG,
    cloud=TEXT, weight_scale=NUMBER, weight_offset=NUMBER,
    uuid=or_null(UUID), own_name=TEXT, gathering=FLAG,
    capabilities=_CAPABILITIES, created_at=TEXT, inactive_since=or_null(TEXT),
    last_contact=or_null(TEXT), errors=COUNT, last_error=TEXT,
    shared=FLAG, projects=map_of(TEXT),
)
ZONES = answer(zones=list_of(_ZONE))
ZONE = answer(zone=_ZONE)
INFO = answer(zone=answer(
    uuid=UUID, name=TEXT, gathering=FLAG, capabilities=_CAPABILITIES,
))
#: Servers of builds that a deleted zone has, or may have. ``zone`` is null
#: for a parent zone's: it knows the build.
LEFT = answer(left=list_of(answer(
    build_id=UUID, zone=or_null(TEXT), server_id=or_null(UUID), state=TEXT,
)))
