"""Add hosts to the databases: copies of one that runs."""

import contextlib
import dataclasses
import time
import uuid

import sqlalchemy as sa
from nova import context as nova_context
from nova import objects
from nova.db.api import api as api_db
from nova.db.main import api as main_db
from oslo_db import api as db_api
from oslo_utils import timeutils
from placement import db_api as placement_db

#: Columns that name the host, or that must differ from row to row.
_NAMES = ('host', 'hypervisor_hostname', 'name')
#: The service that runs writes that it is alive, and a transaction then fails.
_RETRIED = db_api.wrap_db_retry(
    max_retries=20, retry_interval=0.2, inc_retry_interval=False,
    exception_checker=lambda error: isinstance(error, sa.exc.OperationalError),
)


def multiply(host, number, before=1):
    """Copy a cloud's host many times.

    :param host: its name; its service runs, so that it is up.
    :param number: how many there are then.
    :param before: how many there were.
    :returns: the names of the new ones.
    """
    names = [f'{host}-{count:05}' for count in range(before, number)]
    uuids = [str(uuid.uuid4()) for _ in names]
    its = _copy_computes(host, names, uuids)
    with api_db.get_engine().begin() as api:
        _copy(api, 'host_mappings', {'host': host}, names)
    with placement_db.get_placement_engine().begin() as placement:
        _copy_providers(placement, its, names, uuids)
    return names


def fill_file(mirror, placement):
    """Write the rows of all providers into a mirror's file.

    Reading them by four requests each takes minutes.

    :param mirror: it has read one provider, of which the others are copies.
    :param placement: the fixture.
    """
    (provider,) = mirror._cloud.providers
    listed = placement.get(
        '/resource_providers', version='1.36'
    ).body['resource_providers']
    with mirror._cloud.file.open() as file:
        for item in listed:
            file.put(dataclasses.replace(
                provider, uuid=item['uuid'], generation=item['generation'],
            ), time.monotonic(), time.time())


def resize(host, sizes):
    """Have copies of a host differ in what they have.

    :param host: its name.
    :param sizes: ``VCPU`` and ``MEMORY_MB`` of each copy, by its name.
    """
    _resize_computes(host, sizes)
    with placement_db.get_placement_engine().begin() as placement:
        providers, inventories, classes = (
            _table(placement, name) for name in (
                'resource_providers', 'inventories', 'resource_classes',
            )
        )
        ids = dict(placement.execute(
            sa.select(providers.c.name, providers.c.id)
        ).all())
        class_ids = dict(placement.execute(
            sa.select(classes.c.name, classes.c.id)
        ).all())
        for name, size in sizes.items():
            for resource_class, amount in size.items():
                placement.execute(sa.update(inventories).filter_by(
                    resource_provider_id=ids[name],
                    resource_class_id=class_ids[resource_class],
                ).values(total=amount, max_unit=amount))


def replace_in_aggregates(host_manager, aggregates):
    """Replace the hosts of all aggregates, and have a scheduler know.

    :param host_manager: Nova's.
    :param aggregates: the id of the one that each host is in, by its name.
    """
    with api_db.get_engine().begin() as api:
        table = _table(api, 'aggregate_hosts')
        api.execute(sa.delete(table))
        api.execute(sa.insert(table), [
            {'host': host, 'aggregate_id': aggregate}
            for host, aggregate in aggregates.items()
        ])
    host_manager.update_aggregates(objects.AggregateList.get_all(
        nova_context.get_admin_context()
    ))


@_RETRIED
def touch(host):
    """Have the rows of all compute nodes look changed.

    :param host: one of them.
    """
    with _in_cell(host) as cell:
        cell.execute(sa.update(_table(cell, 'compute_nodes')).values(
            updated_at=timeutils.utcnow()
        ))


@contextlib.contextmanager
def _in_cell(host):
    admin = nova_context.get_admin_context()
    mapping = objects.HostMapping.get_by_host(admin, host)
    with (
        nova_context.target_cell(admin, mapping.cell_mapping) as in_cell,
        main_db.get_engine(context=in_cell).begin() as connection,
    ):
        yield connection


@_RETRIED
def _copy_computes(host, names, uuids):
    """Copy a service and its compute node.

    :returns: the compute node's uuid.
    """
    with _in_cell(host) as cell:
        _copy(cell, 'services', {'host': host}, names)
        _copy(cell, 'compute_nodes', {'host': host}, names, uuids)
        nodes = _table(cell, 'compute_nodes')
        return cell.execute(
            sa.select(nodes.c.uuid).filter_by(host=host)
        ).scalar_one()


@_RETRIED
def _resize_computes(host, sizes):
    with _in_cell(host) as cell:
        nodes = _table(cell, 'compute_nodes')
        for name, size in sizes.items():
            cell.execute(sa.update(nodes).where(nodes.c.host == name).values(
                vcpus=size['VCPU'], memory_mb=size['MEMORY_MB']
            ))


def _copy_providers(connection, its, names, uuids):
    first = _copy(
        connection, 'resource_providers', {'uuid': its}, names, uuids
    )
    ids = range(first, first + len(names))
    providers = _table(connection, 'resource_providers')
    connection.execute(
        sa.update(providers).where(providers.c.id >= first)
        .values(root_provider_id=providers.c.id)
    )
    old = connection.execute(
        sa.select(providers.c.id).filter_by(uuid=its)
    ).scalar_one()
    for name in ('inventories', 'resource_provider_traits'):
        table = _table(connection, name)
        rows = [
            dict(row) for row in connection.execute(
                sa.select(table).filter_by(resource_provider_id=old)
            ).mappings()
        ]
        for row in rows:
            row.pop('id', None)
        connection.execute(sa.insert(table), [
            {**row, 'resource_provider_id': each}
            for each in ids for row in rows
        ])


def _copy(connection, name, which, names, uuids=None):
    """Insert copies of one row.

    :returns: the id of the first.
    """
    table = _table(connection, name)
    row = dict(connection.execute(
        sa.select(table).filter_by(**which)
    ).mappings().one())
    first = connection.execute(
        sa.select(sa.func.max(table.c.id))
    ).scalar_one() + 1
    connection.execute(sa.insert(table), [
        {
            **row, 'id': first + count,
            **{key: each for key in _NAMES if key in row},
            **({'uuid': uuids[count] if uuids else str(uuid.uuid4())}
               if 'uuid' in row else {}),
        }
        for count, each in enumerate(names)
    ])
    return first


def _table(connection, name):
    found = sa.MetaData()
    found.reflect(connection, only=[name])
    return found.tables[name]
