"""Add servers to the databases: copies of some that run."""

import copy
import dataclasses
import json
import random
import time
import uuid
from collections import Counter

import sqlalchemy as sa
from nova import objects
from nova.db.api import api as api_db
from oslo_utils import timeutils
from placement import db_api as placement_db

from tests.bench import crowd

#: Tables of a cell that have a row of each server, by what names it.
_OF_CELL = {
    'instances': 'uuid', 'instance_extra': 'instance_uuid',
    'instance_info_caches': 'instance_uuid',
}
_OF_API = {
    'instance_mappings': 'instance_uuid', 'request_specs': 'instance_uuid',
}


def add(host, templates, hosts, on_each, seed=0):
    """Copy servers onto many hosts.

    :param host: the one that has the servers to copy.
    :param templates: their UUIDs.
    :param hosts: names of hosts without servers.
    :param on_each: how many each host gets, each a copy of one by chance.
    :returns: by host, the UUIDs of its servers, and what is used there by
        resource class.
    """
    dice = random.Random(seed)  # noqa: S311  no secret
    copies = [
        (dice.choice(templates), str(uuid.uuid4()), name)
        for name in hosts for _ in range(on_each)
    ]
    _copy_to_cell(host, copies)
    with api_db.get_engine().begin() as api:
        for table, key in _OF_API.items():
            _copy(api, table, key, copies)
    with placement_db.get_placement_engine().begin() as placement:
        used = _claim(placement, templates, copies)
    _use(host, used, on_each)
    servers = {}
    for _, server, name in copies:
        servers.setdefault(name, []).append(server)
    return servers, used


def report(host_manager, servers):
    """Have the scheduler hear of the servers, as nova-compute tells it."""
    host_manager._instance_info.update({
        host: {'updated': True, 'instances': {
            each: objects.Instance(uuid=each) for each in some
        }} for host, some in servers.items()
    })


def fill_file(mirror, placement, used):
    """Write the rows of all providers into a mirror's file.

    :param mirror: it has read one provider, of which the others are copies.
    :param used: by host, and by resource class.
    """
    (provider,) = mirror._cloud.providers
    listed = placement.get(
        '/resource_providers', version='1.36'
    ).body['resource_providers']
    with mirror._cloud.file.open() as file:
        for item in listed:
            if item['name'] in used:
                file.put(dataclasses.replace(
                    provider, uuid=item['uuid'], used=used[item['name']],
                    generation=item['generation'],
                ), time.monotonic(), time.time())


def _copy(connection, name, key, copies):
    """Insert copies of rows, each of another server."""
    table = crowd._table(connection, name)
    rows = {
        row[key]: dict(row) for row in connection.execute(
            sa.select(table).where(table.c[key].in_({
                template for template, _, _ in copies
            }))
        ).mappings()
    }
    values = []
    for template, server, host in copies:
        row = copy.copy(rows[template])
        row.pop('id')
        row[key] = server
        if 'host' in row:
            row['host'] = row['node'] = row['launched_on'] = host
        if 'spec' in row:
            row['spec'] = row['spec'].replace(template, server)
        values.append(row)
    connection.execute(sa.insert(table), values)


def _claim(connection, templates, copies):
    """Insert allocations; return what they use, by host."""
    consumers, allocations, providers, classes = (
        crowd._table(connection, name) for name in (
            'consumers', 'allocations', 'resource_providers',
            'resource_classes',
        )
    )
    names = dict(connection.execute(
        sa.select(classes.c.id, classes.c.name)
    ).all())
    ids = dict(connection.execute(
        sa.select(providers.c.name, providers.c.id)
    ).all())
    rows = {
        row['uuid']: dict(row) for row in connection.execute(
            sa.select(consumers).where(consumers.c.uuid.in_(templates))
        ).mappings()
    }
    amounts = {}
    for row in connection.execute(sa.select(allocations).where(
        allocations.c.consumer_id.in_(templates)
    )).mappings():
        amounts.setdefault(row['consumer_id'], []).append(dict(row))
    new_consumers, new_allocations, used = [], [], {}
    for template, server, host in copies:
        row = {**rows[template], 'uuid': server}
        row.pop('id')
        new_consumers.append(row)
        for amount in amounts[template]:
            row = {
                **amount, 'consumer_id': server,
                'resource_provider_id': ids[host],
            }
            row.pop('id')
            new_allocations.append(row)
            used.setdefault(host, Counter())[
                names[row['resource_class_id']]
            ] += row['used']
    connection.execute(sa.insert(consumers), new_consumers)
    connection.execute(sa.insert(allocations), new_allocations)
    return used


@crowd._RETRIED
def _copy_to_cell(host, copies):
    with crowd._in_cell(host) as cell:
        for table, key in _OF_CELL.items():
            _copy(cell, table, key, copies)


@crowd._RETRIED
def _use(host, used, servers):
    """Write what is used into the rows of compute nodes."""
    with crowd._in_cell(host) as cell:
        nodes = crowd._table(cell, 'compute_nodes')
        for name, amounts in used.items():
            cell.execute(sa.update(nodes).where(nodes.c.host == name).values(
                vcpus_used=amounts['VCPU'],
                memory_mb_used=amounts['MEMORY_MB'],
                free_ram_mb=nodes.c.memory_mb - amounts['MEMORY_MB'],
                local_gb_used=amounts['DISK_GB'],
                free_disk_gb=nodes.c.local_gb - amounts['DISK_GB'],
                running_vms=servers, updated_at=timeutils.utcnow(),
                stats=json.dumps({'num_instances': str(servers)}),
            ))
