"""Define the schemas of servers that are found by their tags."""

from nova_ext.api.schemas.parts import (
    END,
    TEXT,
    UUID,
    UUID_PATTERN,
    answer,
    list_of,
)
from nova_ext.zones.schemas.items import CODE, STATUS

#: Zones that a question passes, the one of the builds first.
SERVER_LISTING = {'path': {
    'type': 'string',
    'pattern': f'^{UUID_PATTERN}(,{UUID_PATTERN}){{0,15}}{END}',
}}
_SHORT = {**TEXT, 'maxLength': 4096}
_SILENT = list_of(answer(zone=_SHORT, reason=CODE))
_SERVERS = list_of(answer(
    server_id=UUID, name=_SHORT, status=STATUS,
    created_at={'type': 'string', 'pattern': (
        '^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}Z' + END
    )},
    project_id={'type': 'string', 'pattern': f'^[A-Za-z0-9-]{{0,64}}{END}'},
    tag={'type': 'string', 'pattern': f'^nx:[!-~]{{1,57}}{END}'}, zone=_SHORT,
))
SERVERS = answer(servers=_SERVERS, silent=_SILENT)
ORPHANS = answer(orphans=_SERVERS, silent=_SILENT)
