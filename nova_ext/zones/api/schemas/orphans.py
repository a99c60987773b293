"""Define the schemas of servers that are found by their tags."""

from nova_ext.api.schemas.parts import (
    END,
    TEXT,
    UUID,
    UUID_PATTERN,
    answer,
    list_of,
)

#: Zones that a question passes, the one of the builds first.
SERVER_LISTING = {'path': {
    'type': 'string',
    'pattern': f'^{UUID_PATTERN}(,{UUID_PATTERN}){{0,15}}{END}',
}}
_SILENT = list_of(answer(zone=TEXT, reason=TEXT))
_SERVERS = list_of(answer(
    server_id=UUID, name=TEXT, status=TEXT, created_at=TEXT, project_id=TEXT,
    tag=TEXT, zone=TEXT,
))
SERVERS = answer(servers=_SERVERS, silent=_SILENT)
ORPHANS = answer(orphans=_SERVERS, silent=_SILENT)
