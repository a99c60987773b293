"""Define what a build may say of its servers."""

from nova_ext.api.schemas import servers
from nova_ext.api.schemas.parts import END, NAME, WORD, Schema, closed, or_null
from nova_ext.zones import server_spec

_FLAVOR = servers.FLAVOR['properties']
_IMAGE = servers.IMAGE['properties']
#: What a build may say of a server. Ports, volumes, server groups and user
#: data mean nothing in other zones.
BUILT: Schema = {
    'flavor': closed(
        ['name', 'vcpus', 'memory_mb'], **{
            name: schema for name, schema in _FLAVOR.items()
            if name != 'flavorid'
        },
    ),
    'image': {
        **closed(
            id=NAME, name=WORD, os_hash_value=or_null(
                {'type': 'string', 'pattern': '^[0-9a-f]{1,128}' + END}
            ), properties={
                **_IMAGE['properties'], 'minProperties': 1,
            },
        ),
        'anyOf': [{'required': ['name']}, {'required': ['properties']}],
    },
    'networks': {'anyOf': [
        {'enum': [server_spec.AUTO, server_spec.NONE]},
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
    'hints': servers.HINTS,
    'constraints': {'type': 'array', 'items': WORD, 'maxItems': 16},
}
