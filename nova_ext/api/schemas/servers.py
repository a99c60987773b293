"""Define what a request may say of a server."""

from nova_ext.api.schemas.parts import (
    AMOUNT,
    ID,
    INT64,
    MANY,
    NAME,
    closed,
    map_of,
    or_null,
)
from nova_ext.core.rpc import boot_request

#: An image's property, as long as Glance's column.
_PROPERTY = {'type': 'string', 'maxLength': 65535}
#: Extra specs of a flavor, or properties of an image: an explanation tries
#: each alone where hosts are rejected.
_DEMANDS = 128
FLAVOR = closed(
    ['vcpus', 'memory_mb'],
    vcpus={'type': 'integer', 'minimum': 1, 'maximum': boot_request.MAX_CPUS},
    memory_mb={**AMOUNT, 'minimum': 1},
    root_gb=AMOUNT, ephemeral_gb=AMOUNT, swap=AMOUNT,
    name=NAME, flavorid=NAME,
    extra_specs={
        **map_of(NAME), 'propertyNames': NAME, 'maxProperties': _DEMANDS,
    },
)
IMAGE = closed(
    id=NAME, name=or_null(NAME), status=NAME,
    disk_format=or_null(NAME), container_format=or_null(NAME),
    min_ram=AMOUNT, min_disk=AMOUNT,
    size=or_null({'type': 'integer', 'minimum': 0, 'maximum': INT64}),
    properties={
        **map_of(_PROPERTY), 'propertyNames': NAME, 'maxProperties': _DEMANDS,
    },
)
HINTS = {
    'type': 'object', 'maxProperties': 128, 'propertyNames': NAME,
    # Not anyOf, which keeps the errors of all items.
    'additionalProperties': {
        **NAME, 'type': ['string', 'array'], 'items': NAME, 'maxItems': 128,
    },
}
REQUEST = closed(
    ['flavor'],
    flavor=FLAVOR, image=IMAGE, boot_from_volume={'type': 'boolean'},
    availability_zone=NAME, hints=HINTS, host=NAME,
    hypervisor_hostname=NAME,
    ignore_hosts={'type': 'array', 'items': NAME, 'maxItems': MANY},
    project_id=ID, user_id=ID,
    count={
        'type': 'integer', 'minimum': 1,
        'maximum': boot_request.MAX_SERVERS,
    },
)
