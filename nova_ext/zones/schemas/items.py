"""Define the schemas of items that a parent zone sends."""

from nova_ext.api.schemas.parts import (
    END,
    INT64,
    UUID,
    WORD,
    answer,
    closed,
    list_of,
    or_null,
)
from nova_ext.zones import states
from nova_ext.zones.schemas import offers

NEW_ITEM = closed(['item'], item=closed(
    ['build', 'parent', 'name', 'request', 'request_id', 'offer',
     'expires_at', 'via', 'tag', 'deadline_s'],
    build=UUID, parent=UUID, name=WORD,
    request=offers.BUILD,
    request_id=offers.REQUEST_IDS['items'],
    offer={'type': 'string', 'pattern': '^[A-Za-z0-9._-]{1,255}' + END},
    expires_at={'type': 'integer', 'minimum': 0, 'maximum': INT64},
    via={**offers.PATH, 'minItems': 0},
    tag={'type': 'string', 'pattern': '^nx:[A-Za-z0-9._-]{1,57}' + END},
    deadline_s={'type': 'number', 'minimum': 1, 'maximum': 300},
))
#: UUID of the zone that the caller means, and seconds for the answer.
_ZONE = {'zone': UUID}
ASKED = {**_ZONE, 'deadline_s': {
    'type': 'integer', 'minimum': 1, 'maximum': 300,
}}
PUT = _ZONE
LISTING = {'build': UUID, **ASKED}
#: Nova's, of a server; and why a zone or a server can't be asked or used.
STATUS = {'type': 'string', 'pattern': f'^[A-Z_]{{1,32}}{END}'}
CODE = {'type': 'string', 'pattern': f'^[a-z0-9_:]{{0,64}}{END}'}
#: ``status`` says which server is ACTIVE.
_ITEM = answer(
    key=UUID, state={'enum': [
        state for state in states.ITEM_STATES if state != states.ACTIVE
    ]},
    server_id=or_null(UUID), status=or_null(STATUS), reason=or_null(CODE),
)
ITEM, ITEMS = answer(item=_ITEM), answer(items=list_of(_ITEM))
