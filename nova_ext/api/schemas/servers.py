"""Define what a request may say of a server."""

from nova_ext.api.schemas.parts import (
    AMOUNT,
    END,
    ID,
    INT64,
    MANY,
    NAME,
    WORD,
    Schema,
    closed,
    map_of,
    or_null,
)
from nova_ext.core.rpc import boot_request
from nova_ext.zones import build_request

#: An image's property, as long as Glance's column.
_PROPERTY = {'type': 'string', 'maxLength': 65535}
#: Extra specs of a flavor, or properties of an image: an explanation tries
#: each alone where hosts are rejected.
_DEMANDS = 128
_FLAVOR = closed(
    ['vcpus', 'memory_mb'],
    vcpus={'type': 'integer', 'minimum': 1, 'maximum': boot_request.MAX_CPUS},
    memory_mb={**AMOUNT, 'minimum': 1},
    root_gb=AMOUNT, ephemeral_gb=AMOUNT, swap=AMOUNT,
    name=NAME, flavorid=NAME,
    extra_specs={
        **map_of(NAME), 'propertyNames': NAME, 'maxProperties': _DEMANDS,
    },
)
_IMAGE = closed(
    id=NAME, name=or_null(NAME), status=NAME,
    disk_format=or_null(NAME), container_format=or_null(NAME),
    min_ram=AMOUNT, min_disk=AMOUNT,
    size=or_null({'type': 'integer', 'minimum': 0, 'maximum': INT64}),
    properties={
        **map_of(_PROPERTY), 'propertyNames': NAME, 'maxProperties': _DEMANDS,
    },
)
_HINTS = {
    'type': 'object', 'maxProperties': 128, 'propertyNames': NAME,
    # Not anyOf, which keeps the errors of all items.
    'additionalProperties': {
        **NAME, 'type': ['string', 'array'], 'items': NAME, 'maxItems': MANY,
    },
}
REQUEST = closed(
    ['flavor'],
    flavor=_FLAVOR, image=_IMAGE, boot_from_volume={'type': 'boolean'},
    availability_zone=NAME, hints=_HINTS, host=NAME,
    hypervisor_hostname=NAME,
    ignore_hosts={'type': 'array', 'items': NAME, 'maxItems': MANY},
    project_id=ID, user_id=ID,
    count={
        'type': 'integer', 'minimum': 1,
        'maximum': boot_request.MAX_SERVERS,
    },
)
#: What a build may say of a server. Ports, volumes, server groups and user
#: data mean nothing in other zones.
BUILT: Schema = {
    'flavor': closed(
        ['name', 'vcpus', 'memory_mb'], **{
            name: schema for name, schema in _FLAVOR['properties'].items()
            if name != 'flavorid'
        },
    ),
    'image': {
        **closed(
            id=NAME, name=WORD, os_hash_value=or_null(
                {'type': 'string', 'pattern': '^[0-9a-f]{1,128}' + END}
            ), properties={
                **_IMAGE['properties']['properties'], 'minProperties': 1,
            },
        ),
        'anyOf': [{'required': ['name']}, {'required': ['properties']}],
    },
    'networks': {'anyOf': [
        {'enum': [build_request.AUTO, build_request.NONE]},
        {
            'type': 'array', 'items': WORD, 'minItems': 1, 'maxItems': 16,
            'uniqueItems': True,
        },
    ]},
    'key_name': NAME,
    'metadata': {
        'type': 'object', 'maxProperties': 64, 'propertyNames': WORD,
        'additionalProperties': NAME,
    },
    'availability_zone': {
        'type': 'string', 'maxLength': 255,
        'pattern': f'^[^:\\x00-\\x1f]*{END}',
    },
    'hints': _HINTS,
    'constraints': {'type': 'array', 'items': WORD, 'maxItems': 16},
}
