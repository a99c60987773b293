"""Define the JSON schemas of requests and of answers.

Requests are closed: an unknown field is refused. Answers are open: later
versions of nova-ext may add fields.
"""

from typing import Any

from nova_ext.core.plugin.answers import MAX_COST
from nova_ext.core.rpc import boot_request
from nova_ext.core.rpc import offers as rpc_offers

Schema = dict[str, Any]

#: Limits of the columns of Nova's database and ours.
_INT32 = 2**31 - 1
_INT64 = 2**63 - 1
#: End a pattern. Python's ``$`` alone lets a line feed follow.
_END = '$(?!\\n)'
#: A name without control characters.
_NAME = {
    'type': 'string', 'maxLength': 255, 'pattern': f'^[^\\x00-\\x1f]*{_END}',
}
#: An image's property, as long as Glance's column.
_PROPERTY = {'type': 'string', 'maxLength': 65535}
_MANY = 10_000
#: Extra specs of a flavor, or properties of an image: an explanation tries
#: each alone where hosts are rejected.
_DEMANDS = 128

TEXT: Schema = {'type': 'string'}
COUNT: Schema = {'type': 'integer', 'minimum': 0}
UUID: Schema = {
    'type': 'string',
    'pattern': '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' + _END,
}
DECISION_ID: Schema = {'type': 'integer', 'minimum': 1, 'maximum': _INT64}
ZONE_ID = DECISION_ID
_ID: Schema = {'type': 'string', 'pattern': '^[A-Za-z0-9._-]{1,64}' + _END}
_AMOUNT: Schema = {'type': 'integer', 'minimum': 0, 'maximum': _INT32}
_NUMBER: Schema = {'type': 'number'}


def closed(required: list[str] | None = None, **properties: Any) -> Schema:
    """Return the schema of an object with these properties and no others."""
    schema: Schema = {
        'type': 'object', 'properties': properties,
        'additionalProperties': False,
    }
    return {**schema, 'required': required} if required else schema


def answer(**properties: Any) -> Schema:
    """Return the schema of an object with at least these properties."""
    return {
        'type': 'object', 'properties': properties,
        'required': list(properties),
    }


def _list(items: Any) -> Schema:
    return {'type': 'array', 'items': items}


def _map(values: Any) -> Schema:
    return {'type': 'object', 'additionalProperties': values}


def _or_null(schema: Any) -> Schema:
    return {'anyOf': [schema, {'type': 'null'}]}


_FLAVOR = closed(
    ['vcpus', 'memory_mb'],
    vcpus={'type': 'integer', 'minimum': 1, 'maximum': boot_request.MAX_CPUS},
    memory_mb={**_AMOUNT, 'minimum': 1},
    root_gb=_AMOUNT, ephemeral_gb=_AMOUNT, swap=_AMOUNT,
    name=_NAME, flavorid=_NAME,
    extra_specs={
        **_map(_NAME), 'propertyNames': _NAME, 'maxProperties': _DEMANDS,
    },
)
_IMAGE = closed(
    id=_NAME, name=_or_null(_NAME), status=_NAME,
    disk_format=_or_null(_NAME), container_format=_or_null(_NAME),
    min_ram=_AMOUNT, min_disk=_AMOUNT,
    size=_or_null({'type': 'integer', 'minimum': 0, 'maximum': _INT64}),
    properties={
        **_map(_PROPERTY), 'propertyNames': _NAME, 'maxProperties': _DEMANDS,
    },
)
_HINTS = {
    'type': 'object', 'maxProperties': 128, 'propertyNames': _NAME,
    'additionalProperties': {'anyOf': [
        _NAME, {'type': 'array', 'items': _NAME, 'maxItems': _MANY},
    ]},
}
_REQUEST = closed(
    ['flavor'],
    flavor=_FLAVOR, image=_IMAGE, boot_from_volume={'type': 'boolean'},
    availability_zone=_NAME, hints=_HINTS, host=_NAME,
    hypervisor_hostname=_NAME,
    ignore_hosts={'type': 'array', 'items': _NAME, 'maxItems': _MANY},
    project_id=_ID, user_id=_ID,
    count={
        'type': 'integer', 'minimum': 1,
        'maximum': boot_request.MAX_SERVERS,
    },
)
_CHANGES = closed(
    filters={
        'type': 'array', 'items': {**_NAME, 'minLength': 1}, 'maxItems': 1000,
    },
    multipliers={
        'type': 'object', 'propertyNames': _NAME,
        'additionalProperties': {
            'type': 'number', 'minimum': -1e12, 'maximum': 1e12,
        },
    },
    driver=_NAME,
)

#: A word that is no number alone: an ID can't be taken for a name.
_ZONE_NAME = {
    'type': 'string', 'maxLength': 255,
    'pattern': '^[0-9]*[A-Za-z._-][A-Za-z0-9._-]*' + _END,
}
_ZONE_FIELDS: Schema = {
    'name': _ZONE_NAME,
    # Without a user, a password or a query, which may be secrets.
    'url': {
        'type': 'string', 'maxLength': 255,
        'pattern': '^https?://[A-Za-z0-9._:\\[\\]-]+(/[A-Za-z0-9._~/-]*)?'
        + _END,
    },
    # The name of an entry in clouds.yaml: neither a path nor a secret.
    'cloud': {
        'type': 'string', 'maxLength': 255,
        'pattern': '^[A-Za-z0-9._-]+' + _END,
    },
    'weight_scale': {'type': 'number', 'minimum': 0, 'maximum': _INT32},
    'weight_offset': {
        'type': 'number', 'minimum': -_INT32, 'maximum': _INT32,
    },
    'disabled': {'type': 'boolean'},
}
_REQUEST_IDS = {
    'type': 'array', 'minItems': 1, 'maxItems': rpc_offers.MAX_SLOTS,
    'uniqueItems': True,
    'items': {'type': 'string', 'pattern': f'^{rpc_offers.REQUEST_ID}{_END}'},
}
#: Zones that a question passes, the root first. None is passed twice.
_PATH = {
    'type': 'array', 'items': UUID, 'minItems': 1, 'maxItems': 16,
    'uniqueItems': True,
}

#: Bodies.
WHAT_IF = closed(['request'], request=_REQUEST, changes=_CHANGES)
NEW_ZONE = closed(['zone'], zone=closed(
    ['name', 'url', 'cloud'], **_ZONE_FIELDS
))
CHANGED_ZONE = closed(['zone'], zone={
    **closed(**_ZONE_FIELDS), 'minProperties': 1,
})
OFFER_QUESTION = closed(
    ['request', 'request_ids', 'path', 'deadline_s'],
    request=closed(['flavor'], **{
        name: _REQUEST['properties'][name] for name in (
            'flavor', 'image', 'boot_from_volume', 'availability_zone',
            'hints',
        )
    }),
    request_ids=_REQUEST_IDS, path=_PATH,
    deadline_s={'type': 'number', 'minimum': 1, 'maximum': 60},
)
OFFER_IDS = closed(['request_ids'], request_ids=_REQUEST_IDS)

#: Values of queries.
LISTING = {
    'server': UUID, 'request': _ID, 'project': _ID,
    'outcome': {'enum': ['placed', 'passed', 'no valid host', 'failed']},
    'limit': {'type': 'integer', 'minimum': 1, 'maximum': 1000},
    'marker': DECISION_ID,
}
PAGE = {'server': UUID}
REQUEST = {'request': _ID}
ZONE_LISTING = {'name': _ZONE_NAME}

#: Parts of answers.
_ROW = answer(
    count=COUNT, hosts=_list(TEXT), stage=TEXT, verdict=TEXT, reason=TEXT,
)
_WEIGHT = answer(
    host=TEXT, weigher=TEXT, raw=_NUMBER, normalised=_NUMBER,
    multiplier=_NUMBER, contribution=_NUMBER,
)
_EXPLANATION = answer(
    sentence=TEXT, outcome=TEXT, server=TEXT, request_id=TEXT,
    rows=_list(_ROW), notes=_list(TEXT), weights=_list(_WEIGHT), older=COUNT,
    decision={'type': 'object'},
)
_SUMMARY = answer(
    id=DECISION_ID, at=TEXT, request_id=TEXT, project_id=TEXT,
    servers=_list(TEXT), topic=TEXT, operation=TEXT, outcome=TEXT,
    scheduler=TEXT, sentence=TEXT,
)
_ROOM = answer(least=COUNT, most=COUNT)
_EXTENSION = answer(name=TEXT, source=TEXT, hints=_or_null(_list(TEXT)))
_SUMMARIES = _map({
    'type': 'object', 'properties': {
        'min': _NUMBER, 'max': _NUMBER, 'values': _list(TEXT),
    },
})
_CAPABILITIES = answer(general=_SUMMARIES, services=_map(_SUMMARIES))
_FLAG = {'type': 'boolean'}
_ZONE = answer(
    id=ZONE_ID, name=TEXT, url=TEXT, is_active=_FLAG, disabled=_FLAG,
)
_LINK = answer(rel=TEXT, href=TEXT)
_VERSION = answer(
    id=TEXT, status=TEXT, version=TEXT, min_version=TEXT, max_version=TEXT,
    links=_list(_LINK),
)


def _extended(schema: Schema, **properties: Any) -> Schema:
    return answer(**schema['properties'], **properties)


#: Whole answers.
VERSIONS = answer(versions=_list(_VERSION))
VERSION = answer(version=_VERSION)
DECISIONS = answer(decisions=_list(_SUMMARY))
DECISIONS['properties'] |= {
    'decisions_links': _list(_LINK),
    # Of lists about a server or a request.
    'matches': COUNT, 'notes': _list(TEXT),
}
DECISION = answer(decision=_extended(_SUMMARY, explanation=_EXPLANATION))
EXPLANATION = answer(
    explanation=_extended(_EXPLANATION, decision_id=DECISION_ID)
)
SIMULATION = answer(simulation=_EXPLANATION)
CAPACITY = answer(capacity=answer(
    total=_ROOM, zones=_map(_ROOM), aggregates=_map(_ROOM), hosts=_map(_ROOM),
    full=_map(COUNT), bounded={'type': 'boolean'},
    sampled={'type': 'boolean'}, comparing=_list(TEXT),
    unknown={'type': 'boolean'}, decision=_or_null(_EXPLANATION),
))
FILTERS = answer(scheduler=TEXT, filters=_list(_EXTENSION))
WEIGHERS = answer(scheduler=TEXT, weighers=_list(
    _extended(_EXTENSION, multiplier=_or_null(_NUMBER))
))
for _listed in FILTERS, WEIGHERS:
    # Where no nova-ext-scheduler answers: when a decision was made by them.
    _listed['properties']['decided_at'] = TEXT
DRIVERS = answer(
    scheduler=TEXT, drivers=_list(_extended(_EXTENSION, topic=TEXT))
)
COSTS = answer(
    scheduler=TEXT, costs=_list(_extended(_EXTENSION, weight=COUNT))
)
OFFERS = answer(
    offers=_list(answer(
        request_id=TEXT,
        cost={'type': 'integer', 'minimum': 0, 'maximum': MAX_COST},
        offer=TEXT, expires_at=COUNT,
    )),
    reason={'enum': [None, 'no_room', 'held', 'asked_before']},
    lacking=_map(COUNT), held_until=_or_null(COUNT),
)
GIVEN_BACK = answer(given_back=COUNT)
HINTS = answer(
    hints=_list(answer(name=TEXT, read_by=_list(TEXT))),
    undeclared=_list(TEXT),
)
ZONES = answer(zones=_list(_ZONE))
_DETAILED_ZONE = _extended(
    _ZONE, cloud=TEXT, weight_scale=_NUMBER, weight_offset=_NUMBER,
    uuid=_or_null(UUID), own_name=TEXT, gathering=_FLAG,
    capabilities=_CAPABILITIES, created_at=TEXT, inactive_since=_or_null(TEXT),
    last_contact=_or_null(TEXT), errors=COUNT, last_error=TEXT,
)
DETAILED_ZONES = answer(zones=_list(_DETAILED_ZONE))
ZONE = answer(zone=_DETAILED_ZONE)
ZONE_INFO = answer(zone=answer(
    uuid=UUID, name=TEXT, gathering=_FLAG, capabilities=_CAPABILITIES,
))
ERRORS = answer(errors=_list(answer(
    status={'type': 'integer'}, code=TEXT, title=TEXT, detail=TEXT,
    request_id=TEXT,
)))
