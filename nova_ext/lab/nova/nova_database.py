"""Prepare Nova's databases: migrated, with cells and flavors."""

import uuid
from collections.abc import Collection

from nova import context, objects
from nova.db import migration

from nova_ext.lab.process import databases
from nova_ext.lab.state.paths import LabFolder

_MAIN = databases.NOVA
_CELL0 = f'{_MAIN}_cell0'
_API = 'nova_api.sqlite'

# Nova fills these templates from nova.conf: they hold in every lab.
_CELL1_URL = 'sqlite:////{path}?{query}'
_CELL0_URL = 'sqlite:////{path}_cell0?{query}'
_TRANSPORT = '{scheme}://{username}:{password}@{hostname}:{port}/{path}'

#: Name, id, virtual CPUs, memory in MiB, disk in GiB; as in devstack.
FLAVORS = (
    ('m1.nano', '42', 1, 64, 1),
    ('m1.tiny', '1', 1, 512, 1),
    ('m1.small', '2', 1, 2048, 20),
    ('m1.medium', '3', 2, 4096, 40),
    ('m1.large', '4', 4, 8192, 80),
    ('m1.xlarge', '5', 8, 16384, 160),
)


def prepare(lab: LabFolder) -> None:
    """Create the databases, unless they exist; Nova has read its options."""
    databases.prepare(
        lab, [_MAIN, _CELL0, _API], databases.cache_key('nova', __file__),
        lambda: _build(lab),
    )


def map_hosts(names: Collection[str]) -> None:
    """Map computes to their cell before they exist.

    Nova need not discover them later.
    """
    admin = context.get_admin_context()
    # The lab's own; a person may have added others.
    cell = min(
        (mapping for mapping in objects.CellMappingList.get_all(admin)
         if not mapping.is_cell0()),
        key=lambda mapping: mapping.id,
    )
    mapped = objects.HostMappingList.get_by_cell_id(admin, cell.id)
    for name in set(names) - {mapping.host for mapping in mapped}:
        objects.HostMapping(admin, host=name, cell_mapping=cell).create()


def _build(lab: LabFolder) -> None:
    migration.db_sync(database='api')
    migration.db_sync(database='main')
    databases.copy(lab.databases / _MAIN, lab.databases / _CELL0)
    admin = context.get_admin_context()
    for identifier, name, transport, database in (
        (objects.CellMapping.CELL0_UUID, 'cell0', 'none:///', _CELL0_URL),
        (str(uuid.uuid4()), 'cell1', _TRANSPORT, _CELL1_URL),
    ):
        objects.CellMapping(
            admin, uuid=identifier, name=name, transport_url=transport,
            database_connection=database,
        ).create()
    for name, flavor_id, vcpus, ram_mb, disk_gb in FLAVORS:
        objects.Flavor(
            admin, name=name, flavorid=flavor_id, vcpus=vcpus,
            memory_mb=ram_mb, root_gb=disk_gb, ephemeral_gb=0, swap=0,
            rxtx_factor=1.0, vcpu_weight=0, disabled=False, is_public=True,
            extra_specs={}, projects=[],
        ).create()
